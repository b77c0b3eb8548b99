import { randomUUID } from "node:crypto";
import { joinMetric, type MetricKind, type SiteSum } from "@stile/core/domain/statistics/metrics";
import { keptFromMs, PERIOD_MS, startOfPeriod } from "@stile/core/domain/statistics/periods";
import { blocksWithin } from "@stile/core/domain/statistics/score-block-span";
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
import type { Database, DatabaseConnections } from "../engine/database.ts";
import { deleteInSteps } from "../postgres-housekeeping.ts";
import { createMetricNumbering } from "../spending/spending-batch.ts";

type KindSumRow = { readonly kind: MetricKind; readonly name: string; readonly count: number };
type KindSeriesRow = KindSumRow & { readonly startMs: number };

/**
 * How long a day's names are kept in addition to its rows, ms. Counts come at most minutes late; a
 * day that is counted again later reads its rows.
 */
const NAMES_KEPT_MS = 3 * PERIOD_MS.day;

const WHERE =
  "site_key = $1 AND resolution = $2 AND kind = ANY ($3::text[]) AND start_ms >= $4 AND start_ms < $5";
const SERIES = `SELECT kind, start_ms AS "startMs", name, count FROM statistics WHERE ${WHERE}`;
const SUMS = `SELECT kind, name, sum(count)::BIGINT AS count FROM statistics WHERE ${WHERE} GROUP BY kind, name`;
const DAY_SCORES = "site_key = $1 AND resolution = 'day' AND kind = 'score'";
const FIRST_DAY = `SELECT min(start_ms) AS ms FROM statistics WHERE ${DAY_SCORES}`;
const SCORE_SUMS = `SELECT 'score' AS kind, name, sum(count)::BIGINT AS count FROM (
    SELECT name, count FROM score_blocks WHERE site_key = $1 AND start_ms >= $3 AND start_ms < $4
    UNION ALL SELECT name, count FROM statistics WHERE ${DAY_SCORES} AND start_ms >= $2 AND start_ms < $3
    UNION ALL SELECT name, count FROM statistics WHERE ${DAY_SCORES} AND start_ms >= $4 AND start_ms < $5
  ) AS parts GROUP BY name`;

/**
 * By the engine's clock at the time of writing: a process that wrote nothing for 30 days has no
 * batch to send again.
 */
const FORGET_WRITERS =
  "DELETE FROM count_writers WHERE at < clock_timestamp() - interval '30 days'";

function stepOf(table: string, where: string): string {
  return `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${where} LIMIT $1)`;
}

/**
 * Sums of whole days by score: from blocks inside the span, and otherwise from the days themselves.
 */
async function readScoreSums(
  figures: DatabaseConnections,
  { siteKey, fromMs, toMs }: StatisticsQuery,
) {
  const { rows } = await figures.read<{ ms: number | null }>(FIRST_DAY, [siteKey]);
  const { firstBlockMs, endBlockMs } = blocksWithin({ fromMs, toMs }, rows[0]?.ms ?? undefined);
  return (
    await figures.read<KindSumRow>(SCORE_SUMS, [siteKey, fromMs, firstBlockMs, endBlockMs, toMs])
  ).rows;
}

async function readSums(
  figures: DatabaseConnections,
  query: StatisticsQuery,
): Promise<readonly MetricSum[]> {
  const { siteKey, resolution, kinds, fromMs, toMs } = query;
  const fromBlocks = resolution === "day" && kinds.includes("score");
  const others = fromBlocks ? kinds.filter((kind) => kind !== "score") : kinds;
  const { rows } = await figures.read<KindSumRow>(SUMS, [
    siteKey,
    resolution,
    others,
    fromMs,
    toMs,
  ]);
  const scores = fromBlocks ? await readScoreSums(figures, query) : [];
  return [...rows, ...scores].map(({ kind, name, count }) => ({
    metric: joinMetric(kind, name),
    count,
  }));
}

/** The parameters of `count_1`. */
function packCounts(batch: readonly SiteSum[]): readonly [counted: string, metrics: string] {
  const metrics = createMetricNumbering();
  const counted = batch.map((sum) => ({
    site: sum.siteKey,
    metric: metrics.numberOf(sum.metric),
    start: startOfPeriod("minute", sum.atMs),
    count: sum.count,
  }));
  return [JSON.stringify(counted), JSON.stringify(metrics.rows())];
}

async function readSeries(
  connections: DatabaseConnections,
  query: SeriesQuery,
): Promise<readonly TimedCount[]> {
  const { siteKey, resolution, kinds, fromMs, toMs, starts } = query;
  const { rows } = await connections.read<KindSeriesRow>(SERIES, [
    siteKey,
    resolution,
    kinds,
    fromMs,
    toMs,
  ]);
  const series = rows
    .map(
      (row): TimedCount => ({
        startMs: row.startMs,
        metric: joinMetric(row.kind, row.name),
        count: row.count,
      }),
    )
    .sort(inSeriesOrder);
  return starts === undefined ? series : sumByPoint(series, starts);
}

/** Counts per site by minute, hour and day in PostgreSQL. */
export function createPostgresStatistics({
  figures,
  jobs,
}: Pick<Database, "figures" | "jobs">): Statistics {
  const writer = randomUUID();
  return {
    ...createBufferedCounts(async (batch, number) => {
      await jobs.write("SELECT count_once_1($1, $2, $3, $4)", [
        writer,
        number,
        ...packCounts(batch),
      ]);
    }),
    add: async (batch) => void (await jobs.write("SELECT count_1($1, $2)", packCounts(batch))),
    readSeries: (query) => readSeries(figures, query),
    readDays: (query) => readSeries(jobs, { ...query, resolution: "day" }),
    readSums: (query) => readSums(figures, query),
    prune: async (nowMs) => {
      let removed = 0;
      for (const resolution of RESOLUTIONS) {
        const beforeMs = keptFromMs(resolution, nowMs);
        const step = stepOf("statistics", "resolution = $2 AND start_ms < $3");
        removed += await deleteInSteps(jobs, step, [resolution, beforeMs]);
      }
      // Blocks repeat the counts of the days, so they do not count as removed.
      await deleteInSteps(jobs, stepOf("score_blocks", "start_ms < $2"), [
        keptFromMs("day", nowMs),
      ]);
      await deleteInSteps(jobs, stepOf("statistic_days", "start_ms < $2"), [nowMs - NAMES_KEPT_MS]);
      await jobs.write(FORGET_WRITERS);
      return removed;
    },
  };
}
