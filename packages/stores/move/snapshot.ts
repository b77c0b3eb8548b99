import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

const snapshotFile = (file: string): string => `${file}.moving`;

/** Removes the snapshot, including one that a killed move left. */
export function removeSnapshot(file: string): void {
  for (const suffix of ["", "-journal"]) rmSync(snapshotFile(file) + suffix, { force: true });
}

/**
 * Writes a copy of the database's present state next to it, even while others write, and attaches
 * it as `snapshot`.
 */
export function attachSnapshot(source: DatabaseSync, file: string): void {
  removeSnapshot(file);
  source.prepare("VACUUM INTO ?").run(snapshotFile(file));
  source.prepare("ATTACH ? AS snapshot").run(snapshotFile(file));
}
