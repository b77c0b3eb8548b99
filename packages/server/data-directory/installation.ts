import { existsSync, statSync } from "node:fs";
import type { Store } from "@stile/core/ports/store";
import { type DatabaseFinding, inspectDatabase } from "@stile/stores/sqlite/engine/database-file";
import { NewerDatabase, refuseNewer } from "@stile/stores/sqlite/engine/migrate";
import { findUpgradeCopy } from "@stile/stores/sqlite/engine/upgrade-copy";
import { COMMAND_LINE } from "../command-line.ts";
import { checkNewestKey, unwrapServiceKey } from "../cryptography/service-keys.ts";
import { WrongMasterKey } from "../cryptography/wrapped-key.ts";
import type { DataDirectory } from "./data-directory.ts";
import { DataDirectoryProblem } from "./data-directory-problem.ts";

/**
 * Up to this size, a start reads every page of the database: 1 ms per MB, 2 from a cold disk.
 * `doctor` always does.
 */
const READ_AT_START_BYTES = 268_435_456;

function explainMissing(directory: DataDirectory, finding: DatabaseFinding, trace: string): string {
  const state =
    finding.kind === "missing"
      ? "is missing"
      : "is empty, as it is when its -wal file was left behind";
  if (existsSync(directory.markFile)) {
    return (
      `${directory.databaseFile} ${state}, but ${directory.markFile} is of a node on PostgreSQL. Set STILE_DATABASE_URL to where ` +
      "its installation is, or begin a new installation on purpose with --new."
    );
  }
  return (
    `${directory.databaseFile} ${state}, but ${trace} belongs to an installation. Put its database back ` +
    `("${COMMAND_LINE} restore FILE"), or begin a new installation on purpose with --new.`
  );
}

function explainMove({ path, databaseFile }: DataDirectory, isDone: boolean): string {
  if (!isDone) {
    return (
      `A move of the installation of ${path} to PostgreSQL was not finished. Run it again, with the same address: it finishes the ` +
      `move, or undoes it and starts again (${COMMAND_LINE} move).`
    );
  }
  return (
    `The installation of ${path} was moved to PostgreSQL. Set STILE_DATABASE_URL to where it was moved; or, to go back to what was ` +
    `moved, run: ${COMMAND_LINE} restore ${databaseFile}`
  );
}

/**
 * Throws NewerDatabase if a later version wrote the database, and names the copy that the upgrade
 * left, if any.
 */
function refuseLater(databaseFile: string, step: number): void {
  try {
    refuseNewer(step);
  } catch (cause) {
    const copy = findUpgradeCopy(databaseFile);
    if (copy === undefined) throw cause;
    const advice = `Such a one is from before the upgrade: ${COMMAND_LINE} restore ${copy}`;
    throw new NewerDatabase(`${(cause as Error).message} ${advice}`, { cause });
  }
}

/**
 * Like `lookAtInstallation`, but also throws DataDirectoryProblem if the installation was moved
 * away.
 */
export function checkInstallation(
  directory: DataDirectory,
  mayCreateNew: boolean,
): DatabaseFinding {
  const finding = lookAtInstallation(directory, mayCreateNew);
  refuseMoved(directory, finding);
  return finding;
}

/** Throws DataDirectoryProblem if the installation was moved away, or may have been. */
export function refuseMoved(directory: DataDirectory, finding: DatabaseFinding): void {
  if (finding.kind !== "installation" || finding.move === undefined) return;
  throw new DataDirectoryProblem(explainMove(directory, finding.move.isDone));
}

/**
 * Checks the files before the database is opened, and changes nothing. Throws DataDirectoryProblem
 * if the database or the demo's keys are damaged; if the file has a second name, since SQLite locks
 * by names; or if a start would silently replace an installation whose database is lost by a new
 * one. Throws NewerDatabase if a later version wrote it.
 */
export function lookAtInstallation(
  directory: DataDirectory,
  mayCreateNew: boolean,
): DatabaseFinding {
  const { databaseFile } = directory;
  const { size = 0, nlink = 1 } = statSync(databaseFile, { throwIfNoEntry: false }) ?? {};
  if (nlink > 1) {
    throw new DataDirectoryProblem(
      `${databaseFile} has a second name (a hard link). Another server could use it to write to the same file unnoticed. ` +
        `Give it a file of its own: cp -p ${databaseFile} ${databaseFile}.own && mv ${databaseFile}.own ${databaseFile}`,
    );
  }
  const finding = inspectDatabase(databaseFile, size <= READ_AT_START_BYTES);
  if (finding.kind === "damaged") {
    throw new DataDirectoryProblem(
      `${databaseFile} is damaged (${finding.detail}). Check STILE_DATA_DIR, or restore a backup: ${COMMAND_LINE} restore FILE`,
    );
  }
  if (finding.kind === "unreadable") {
    const advice = "Check its permissions and the disk, and that nothing else holds it.";
    throw new DataDirectoryProblem(`${databaseFile} can't be read (${finding.detail}). ${advice}`);
  }
  directory.readDemoKeys();
  if (finding.kind === "installation") {
    refuseLater(databaseFile, finding.step);
    return finding;
  }
  const [trace] = directory.listTraces();
  if (mayCreateNew || trace === undefined) return finding;
  throw new DataDirectoryProblem(explainMissing(directory, finding, trace));
}

/**
 * The same check for a database that other nodes may share, once it is open: is it the database
 * that the directory was used with? Throws DataDirectoryProblem if it is empty and the directory is
 * not, or if the master key is missing; WrongMasterKey if the key is another; ServiceKeysLost.
 */
export async function checkSharedStore(
  store: Pick<Store, "sites" | "serviceKeys">,
  directory: DataDirectory,
  masterKey: Uint8Array | undefined,
  mayCreateNew: boolean,
): Promise<void> {
  directory.readDemoKeys();
  const [first] = await store.sites.listAccounts();
  // Read before the keys, because another node may add one at this moment.
  const newestKeyId = await store.serviceKeys.newestKeyId();
  const serviceKeys = await store.serviceKeys.listServiceKeys();
  // Every node gets the master key before its first start. If that start was killed before it made
  // the account, it may have left a mark.
  const early =
    serviceKeys.length > 0
      ? [directory.masterKeyFile, directory.markFile]
      : [directory.masterKeyFile];
  const files = [directory.databaseFile, ...directory.listTraces()].filter(
    (file) => !early.includes(file),
  );
  const trace = files.find((file) => existsSync(file));
  if (first === undefined && trace !== undefined && !mayCreateNew) {
    throw new DataDirectoryProblem(
      `The database of STILE_DATABASE_URL is empty, but ${trace} belongs to an installation. Check STILE_DATABASE_URL and ` +
        "STILE_DATA_DIR, or begin a new installation on purpose with --new.",
    );
  }
  if (!mayCreateNew) checkNewestKey(serviceKeys, newestKeyId);
  checkMasterKey(directory, masterKey, { kind: "installation", step: 0, serviceKeys });
}

/** Throws ServiceKeysLost if the newest service key is missing. */
export function checkServiceKeys(finding: DatabaseFinding): void {
  if (finding.kind === "installation")
    checkNewestKey(finding.serviceKeys, finding.newestKeyId ?? 0);
}

/**
 * Compares the master key (`given` by the settings, or else the file's) with the keys in the store.
 * It makes no new key, because that would open nothing. Throws DataDirectoryProblem if the key is
 * missing, WrongMasterKey if it is another.
 */
export function checkMasterKey(
  directory: DataDirectory,
  given: Uint8Array | undefined,
  finding: DatabaseFinding,
): void {
  if (finding.kind !== "installation" || finding.serviceKeys.length === 0) return;
  const masterKey = given ?? directory.readMasterKey();
  if (masterKey === undefined) {
    throw new DataDirectoryProblem(
      `The master key ${directory.masterKeyFile} is missing, and the store has keys that only it opens. Copy it from another node or from your backup, or set STILE_MASTER_KEY.`,
    );
  }
  try {
    for (const key of finding.serviceKeys) unwrapServiceKey(masterKey, key);
  } catch (fault) {
    if (!(fault instanceof WrongMasterKey) || directory.readNextMasterKey() === undefined)
      throw fault;
    throw new DataDirectoryProblem(
      `The master key does not open the keys in the store, and ${directory.nextMasterKeyFile} is there: a change of the master key was interrupted, or STILE_MASTER_KEY is still the old one. Run this, which finishes it or says what to do: ${COMMAND_LINE} rekey`,
      { cause: fault },
    );
  }
}
