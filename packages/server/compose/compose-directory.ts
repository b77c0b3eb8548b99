import type { Config } from "../config/config.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory/data-directory.ts";
import { checkInstallation, checkMasterKey } from "../data-directory/installation.ts";
import { waitForPredecessor } from "../lifecycle/predecessor.ts";
import type { Logger } from "../telemetry/log.ts";

/** Takes the data directory for this process: waits for one that hands its socket over, looks for room, and locks it. */
export async function takeDirectory(config: Config, log: Logger): Promise<DataDirectory> {
  const directory = openDataDirectory(config.dataDirectory);
  if (config.descriptor !== undefined) await waitForPredecessor(directory, log);
  directory.checkRoom();
  directory.lock();
  return directory;
}

/** Throws where a start would begin anew beside the traces of an installation, or its keys are under another master key. */
export function checkDirectory(
  directory: DataDirectory,
  { masterKey, databaseUrl }: Config,
  mayBeginAnew: boolean,
): void {
  // A database that is shared is looked into once it is open (`compose-store`).
  if (databaseUrl !== undefined) return;
  checkMasterKey(directory, masterKey, checkInstallation(directory, mayBeginAnew));
}
