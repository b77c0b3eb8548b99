import { existsSync } from "node:fs";
import type { Reseal, SealedSecrets } from "@stile/core/ports/sealed-secrets";
import { rekeySqlite } from "@stile/stores/sqlite/engine/rekey-sqlite";
import type { Config } from "../config/config.ts";
import { opensKeys, resealSecrets } from "../cryptography/reseal-secrets.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { checkInstallation } from "../data-directory/installation.ts";
import { noInstallation } from "./no-installation.ts";

// How a change of the master key survives an interruption at any point:
//
// 1. The new key is written to master.key.next. The store is as before, and master.key opens it. A
//    second run continues.
// 2. One transaction seals everything under the new key and retires the service keys. From here on
//    master.key.next opens the store, and a start with master.key says so. A second run finds that,
//    and continues with step 3.
// 3. master.key gets a second name that is kept, then master.key.next takes its name, which is one
//    step for the file system. With STILE_MASTER_KEY the operator does this step: the file stays
//    until the service runs with its content.

type Rekeyed = (reseal: Reseal) => Promise<SealedSecrets | undefined>;

/** Works on the SQLite file while no server runs. Throws DataDirectoryProblem if one does. */
async function withSqlite<Result>(
  config: Config,
  directory: DataDirectory,
  work: (rekeyed: Rekeyed) => Promise<Result>,
): Promise<Result> {
  if (checkInstallation(directory, false).kind !== "installation") throw noInstallation(config);
  directory.lock();
  try {
    return await work(async (reseal) => rekeySqlite(directory.databaseFile, reseal));
  } finally {
    directory.unlock();
  }
}

/** Works on PostgreSQL. Throws DataDirectoryProblem if nodes run that must not. */
async function withPostgres<Result>(
  config: Config,
  { url, mayRun }: { readonly url: string; readonly mayRun: boolean },
  work: (rekeyed: Rekeyed) => Promise<Result>,
): Promise<Result> {
  const { inspectPostgres } = await import("@stile/stores/postgres/engine/inspect-postgres");
  const { rekeyPostgres } = await import("@stile/stores/postgres/engine/rekey-postgres");
  const { isEmpty, missing, sessions } = await inspectPostgres(url);
  if (isEmpty || missing.length > 0) throw noInstallation(config);
  if (sessions > 0 && !mayRun) {
    throw new DataDirectoryProblem(
      "A node or a command is connected to the database. Stop all nodes, and run this again.",
    );
  }
  return await work((reseal) => rekeyPostgres(url, reseal));
}

function withStore<Result>(
  config: Config,
  directory: DataDirectory,
  mayRun: boolean,
  work: (rekeyed: Rekeyed) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl: url } = config;
  return url === undefined
    ? withSqlite(config, directory, work)
    : withPostgres(config, { url, mayRun }, work);
}

const say = (...lines: readonly string[]): void =>
  void process.stdout.write(`${lines.join("\n")}\n`);

const REFUSED =
  "Tokens and challenges issued before are refused. Visitors who have one get a new one.";

async function retireKeys(rekeyed: Rekeyed): Promise<number> {
  const written = await rekeyed((secrets) => secrets);
  say(`Retired the service keys (${written?.serviceKeys.length ?? 0}). ${REFUSED}`);
  return 0;
}

/** The last step: gives the key files their final names, and reports what is left to do. */
function finish({ masterKey }: Config, directory: DataDirectory): void {
  const { masterKeyFile, nextMasterKeyFile } = directory;
  if (masterKey === undefined) {
    const kept = directory.useNextMasterKey();
    say(
      `${masterKeyFile} contains the new master key. Copy it to every other node, and to where you keep the key for your backups.`,
      `${kept} contains the old one. Older backups need it, and anyone who has both an older backup and this file can read the backup. Remove the file when you no longer need those backups.`,
    );
    return;
  }
  say(
    `${nextMasterKeyFile} contains the new master key. Put its content into STILE_MASTER_KEY on every node, or name a copy of it in STILE_MASTER_KEY_FILE. Remove the file when the service runs with the new key.`,
    "Keep the old key with the older backups, which need it.",
  );
}

async function changeKey(
  config: Config,
  directory: DataDirectory,
  rekeyed: Rekeyed,
): Promise<number> {
  const present = config.masterKey ?? directory.readMasterKey();
  if (present === undefined) {
    throw new DataDirectoryProblem(
      `The master key ${directory.masterKeyFile} is missing. Copy it from another node or from your backup, or set STILE_MASTER_KEY.`,
    );
  }
  const next = directory.readNextMasterKey() ?? directory.makeNextMasterKey();
  const written = await rekeyed((secrets) =>
    opensKeys(next, secrets) ? undefined : resealSecrets(secrets, present, next),
  );
  if (written === undefined)
    say("An earlier run has already sealed everything under the new master key.");
  else {
    say(
      `Sealed ${written.serviceKeys.length} service keys and ${written.memberSecrets.length} authenticator secrets under a new master key. ${REFUSED}`,
      "Browsers that were known at sign-in now count as new.",
    );
  }
  finish(config, directory);
  return 0;
}

/**
 * Changes the master key, or with `serviceKeysOnly` only retires the service keys (D4, sealed
 * token; D16, operator). Throws DataDirectoryProblem if a server runs, or if there is nothing to
 * change; WrongMasterKey if the present key does not open the store.
 */
export async function rekey(config: Config, serviceKeysOnly: boolean): Promise<number> {
  if (config.databaseUrl === undefined && !existsSync(config.dataDirectory))
    throw noInstallation(config);
  const directory = openDataDirectory(config.dataDirectory);
  return await withStore(config, directory, serviceKeysOnly, (rekeyed) =>
    serviceKeysOnly ? retireKeys(rekeyed) : changeKey(config, directory, rekeyed),
  );
}
