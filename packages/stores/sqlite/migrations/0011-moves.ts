/**
 * Where the installation is moved to (`../../move/move-mark.ts`): '' while it serves from here, else the other database, and whether that has it for
 * sure. NULL: the server that began last is of a version that would not notice.
 */
export const MOVE_COLUMNS = `
ALTER TABLE generations ADD COLUMN moves_to TEXT;
ALTER TABLE generations ADD COLUMN is_moved INTEGER NOT NULL DEFAULT 0;
`;
