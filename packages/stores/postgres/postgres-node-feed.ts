import { randomUUID } from "node:crypto";
import type { NodeFeed } from "@stile/core/ports/node-feed";
import type { DatabaseConnections } from "./engine/database.ts";
import { DATABASE_NOW_MS } from "./engine/postgres-generation.ts";

/**
 * A node that does not read for this long misses older entries. A new node gets the entries of this
 * time.
 */
const MEMORY = "30 seconds";
const DAY_MS = 86_400_000;

/**
 * The most bytes read at once, besides one publication of a node, which is smaller. In a flood, or
 * after a break, a node could not read everything within a statement's deadline, and so would never
 * finish. The next read gets the rest, or the rest is too old by then.
 */
const MOST_BYTES = 16_000_000;

type FeedRow = { readonly node: string; readonly number: number; readonly entries: string };

/**
 * Feeds in an unlogged table, which the engine empties after a crash; its content need not be
 * exact. Each node numbers its publications, so a reader remembers only one number per other node.
 */
export function createPostgresNodeFeeds(calls: DatabaseConnections): () => NodeFeed {
  return () => {
    const node = randomUUID();
    const last = new Map<string, number>();
    let number = 0;
    return {
      publish: async (entries) => {
        if (entries.length === 0) return;
        number += 1;
        await calls.write("INSERT INTO node_entries (node, number, entries) VALUES ($1, $2, $3)", [
          node,
          number,
          JSON.stringify(entries),
        ]);
      },
      receive: async () => {
        const known = JSON.stringify([...last].map(([node, number]) => ({ node, number })));
        const { rows } = await calls.read<FeedRow>(
          `SELECT node, number, entries FROM (
              SELECT node, number, entries, at,
                sum(octet_length(entries)) OVER (ORDER BY at, number, node) - octet_length(entries) AS before
              FROM node_entries AS told
              WHERE node <> $1 AND at > clock_timestamp() - $2::INTERVAL AND NOT EXISTS (
                SELECT FROM jsonb_to_recordset($3) AS known (node TEXT, number BIGINT)
                WHERE known.node = told.node AND known.number >= told.number)) AS news
            WHERE before < $4 ORDER BY at, number, node`,
          [node, MEMORY, known, MOST_BYTES],
        );
        for (const row of rows) last.set(row.node, Math.max(last.get(row.node) ?? 0, row.number));
        return rows.flatMap(({ entries }) => JSON.parse(entries) as string[]);
      },
      agreeOnDayKey: async (day, proposed) => {
        const { rows } = await calls.write<{ readonly wrapped: Uint8Array }>(
          `WITH gone AS (DELETE FROM day_keys WHERE day < least($1, ${DATABASE_NOW_MS} / ${DAY_MS}) - 1)
            INSERT INTO day_keys (day, wrapped) VALUES ($1, $2)
            ON CONFLICT (day) DO UPDATE SET day = excluded.day RETURNING wrapped`,
          [day, proposed],
        );
        const [row] = rows;
        if (row === undefined) throw new Error("the database did not return the key of the day");
        return row.wrapped;
      },
    };
  };
}
