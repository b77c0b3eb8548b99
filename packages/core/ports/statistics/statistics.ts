import type { Resolution } from "@stile/protocol/dashboard-statistics";
import type { Metric, MetricKind, SiteCount, SiteSum } from "../../domain/statistics/metrics.ts";

/** Which counts are asked for: of these kinds, in periods that start in [fromMs, toMs). */
export type StatisticsQuery = {
  readonly siteKey: string;
  readonly resolution: Resolution;
  readonly kinds: readonly MetricKind[];
  readonly fromMs: number;
  readonly toMs: number;
};

/**
 * The same, told by points: all that is counted from the start of a point to that of the next, or to `toMs`. The first start is
 * `fromMs`. Without starts, each period is a point.
 */
export type SeriesQuery = StatisticsQuery & { readonly starts?: readonly number[] };

/** A metric's count in the period, or the point, that starts at `startMs`. */
export type TimedCount = { readonly startMs: number; readonly metric: Metric; readonly count: number };

/** A metric's count over the whole time asked for. */
export type MetricSum = { readonly metric: Metric; readonly count: number };

/**
 * Counts per site, kept by minute (48 h), hour (90 days) and day (13 months), all three written in one transaction. What
 * follows a spending write is counted by the ledgers, in its transaction. Of the names that visitors choose, MAX_NAMES_PER_DAY
 * of a kind are told apart per site and day (UTC), the others are counted as `other`: first those that were seen on most of
 * the last seven days, and of these the most frequent ones (three quarters of the places are theirs), then those that come
 * first. The site's own domains, with or without `www.`, are told apart besides.
 */
export interface Statistics {
  /** Counts what no write follows (issued challenges, refusals): kept in memory, written within a second. */
  count(entry: SiteCount): void;
  /** Adds counts durably, all or none, at whatever time they name. */
  add(batch: readonly SiteSum[]): Promise<void>;
  /** Writes what `count` holds back. */
  flush(): Promise<void>;
  /** Counts by point, oldest first; those of a point by name. */
  readSeries(query: SeriesQuery): Promise<readonly TimedCount[]>;
  /** Counts summed over the asked time, in no particular order. */
  readSums(query: StatisticsQuery): Promise<readonly MetricSum[]>;
  /** Removes, in small steps, what is kept no longer; answers how many rows. */
  prune(nowMs: number): Promise<number>;
}
