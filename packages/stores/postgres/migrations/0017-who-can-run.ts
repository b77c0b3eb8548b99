/** How many steps a program must know to run on what a step left (`../engine/postgres-migrations.ts`); null: it must know that step. */
export const LEAST_KNOWN_COLUMN = "ALTER TABLE migrations ADD COLUMN least_known BIGINT;";
