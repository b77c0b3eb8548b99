import type { DatabaseSync } from "node:sqlite";
import { joinMetric, type MetricKind } from "@stile/core/domain/statistics/metrics";
import { keptFromMs } from "@stile/core/domain/statistics/periods";
import type {
  MetricSum,
  SeriesQuery,
  Statistics,
  StatisticsQuery,
  TimedCount,
} from "@stile/core/ports/statistics/statistics";
import { RESOLUTIONS } from "@stile/protocol/dashboard-statistics";
import { createBufferedCounts } from "../../buffers/buffered-counts.ts";
import { inSeriesOrder, sumByPoint } from "../../rows/points.ts";
import { readTogether } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect } from "../engine/select.ts";
import { SWEEP_STEP_ROWS } from "../engine/spent-sweep.ts";
import { inSteps } from "../sqlite-housekeeping.ts";
import { createScoreBlocks, type ScoreBlocks, type SumRow } from "./score-blocks.ts";

type SeriesRow = SumRow & { readonly startMs: number };

function createReader(database: DatabaseSync, blocks: ScoreBlocks) {
  const where =
    "WHERE site_key = ? AND resolution = ? AND kind = ? AND start_ms >= ? AND start_ms < ?";
  const selectSeries = prepareSelect<SeriesRow>(
    database,
    `SELECT start_ms AS startMs, name, count FROM statistics ${where} ORDER BY start_ms, name`,
  );
  const selectSums = prepareSelect<SumRow>(
    database,
    `SELECT name, sum(count) AS count FROM statistics ${where} GROUP BY name`,
  );
  const forEachKind = <Row>(query: StatisticsQuery, read: (kind: MetricKind) => Row[]): Row[] =>
    [...new Set(query.kinds)].flatMap(read);
  return {
    readSeries: (query: SeriesQuery): readonly TimedCount[] => {
      const { siteKey, resolution, fromMs, toMs, starts } = query;
      const counts = forEachKind<TimedCount>(query, (kind) => {
        const rows = selectSeries.all(siteKey, resolution, kind, fromMs, toMs);
        return rows.map(({ startMs, name, count }) => ({
          startMs,
          metric: joinMetric(kind, name),
          count,
        }));
      });
      const series = counts.sort(inSeriesOrder);
      return starts === undefined ? series : sumByPoint(series, starts);
    },
    readSums: (query: StatisticsQuery): MetricSum[] => {
      const { siteKey, resolution, fromMs, toMs } = query;
      return forEachKind(query, (kind) => {
        const rows =
          resolution === "day" && kind === "score"
            ? blocks.readDaySums(siteKey, query)
            : selectSums.all(siteKey, resolution, kind, fromMs, toMs);
        return rows.map(({ name, count }) => ({ metric: joinMetric(kind, name), count }));
      });
    },
  };
}

/** Counts per site by minute, hour and day in SQLite. */
export function createSqliteStatistics(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): Statistics {
  const blocks = createScoreBlocks(database);
  const reader = createReader(database, blocks);
  const removeOld = database.prepare(
    `DELETE FROM statistics WHERE (site_key, resolution, kind, start_ms, name) IN
      (SELECT site_key, resolution, kind, start_ms, name FROM statistics
        WHERE resolution = ? AND start_ms < ? LIMIT ${SWEEP_STEP_ROWS})`,
  );
  const add: Statistics["add"] = (batch) =>
    writer.write((transaction) => {
      for (const { siteKey, metric, atMs, count } of batch)
        transaction.addCount(siteKey, metric, atMs, count);
    });
  return {
    ...createBufferedCounts(add),
    add,
    readSeries: (query) => readTogether(database, () => reader.readSeries(query), now),
    readDays: (query) =>
      readTogether(database, () => reader.readSeries({ ...query, resolution: "day" }), now),
    readSums: (query) => readTogether(database, () => reader.readSums(query), now),
    prune: async (nowMs) => {
      let removed = 0;
      for (const resolution of RESOLUTIONS) {
        const beforeMs = keptFromMs(resolution, nowMs);
        removed += await inSteps(writer, () => Number(removeOld.run(resolution, beforeMs).changes));
      }
      // Blocks are copies of the days' counts, so their removal does not count.
      await inSteps(writer, () => blocks.removeStep(keptFromMs("day", nowMs)));
      return removed;
    },
  };
}
