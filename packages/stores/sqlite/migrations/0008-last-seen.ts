/**
 * The newest time that a server knew while it wrote to this database: a later start never uses an
 * earlier time.
 */
export const LAST_SEEN_COLUMN = `
ALTER TABLE generations ADD COLUMN seen_ms INTEGER NOT NULL DEFAULT 0;
`;
