import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** What columns can hold, so that no row is said to have a boolean or a list. */
type Columns<Row> = { readonly [Name in keyof Row]: string | number | Uint8Array | null };

/** A query by the values of its parameters, in their order or by name. */
type Ask<Answer> = {
  (...values: SQLInputValue[]): Answer;
  (values: Record<string, SQLInputValue>): Answer;
};

/** A prepared statement that answers with rows of a known shape. */
export type Select<Row> = {
  /** The first row; undefined if there is none. */
  readonly get: Ask<Row | undefined>;
  readonly all: Ask<Row[]>;
};

/**
 * Prepares a statement whose rows are what `Row` says: the one place where that is taken for true. The tables are STRICT, so that
 * columns have the types they were declared with.
 */
export function prepareSelect<Row extends Columns<Row>>(database: DatabaseSync, sql: string): Select<Row> {
  return database.prepare(sql) as Select<unknown> as Select<Row>;
}

/** The one row of a query that always has one; throws if it has none. */
export function selectOne<Row extends Columns<Row>>(database: DatabaseSync, sql: string): Row {
  const row = prepareSelect<Row>(database, sql).get();
  if (row === undefined) throw new Error(`no row came of: ${sql}`);
  return row;
}

/** A row as an ordinary object: those of node:sqlite have no prototype and would differ from what was written. */
export function toPlainRow<Row extends object>(row: Row): Row {
  return { ...row };
}
