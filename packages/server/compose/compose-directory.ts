import type { Config } from "../config/config.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory/data-directory.ts";
import {
  checkInstallation,
  checkMasterKey,
  checkServiceKeys,
} from "../data-directory/installation.ts";
import { waitForPredecessor } from "../lifecycle/predecessor.ts";
import type { Logger } from "../telemetry/log.ts";

/**
 * Takes the data directory for this process: waits for a predecessor with the same socket, checks
 * that the disk has room, and takes the lock.
 */
export async function takeDirectory(config: Config, log: Logger): Promise<DataDirectory> {
  const directory = openDataDirectory(config.dataDirectory);
  if (config.descriptor !== undefined) await waitForPredecessor(directory, log);
  directory.checkRoom();
  directory.lock();
  return directory;
}

/**
 * Throws if a start would begin a new installation although the directory has traces of another, or
 * if its keys belong to another master key.
 */
export function checkDirectory(
  directory: DataDirectory,
  { masterKey, databaseUrl }: Config,
  mayCreateNew: boolean,
): void {
  // A shared database is checked once it is open (`compose-store`).
  if (databaseUrl !== undefined) return;
  const finding = checkInstallation(directory, mayCreateNew);
  if (!mayCreateNew) checkServiceKeys(finding);
  checkMasterKey(directory, masterKey, finding);
}
