/** The newest time that a server knew while it wrote to this database: a later start does not go behind it. */
export const LAST_SEEN_COLUMN = `
ALTER TABLE generations ADD COLUMN seen_ms INTEGER NOT NULL DEFAULT 0;
`;
