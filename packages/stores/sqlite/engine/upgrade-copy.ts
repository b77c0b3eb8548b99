import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { removeDraft } from "../../private-draft.ts";
import { MIGRATIONS } from "../schema/sqlite-schema.ts";
import { copyDatabase, inspectDatabase, readStep } from "./database-file.ts";

/** The number of copies kept. If there is one more, the oldest is removed. */
export const KEPT_COPIES = 3;

const PRIVATE_FILE = 0o600;
const DIGITS = 4;

/**
 * The database is of an older version and could not be copied, so it was not upgraded. The message
 * says what to do.
 */
export class UpgradeRefused extends Error {
  override readonly name = "UpgradeRefused";
}

const prefixOf = (file: string): string => `${file}.before-upgrade-`;

/** Names of the copies next to the database, oldest first. */
function listCopies(file: string): readonly string[] {
  const isCopy = (name: string): boolean =>
    new RegExp(`^\\d{${DIGITS}}$`).test(afterPrefix(file, name));
  return readdirSync(dirname(file)).filter(isCopy).toSorted();
}

/**
 * The newest copy next to the database on which this version can start; undefined if there is none.
 */
export function findUpgradeCopy(file: string): string | undefined {
  const name = listCopies(file).findLast(
    (copy) => Number(afterPrefix(file, copy)) <= MIGRATIONS.length + 1,
  );
  return name && join(dirname(file), name);
}

function removeOldest(file: string): void {
  for (const name of listCopies(file).slice(0, -KEPT_COPIES))
    rmSync(join(dirname(file), name), { force: true });
}

function afterPrefix(file: string, name: string): string {
  const prefix = basename(prefixOf(file));
  return name.startsWith(prefix) ? name.slice(prefix.length) : "";
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Removes drafts of processes that were killed while copying. A draft with the number of this
 * process belongs to an earlier process, because this one has none yet.
 */
function removeAbandonedDrafts(file: string): void {
  const folder = dirname(file);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = /^\d+\.(\d+)\.part(?:-journal)?$/.exec(afterPrefix(file, name)) ?? [];
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    rmSync(join(folder, name), { force: true });
  }
}

async function copySound(file: string, draft: string): Promise<void> {
  // Only its owner can read it, from the first byte on.
  closeSync(openSync(draft, "wx", PRIVATE_FILE));
  await copyDatabase(file, draft);
  const finding = inspectDatabase(draft, true);
  if ("detail" in finding) throw new Error(finding.detail);
  // A process in another container does not see this one, so it may have removed the draft as
  // abandoned.
  if (finding.kind === "missing") throw new Error("another process removed the copy");
}

/**
 * Copies a database that an older version wrote, before this version upgrades it. Reads the copy
 * back and returns its path, which ends in the number of the first step to apply. Returns undefined
 * if there is nothing to upgrade. `step` is the last step of the database.
 *
 * Also removes unfinished copies of killed processes. Throws UpgradeRefused if the copy can't be
 * made; nothing was changed then.
 */
export async function copyBeforeUpgrade(file: string, step: number): Promise<string | undefined> {
  removeAbandonedDrafts(file);
  if (step === 0 || step >= MIGRATIONS.length) return undefined;
  const copy = prefixOf(file) + String(step + 1).padStart(DIGITS, "0");
  const draft = `${copy}.${process.pid}.part`;
  try {
    await copySound(file, draft);
    // Another process may have copied and upgraded the database meanwhile.
    if (readStep(draft) !== step) return undefined;
    renameSync(draft, copy);
  } catch (cause) {
    throw new UpgradeRefused(
      `This version of Stile must upgrade ${file}, but can't write a copy next to it first ` +
        `(${(cause as Error).message}). Make room for it, or fix what it says, and start again. Nothing was changed.`,
      { cause },
    );
  } finally {
    removeDraft(draft);
  }
  removeOldest(file);
  return copy;
}
