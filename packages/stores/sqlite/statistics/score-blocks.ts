import type { DatabaseSync } from "node:sqlite";
import type { Span } from "@stile/core/domain/statistics/periods";
import { blocksWithin, startOfBlock } from "@stile/core/domain/statistics/score-block-span";
import { prepareSelect } from "../engine/select.ts";
import { SWEEP_STEP_ROWS } from "../engine/spent-sweep.ts";

/** How often a name was counted. */
export type SumRow = { readonly name: string; readonly count: number };

/**
 * Sums of the kind `score` over 32 days each. They are the sums of the days in the table
 * `statistics`, but faster to read.
 */
export type ScoreBlocks = {
  /** Adds a day's count to its block. Call it within the transaction that adds it to the day. */
  readonly add: (siteKey: string, dayStartMs: number, name: string, count: number) => void;
  /**
   * Sums of whole days by name: from blocks that lie within the span, and from single days
   * otherwise.
   */
  readonly readDaySums: (siteKey: string, span: Span) => readonly SumRow[];
  /**
   * Removes blocks that start before the moment, one step at a time. Returns how many rows were
   * removed.
   */
  readonly removeStep: (beforeMs: number) => number;
};

/** Prepares the statements once. */
export function createScoreBlocks(database: DatabaseSync): ScoreBlocks {
  const add = database.prepare(
    `INSERT INTO score_blocks (site_key, start_ms, name, count) VALUES (?, ?, ?, ?)
      ON CONFLICT (site_key, start_ms, name) DO UPDATE SET count = count + excluded.count`,
  );
  const ofDays = "site_key = $siteKey AND resolution = 'day' AND kind = 'score'";
  const selectFirstDay = prepareSelect<{ readonly ms: number | null }>(
    database,
    `SELECT min(start_ms) AS ms FROM statistics WHERE ${ofDays}`,
  );
  const select = prepareSelect<SumRow>(
    database,
    `SELECT name, sum(count) AS count FROM (
      SELECT name, count FROM score_blocks
        WHERE site_key = $siteKey AND start_ms >= $firstBlockMs AND start_ms < $endBlockMs
      UNION ALL SELECT name, count FROM statistics WHERE ${ofDays} AND start_ms >= $fromMs AND start_ms < $firstBlockMs
      UNION ALL SELECT name, count FROM statistics WHERE ${ofDays} AND start_ms >= $endBlockMs AND start_ms < $toMs
    ) GROUP BY name`,
  );
  const remove = database.prepare(
    `DELETE FROM score_blocks WHERE (site_key, start_ms, name) IN
      (SELECT site_key, start_ms, name FROM score_blocks WHERE start_ms < ? LIMIT ${SWEEP_STEP_ROWS})`,
  );
  return {
    add: (siteKey, dayStartMs, name, count) => {
      add.run(siteKey, startOfBlock(dayStartMs), name, count);
    },
    readDaySums: (siteKey, { fromMs, toMs }) => {
      const firstDayMs = selectFirstDay.get({ siteKey })?.ms;
      const { firstBlockMs, endBlockMs } = blocksWithin({ fromMs, toMs }, firstDayMs ?? undefined);
      return select.all({ siteKey, fromMs, firstBlockMs, endBlockMs, toMs });
    },
    removeStep: (beforeMs) => Number(remove.run(beforeMs).changes),
  };
}
