/**
 * Which start of the service wrote last, compared with a file beside the database
 * (`generation.ts`); and whether a service key is retired: what it sealed is from before a copy or
 * a restore.
 */
export const GENERATION_TABLES = `
CREATE TABLE generations (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL,
  file_identity TEXT NOT NULL,
  boot_id TEXT,
  is_stopped INTEGER NOT NULL
) STRICT;

ALTER TABLE service_keys ADD COLUMN is_retired INTEGER NOT NULL DEFAULT 0;
`;
