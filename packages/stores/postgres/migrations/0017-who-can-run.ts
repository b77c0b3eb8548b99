/**
 * How many steps a program must know to run after a step (`../engine/postgres-migrations.ts`);
 * null: that step.
 */
export const LEAST_KNOWN_COLUMN = "ALTER TABLE migrations ADD COLUMN least_known BIGINT;";
