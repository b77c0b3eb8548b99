import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Query } from "../postgres/engine/database.ts";
import { MARK_TABLES, type MarkTable, makePartitions } from "../postgres/engine/partitions.ts";
import { prepareSelect, selectOne } from "../sqlite/engine/select.ts";

/** Every table that is carried over, those first that others refer to. */
export const MOVED_TABLES = [
  ...["accounts", "sites", "secret_keys", "members", "passkeys", "sessions", "links", "audit_entries"],
  ...["service_keys", ...MARK_TABLES, "sweep_horizons", "rate_counts"],
  ...["statistics", "score_blocks", "decisions", "key_usage", "layout_banks", "layout_votes"],
] as const;

/** A table's rows here and there; the same, or the move fails. */
export type TableCount = { readonly table: string; readonly rows: number };

type Row = Readonly<Record<string, SQLOutputValue>>;
type Column = { readonly name: string; readonly type: string };

/** Rows that go in one statement: a few hundred KB. */
const BATCH_ROWS = 1000;
const PARTITION_MS = 900_000;

/** What the driver takes for a value of SQLite in a column of that type. */
function toValue(value: SQLOutputValue | undefined, type: string): unknown {
  if (type === "boolean") return value === 1;
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

/** The columns that SQLite has, with their types in PostgreSQL; throws if one is missing there. */
async function readColumns(source: DatabaseSync, query: Query, table: string): Promise<readonly Column[]> {
  const { rows } = await query<Column>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = $1::REGCLASS AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const names = prepareSelect<{ name: string }>(source, `SELECT name FROM pragma_table_info('${table}')`).all();
  return names.map(({ name }) => {
    const type = types.get(name);
    if (type === undefined) throw new Error(`the table ${table} has no column ${name} in PostgreSQL`);
    return { name, type };
  });
}

/** Makes the partitions in which the marks lie. */
async function preparePartitions(source: DatabaseSync, query: Query, table: MarkTable): Promise<void> {
  const periods = prepareSelect<{ period: number }>(
    source,
    `SELECT DISTINCT keep_until_ms / ${PARTITION_MS} AS period FROM ${table}`,
  ).all();
  const moments = periods.map(({ period }) => period * PARTITION_MS);
  await makePartitions({ write: query }, table, moments);
}

const isMarkTable = (table: string): table is MarkTable => (MARK_TABLES as readonly string[]).includes(table);

/** Copies a table whole; answers how many rows it has here, after it was counted there. */
async function copyTable(source: DatabaseSync, query: Query, table: string, onRows: (rows: number) => void) {
  const columns = await readColumns(source, query, table);
  if (isMarkTable(table)) await preparePartitions(source, query, table);
  // The migrations put two rows there, which say that nothing was swept.
  if (table === "sweep_horizons") {
    await query("DELETE FROM sweep_horizons WHERE mark_table = ANY($1)", [
      prepareSelect<{ name: string }>(source, "SELECT mark_table AS name FROM sweep_horizons")
        .all()
        .map(({ name }) => name),
    ]);
  }
  const insert = `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")}) OVERRIDING SYSTEM VALUE
    SELECT * FROM unnest(${columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(", ")})`;
  let batch: Row[] = [];
  let copied = 0;
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    await query(
      insert,
      columns.map(({ name, type }) => batch.map((row) => toValue(row[name], type))),
    );
    copied += batch.length;
    batch = [];
    onRows(copied);
  };
  for (const row of source.prepare(`SELECT * FROM ${table}`).iterate()) {
    batch.push(row);
    if (batch.length === BATCH_ROWS) await send();
  }
  await send();
  return copied;
}

/** Throws where the two do not have the same number of rows. */
async function compareCounts(source: DatabaseSync, query: Query, table: string): Promise<TableCount> {
  const { rows: here } = selectOne<{ rows: number }>(source, `SELECT count(*) AS rows FROM ${table}`);
  // Two horizons stand there from the beginning, and here only once something was swept.
  const known = table === "sweep_horizons" ? " WHERE swept_until_ms >= 0" : "";
  const { rows: counted } = await query<{ there: number }>(`SELECT count(*) AS there FROM ${table}${known}`);
  const there = counted[0]?.there ?? 0;
  if (here !== there) throw new Error(`the table ${table} has ${here} rows in SQLite and ${there} in PostgreSQL`);
  return { table, rows: here };
}

/**
 * Copies all tables within the transaction of `query`, and compares the number of their rows. `onRows` is told how far a table is.
 * Throws where anything does not fit.
 */
export async function copyTables(
  source: DatabaseSync,
  query: Query,
  onRows: (table: string, rows: number) => void,
): Promise<readonly TableCount[]> {
  for (const table of MOVED_TABLES) await copyTable(source, query, table, (rows) => onRows(table, rows));
  // What comes next goes behind what was moved.
  await query(
    "SELECT setval(pg_get_serial_sequence('audit_entries', 'entry_id'), greatest(max(entry_id), 1), max(entry_id) IS NOT NULL) FROM audit_entries",
  );
  const counts: TableCount[] = [];
  for (const table of MOVED_TABLES) counts.push(await compareCounts(source, query, table));
  return counts;
}
