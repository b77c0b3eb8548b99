import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** The types that columns can hold, so that no row type can claim a boolean or a list. */
type ColumnsOf<Row> = { readonly [Name in keyof Row]: string | number | Uint8Array | null };

/** Runs a query with the values of its parameters, by position or by name. */
type RunSelect<Answer> = {
  (...values: SQLInputValue[]): Answer;
  (values: Record<string, SQLInputValue>): Answer;
};

/** A prepared statement whose rows have a known shape. */
export type Select<Row> = {
  /** The first row; undefined if there is none. */
  readonly get: RunSelect<Row | undefined>;
  readonly all: RunSelect<Row[]>;
};

/**
 * Prepares a statement whose rows have the type `Row`. Only here is that type taken on trust. The
 * tables are STRICT, so columns have their declared types.
 */
export function prepareSelect<Row extends ColumnsOf<Row>>(
  database: DatabaseSync,
  sql: string,
): Select<Row> {
  return database.prepare(sql) as Select<unknown> as Select<Row>;
}

/** The one row of a query that always has one; throws if it has none. */
export function selectOne<Row extends ColumnsOf<Row>>(database: DatabaseSync, sql: string): Row {
  const row = prepareSelect<Row>(database, sql).get();
  if (row === undefined) throw new Error(`the query must have a row, but has none: ${sql}`);
  return row;
}

/**
 * A row as an ordinary object. The rows of node:sqlite have no prototype, so they would not equal
 * the written value.
 */
export function toPlainRow<Row extends object>(row: Row): Row {
  return { ...row };
}
