import type { Resolution } from "@stile/protocol/dashboard-statistics";
import type { Metric, MetricKind, SiteCount, SiteSum } from "../../domain/statistics/metrics.ts";

/** Which counts to read: those of these kinds, in periods that start in [fromMs, toMs). */
export type StatisticsQuery = {
  readonly siteKey: string;
  readonly resolution: Resolution;
  readonly kinds: readonly MetricKind[];
  readonly fromMs: number;
  readonly toMs: number;
};

/**
 * The same, by points: a point counts everything from its start to that of the next, or to `toMs`.
 * The first start is `fromMs`. Without `starts`, each period is a point.
 */
export type SeriesQuery = StatisticsQuery & { readonly starts?: readonly number[] };

/** A metric's count in the period or point that starts at `startMs`. */
export type TimedCount = {
  readonly startMs: number;
  readonly metric: Metric;
  readonly count: number;
};

/** A metric's count over the whole requested time. */
export type MetricSum = { readonly metric: Metric; readonly count: number };

/**
 * Counts per site, kept by minute (48 h), hour (90 days) and day (13 months), all written in one
 * transaction. Ledgers count what a spending write causes, in its own transaction. Of the names
 * that visitors choose, MAX_NAMES_PER_DAY per kind are counted separately per site and UTC day; the
 * others become `other`. Eight of the places go to the names seen on most of the last seven days
 * (of these, the most frequent), seven to those with the largest share of what was counted on these
 * days, and the rest to those that come first. The site's own domains, with or without `www.`, are
 * counted separately in addition.
 */
export interface Statistics {
  /**
   * Counts an event that goes with no write (issued challenges, refusals) in memory; it is written
   * within a second.
   */
  count(entry: SiteCount): void;
  /** Adds counts durably, all or none, at the times that they name. */
  add(batch: readonly SiteSum[]): Promise<void>;
  /** Writes the counts that `count` holds in memory. */
  flush(): Promise<void>;
  /** Counts by point, oldest first; within a point, by name. */
  readSeries(query: SeriesQuery): Promise<readonly TimedCount[]>;
  /**
   * Counts by UTC day, for a few days and few names. It reads at once, without waiting for the
   * dashboard's figures.
   */
  readDays(query: Omit<StatisticsQuery, "resolution">): Promise<readonly TimedCount[]>;
  /** Sums over the requested time, in no particular order. */
  readSums(query: StatisticsQuery): Promise<readonly MetricSum[]>;
  /** Removes counts that are no longer kept, in small steps; returns how many rows. */
  prune(nowMs: number): Promise<number>;
}
