import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { prepareSelect } from "../sqlite/engine/select.ts";

/** The reason why nothing more is written to a database whose installation was moved. */
export const MOVED_AWAY =
  "the installation was moved to PostgreSQL: set STILE_DATABASE_URL to where it was moved and restart the service";
/** The reason while it is unknown whether the move was completed. */
export const MOVE_UNFINISHED =
  "a move of the installation to PostgreSQL was not finished: run it again, with the same address";

/**
 * The database that the installation is moved to, by its own identity, and whether the move is
 * known to be done.
 */
export type Move = { readonly to: string; readonly isDone: boolean };

type MoveRow = { readonly moves_to: string | null; readonly is_moved: number };

function readRow(database: DatabaseSync): MoveRow | undefined {
  const hasMark = database
    .prepare("SELECT 1 FROM pragma_table_info('generations') WHERE name = 'moves_to'")
    .get();
  return (
    hasMark && prepareSelect<MoveRow>(database, "SELECT moves_to, is_moved FROM generations").get()
  );
}

/**
 * The move that the database is marked with. Undefined if the database serves, or if its version
 * has no marks.
 */
export function readMove(database: DatabaseSync): Move | undefined {
  const row = readRow(database);
  return row?.moves_to ? { to: row.moves_to, isDone: row.is_moved === 1 } : undefined;
}

/** Whether the server that last began on the database checks the mark before it writes. */
export const heedsMoves = (database: DatabaseSync): boolean =>
  typeof readRow(database)?.moves_to === "string";

/**
 * Marks the database, within a transaction; after its commit, every writer is refused. Without a
 * move, it serves again.
 */
export function markMove(database: DatabaseSync, move: Move | undefined): void {
  const { changes } = database
    .prepare("UPDATE generations SET moves_to = ?, is_moved = ?")
    .run(move?.to ?? "", move?.isDone === true ? 1 : 0);
  if (changes !== 1) throw new Error("no server has ever run on this database");
}

/** Removes the mark from a copy that is to serve on its own. */
export function clearMove(database: DatabaseSync): void {
  if (readMove(database) !== undefined) markMove(database, undefined);
}

/**
 * Returns a check to call in each transaction that writes. It throws StoreUnavailable if the
 * database is marked.
 */
export function createMoveCheck(database: DatabaseSync): () => void {
  const select = prepareSelect<Pick<MoveRow, "is_moved">>(
    database,
    "SELECT is_moved FROM generations WHERE moves_to <> ''",
  );
  return () => {
    const row = select.get();
    if (row !== undefined)
      throw new StoreUnavailable(row.is_moved === 1 ? MOVED_AWAY : MOVE_UNFINISHED);
  };
}
