import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { MOVED_TABLES } from "../move/copy-tables.ts";

/** Runs `work` with a client of that database. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return await work(client).finally(() => client.end());
}

function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A value as text that is the same for both engines. */
function toPlain(value: unknown): string {
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("hex"));
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "object") return JSON.stringify(value, sortKeys);
  if (typeof value !== "string") return JSON.stringify(value);
  if (/^[[{]/.test(value)) return JSON.stringify(JSON.parse(value), sortKeys);
  return JSON.stringify(/^\d+$/.test(value) ? Number(value) : value);
}

/**
 * The names of the columns, and each row's values in their order. Compact, because there are
 * hundreds of thousands of rows.
 */
function toPlainRows(rows: readonly object[]): readonly string[] {
  const names = Object.keys(rows[0] ?? {}).sort();
  const plain = (row: Readonly<Record<string, unknown>>): string =>
    names.map((name) => toPlain(row[name])).join();
  return [
    names.join(),
    ...rows.map((row) => plain(row as Readonly<Record<string, unknown>>)).sort(),
  ];
}

/**
 * Throws if a moved table does not have the same rows in SQLite and in PostgreSQL. Returns each
 * table's number of rows.
 */
export async function assertSameRows(
  file: string,
  url: string,
): Promise<ReadonlyMap<string, number>> {
  const source = new DatabaseSync(file, { readOnly: true });
  const counts = new Map<string, number>();
  try {
    for (const table of MOVED_TABLES) {
      const here = source.prepare(`SELECT * FROM ${table}`).all() as object[];
      const where = table === "sweep_horizons" ? " WHERE swept_until_ms >= 0" : "";
      const there = await withClient(
        url,
        async (client) => (await client.query(`SELECT * FROM ${table}${where}`)).rows,
      );
      assert.deepEqual(toPlainRows(there as object[]), toPlainRows(here), table);
      counts.set(table, here.length);
    }
    return counts;
  } finally {
    source.close();
  }
}
