import { createCardinalityLimit } from "@stile/core/domain/statistics/cardinality-limit";
import { joinMetric, type Metric, type MetricKind } from "@stile/core/domain/statistics/metrics";
import { keptFromMs, startOfPeriod } from "@stile/core/domain/statistics/periods";
import type {
  Statistics,
  StatisticsQuery,
  TimedCount,
} from "@stile/core/ports/statistics/statistics";
import { RESOLUTIONS, type Resolution } from "@stile/protocol/dashboard-statistics";
import { inSeriesOrder, sumByPoint } from "@stile/stores/rows/points";

type Row = {
  readonly resolution: Resolution;
  readonly kind: MetricKind;
  readonly startMs: number;
  readonly name: string;
  readonly count: number;
};

/** Statistics in memory, and how the other parts of the memory store add to them. */
export type MemoryStatistics = Statistics & {
  readonly addCount: (siteKey: string, metric: Metric, atMs: number, count: number) => void;
  readonly removeSite: (siteKey: string) => void;
};

function toTimedCount(row: Row): TimedCount {
  const { startMs, kind, name, count } = row;
  return { startMs, metric: joinMetric(kind, name), count };
}

/**
 * Counts per site by minute, hour and day, in memory; nothing is counted for sites that `domainsOf`
 * does not know.
 */
export function createMemoryStatistics(
  domainsOf: (siteKey: string) => readonly string[] | undefined,
): MemoryStatistics {
  // Kept apart by resolution: each new day looks through the days, which are a tenth as many as the
  // minutes.
  const parts = new Map<string, Map<string, Row>>();
  const partOf = (siteKey: string, resolution: Resolution): string => `${siteKey} ${resolution}`;

  const find = (query: StatisticsQuery): readonly Row[] => {
    const { siteKey, resolution, kinds, fromMs, toMs } = query;
    const found: Row[] = [];
    for (const row of parts.get(partOf(siteKey, resolution))?.values() ?? []) {
      if (row.startMs >= fromMs && row.startMs < toMs && kinds.includes(row.kind)) found.push(row);
    }
    return found;
  };

  const names = createCardinalityLimit({
    readDays: (siteKey, kind, fromMs, toMs) =>
      find({ siteKey, resolution: "day", kinds: [kind], fromMs, toMs }),
    readDomains: (siteKey) => domainsOf(siteKey) ?? [],
  });

  const addCount = (siteKey: string, metric: Metric, atMs: number, count: number): void => {
    if (domainsOf(siteKey) === undefined) return;
    names.tidy();
    const { kind, name } = names.apply(siteKey, metric, startOfPeriod("day", atMs));
    for (const resolution of RESOLUTIONS) {
      const part = partOf(siteKey, resolution);
      const rows = parts.get(part) ?? new Map<string, Row>();
      parts.set(part, rows);
      const startMs = startOfPeriod(resolution, atMs);
      const key = `${startMs} ${kind} ${name}`;
      rows.set(key, {
        resolution,
        kind,
        startMs,
        name,
        count: (rows.get(key)?.count ?? 0) + count,
      });
    }
  };

  return {
    addCount,
    removeSite: (siteKey) => {
      for (const resolution of RESOLUTIONS) parts.delete(partOf(siteKey, resolution));
    },
    count: ({ siteKey, metric, atMs }) => addCount(siteKey, metric, atMs, 1),
    add: async (batch) => {
      for (const { siteKey, metric, atMs, count } of batch) addCount(siteKey, metric, atMs, count);
    },
    flush: async () => {},
    readSeries: async ({ starts, ...query }) => {
      const series = find(query).map(toTimedCount).sort(inSeriesOrder);
      return starts === undefined ? series : sumByPoint(series, starts);
    },
    readDays: async (query) =>
      find({ ...query, resolution: "day" })
        .map(toTimedCount)
        .sort(inSeriesOrder),
    readSums: async (query) => {
      const sums = new Map<Metric, number>();
      for (const { metric, count } of find(query).map(toTimedCount))
        sums.set(metric, (sums.get(metric) ?? 0) + count);
      return [...sums].map(([metric, count]) => ({ metric, count }));
    },
    prune: async (nowMs) => {
      let removed = 0;
      for (const rows of parts.values()) {
        for (const [key, { resolution, startMs }] of rows) {
          if (startMs < keptFromMs(resolution, nowMs) && rows.delete(key)) removed += 1;
        }
      }
      return removed;
    },
  };
}
