import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { Query } from "../postgres/engine/database.ts";
import { MARK_TABLES, type MarkTable, makePartitions } from "../postgres/engine/partitions.ts";
import { prepareSelect } from "../sqlite/engine/select.ts";

/**
 * The attached database to read rows from: `main` is its present state, `snapshot` its state when
 * the move began.
 */
export type SourceSchema = "main" | "snapshot";

/**
 * The source and target of a copy, and a callback that gets the number of copied rows of a table.
 */
export type Copying = {
  readonly source: DatabaseSync;
  readonly query: Query;
  readonly onRows: (table: string, rows: number) => void;
};

type CopiedRow = Readonly<Record<string, SQLOutputValue>>;
type Column = { readonly name: string; readonly type: string; readonly isKey: boolean };
type TableShape = { readonly name: string; readonly columns: readonly Column[] };

/** Rows per statement: a few hundred KB. */
const BATCH_ROWS = 1000;
const PARTITION_MS = 900_000;

/** Converts a value of SQLite to what the driver accepts for a column of that type. */
function toValue(value: SQLOutputValue | undefined, type: string): unknown {
  if (type === "boolean") return value === 1;
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

/**
 * The table as SQLite has it, with the types of its columns in PostgreSQL. Throws if a column is
 * missing there.
 */
async function readTable({ source, query }: Copying, name: string): Promise<TableShape> {
  const { rows } = await query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = $1::REGCLASS AND attnum > 0 AND NOT attisdropped`,
    [name],
  );
  const types = new Map(rows.map((column) => [column.name, column.type]));
  const select = prepareSelect<{ name: string; pk: number }>(
    source,
    "SELECT name, pk FROM pragma_table_info(?)",
  );
  const columns = select.all(name).map(({ name: column, pk }) => {
    const type = types.get(column);
    if (type === undefined)
      throw new Error(`the table ${name} has no column ${column} in PostgreSQL`);
    return { name: column, type, isKey: pk > 0 };
  });
  return { name, columns };
}

const isMarkTable = (table: string): table is MarkTable =>
  (MARK_TABLES as readonly string[]).includes(table);

/** Creates the partitions that the table's marks belong to. */
async function preparePartitions(
  { source, query }: Copying,
  table: MarkTable,
  schema: SourceSchema,
): Promise<void> {
  const periods = prepareSelect<{ period: number }>(
    source,
    `SELECT DISTINCT keep_until_ms / ${PARTITION_MS} AS period FROM ${schema}.${table}`,
  ).all();
  const moments = periods.map(({ period }) => period * PARTITION_MS);
  await makePartitions({ write: query }, table, moments);
}

const keysOf = ({ columns }: TableShape): readonly Column[] => columns.filter(({ isKey }) => isKey);
const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(", ");
const arraysOf = (columns: readonly Column[]): string =>
  columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(", ");
/** Sends the rows that `select` finds in SQLite, in batches, as arrays of these columns. */
async function sendRows(
  { source, query, onRows }: Copying,
  { name: table }: TableShape,
  columns: readonly Column[],
  { select, statement }: { readonly select: string; readonly statement: string },
): Promise<void> {
  let batch: CopiedRow[] = [];
  let sent = 0;
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    await query(
      statement,
      columns.map(({ name, type }) => batch.map((row) => toValue(row[name], type))),
    );
    sent += batch.length;
    batch = [];
    onRows(table, sent);
  };
  for (const row of source.prepare(select).iterate()) {
    batch.push(row);
    if (batch.length === BATCH_ROWS) await send();
  }
  await send();
}

/** A statement that writes rows over those with the same key. */
function writeStatement(table: TableShape): string {
  const { name, columns } = table;
  const others = columns.filter(({ isKey }) => !isKey);
  const change = others.map((column) => `${column.name} = excluded.${column.name}`).join(", ");
  return `INSERT INTO ${name} (${namesOf(columns)}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arraysOf(columns)})
    ON CONFLICT (${namesOf(keysOf(table))}) DO ${change === "" ? "NOTHING" : `UPDATE SET ${change}`}`;
}

/** Copies all rows of a table in that schema. */
export async function copyTable(
  copying: Copying,
  name: string,
  schema: SourceSchema,
): Promise<void> {
  const table = await readTable(copying, name);
  if (isMarkTable(name)) await preparePartitions(copying, name, schema);
  const select = `SELECT * FROM ${schema}.${name}`;
  await sendRows(copying, table, table.columns, { select, statement: writeStatement(table) });
}

/**
 * Brings a table that was copied from the snapshot to its present state: deletes rows that are gone
 * or differ, and writes those that are new or differ. SQLite compares whole rows by reading both
 * tables once, in the order of their keys, which are their first columns.
 */
export async function copyDifference(copying: Copying, name: string): Promise<void> {
  const table = await readTable(copying, name);
  const keys = keysOf(table);
  if (isMarkTable(name)) await preparePartitions(copying, name, "main");
  await sendRows(copying, table, keys, {
    select: `SELECT ${namesOf(keys)} FROM (SELECT * FROM snapshot.${name} EXCEPT SELECT * FROM main.${name})`,
    statement: `DELETE FROM ${name} USING unnest(${arraysOf(keys)}) AS gone (${namesOf(keys)})
      WHERE ${keys.map((key) => `${name}.${key.name} = gone.${key.name}`).join(" AND ")}`,
  });
  await sendRows(copying, table, table.columns, {
    select: `SELECT * FROM main.${name} EXCEPT SELECT * FROM snapshot.${name}`,
    statement: writeStatement(table),
  });
}
