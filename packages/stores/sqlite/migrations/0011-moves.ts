/**
 * Where the installation is moved to (`../../move/move-mark.ts`): '' while it serves from here,
 * else the other database, and whether that surely has it. NULL: the server that last began is of a
 * version that would not notice a move.
 */
export const MOVE_COLUMNS = `
ALTER TABLE generations ADD COLUMN moves_to TEXT;
ALTER TABLE generations ADD COLUMN is_moved INTEGER NOT NULL DEFAULT 0;
`;
