import type { DatabaseSync } from "node:sqlite";
import {
  type CardinalityLimit,
  createCardinalityLimit,
  type DayRow,
} from "@stile/core/domain/statistics/cardinality-limit";
import type { Metric, MetricKind } from "@stile/core/domain/statistics/metrics";
import { startOfPeriod } from "@stile/core/domain/statistics/periods";
import { RESOLUTIONS, type Resolution } from "@stile/protocol/dashboard-statistics";
import { prepareSelect } from "../engine/select.ts";
import { createScoreBlocks } from "./score-blocks.ts";

type Sum = {
  readonly siteKey: string;
  readonly metric: Metric;
  readonly minuteStartMs: number;
  count: number;
};
type StatisticRow = {
  readonly siteKey: string;
  readonly resolution: Resolution;
  readonly kind: MetricKind;
  readonly startMs: number;
  readonly name: string;
  count: number;
};

/** Counts of one transaction, added up in memory. */
export type StatisticSums = {
  readonly add: (siteKey: string, metric: Metric, atMs: number, count: number) => void;
  /** Writes minute, hour and day of every sum whose site exists, each row once. */
  readonly write: (doesSiteExist: (siteKey: string) => boolean) => void;
};

/** Creates the sums of one transaction after another. */
export type StatisticSumsMaker = {
  readonly begin: () => StatisticSums;
  /** Call this after a rollback. */
  readonly forget: () => void;
};

/**
 * Adds to an existing row, as nearly every count does. In a statement that may insert, even an
 * upsert, SQLite checks `resolution` against the list of its values. It builds a table for that
 * list each time, which takes 52 us a row (decision 0008, SQLite).
 */
export const ADD_TO_ROW = `UPDATE statistics SET count = count + ?6
  WHERE site_key = ?1 AND resolution = ?2 AND kind = ?3 AND start_ms = ?4 AND name = ?5`;

function toRows(
  sums: Iterable<Sum>,
  names: CardinalityLimit,
  doesSiteExist: (siteKey: string) => boolean,
): Iterable<StatisticRow> {
  const rows = new Map<string, StatisticRow>();
  for (const { siteKey, metric, minuteStartMs, count } of sums) {
    if (!doesSiteExist(siteKey)) continue;
    const { kind, name } = names.apply(siteKey, metric, startOfPeriod("day", minuteStartMs));
    for (const resolution of RESOLUTIONS) {
      const startMs = startOfPeriod(resolution, minuteStartMs);
      const key = `${siteKey} ${resolution} ${startMs} ${kind} ${name}`;
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { siteKey, resolution, kind, startMs, name, count });
      else row.count += count;
    }
  }
  return rows.values();
}

/**
 * Prepares the statements once. A transaction writes each key once, however often it was counted.
 */
export function createStatisticSums(database: DatabaseSync): StatisticSumsMaker {
  const addToRow = database.prepare(ADD_TO_ROW);
  const insertRow = database.prepare(
    "INSERT INTO statistics (site_key, resolution, kind, start_ms, name, count) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const blocks = createScoreBlocks(database);
  const selectDays = prepareSelect<DayRow>(
    database,
    `SELECT start_ms AS startMs, name, count FROM statistics
      WHERE site_key = ? AND resolution = 'day' AND kind = ? AND start_ms >= ? AND start_ms < ?`,
  );
  const selectDomains = prepareSelect<{ readonly domain: string }>(
    database,
    "SELECT value AS domain FROM sites, json_each(sites.settings, '$.domains') WHERE site_key = ?",
  );
  const names = createCardinalityLimit({
    readDays: (siteKey, kind, fromMs, toMs) => selectDays.all(siteKey, kind, fromMs, toMs),
    readDomains: (siteKey) => selectDomains.all(siteKey).map(({ domain }) => domain),
  });
  return {
    begin: () => {
      names.tidy();
      const sums = new Map<string, Sum>();
      return {
        add: (siteKey, metric, atMs, count) => {
          const minuteStartMs = startOfPeriod("minute", atMs);
          const key = `${siteKey} ${minuteStartMs} ${metric}`;
          const sum = sums.get(key);
          if (sum === undefined) sums.set(key, { siteKey, metric, minuteStartMs, count });
          else sum.count += count;
        },
        write: (doesSiteExist) => {
          for (const { siteKey, resolution, kind, startMs, name, count } of toRows(
            sums.values(),
            names,
            doesSiteExist,
          )) {
            const row = [siteKey, resolution, kind, startMs, name, count] as const;
            if (addToRow.run(...row).changes === 0) insertRow.run(...row);
            if (resolution === "day" && kind === "score") blocks.add(siteKey, startMs, name, count);
          }
        },
      };
    },
    forget: names.forget,
  };
}
