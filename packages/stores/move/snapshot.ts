import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

const snapshotFile = (file: string): string => `${file}.moving`;

/** Removes it, also one that a killed move left. */
export function removeSnapshot(file: string): void {
  for (const suffix of ["", "-journal"]) rmSync(snapshotFile(file) + suffix, { force: true });
}

/** Puts a copy of the database as it is at this moment beside it, whoever writes meanwhile, and attaches it as `snapshot`. */
export function attachSnapshot(source: DatabaseSync, file: string): void {
  removeSnapshot(file);
  source.prepare("VACUUM INTO ?").run(snapshotFile(file));
  source.prepare("ATTACH ? AS snapshot").run(snapshotFile(file));
}
