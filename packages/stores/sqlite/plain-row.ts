/**
 * A row as an ordinary object: those of node:sqlite have no prototype and would differ from what was written. `Row` is
 * what the query selects; the tables are STRICT, so that the columns have the types they were declared with.
 */
export function toPlainRow<Row>(row: object): Row {
  return { ...row } as Row;
}
