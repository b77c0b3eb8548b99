import type { MinuteCount, SiteCount } from "../domain/metrics.ts";

/** Counts per site and minute. What follows a spending write is counted by the ledgers, in its transaction. */
export interface Statistics {
  /** Counts what no write follows (issued challenges, refusals): kept in memory, written within a second. */
  count(entry: SiteCount): void;
  /** Writes what `count` holds back. */
  flush(): Promise<void>;
  /** Sums per minute, oldest first, of minutes that start in [fromMs, toMs). */
  read(siteKey: string, fromMs: number, toMs: number): Promise<readonly MinuteCount[]>;
}
