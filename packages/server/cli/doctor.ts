import { existsSync } from "node:fs";
import type { Finding } from "@stile/protocol/dashboard-api";
import { type DatabaseFinding, inspectDatabase } from "@stile/stores/sqlite/engine/database-file";
import type { Config } from "../config/config.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory/data-directory.ts";
import {
  checkInstallation,
  checkMasterKey,
  checkServiceKeys,
} from "../data-directory/installation.ts";
import { diagnoseSettings, diagnoseStore, diagnoseTime, ok } from "../diagnosis/diagnosis.ts";
import { countries } from "../optional/countries/countries.ts";
import { signedBots } from "../optional/signed-bots/signed-bots.ts";
import { checkDemoKeys } from "./check-demo-keys.ts";
import { checkRisk } from "./check-risk.ts";
import { damagedTables, hasOlderTables, OLDER } from "./check-tables.ts";
import { attempt, print } from "./findings.ts";
import { openOperatorStore } from "./operator-ports.ts";

const OLDEST_NODE = 24;

function checkRuntime(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= OLDEST_NODE) return ok(`Node ${process.versions.node}`);
  return {
    level: "fail",
    text: `Node ${process.versions.node} is too old.`,
    fix: 'Run "npm start", which installs a newer version.',
  };
}

function checkServer(directory: DataDirectory): Finding {
  if (!directory.isServed()) return ok("No server is running on this data directory");
  const address = directory.servedAt();
  return ok(
    `A server is running on this data directory${address === undefined ? "" : `, at ${address}`}`,
  );
}

function checkKeys(config: Config, directory: DataDirectory, finding: DatabaseFinding): Finding {
  checkServiceKeys(finding);
  const count = finding.kind === "installation" ? finding.serviceKeys.length : 0;
  if (count === 0) return ok("There are no service keys yet; the first start creates one");
  checkMasterKey(directory, config.masterKey, finding);
  return ok(`The master key opens the service keys (${count})`);
}

const countOf = ({ length }: readonly unknown[], word: string): string =>
  `${length} ${word}${length === 1 ? "" : "s"}`;

async function checkContent(config: Config, directory: DataDirectory): Promise<Finding[]> {
  const store = await openOperatorStore(config, directory);
  try {
    await store.ping();
    const accounts = await store.sites.listAccounts();
    const sites = await Promise.all(
      accounts.map((account) => store.sites.listSites(account.accountId)),
    );
    const living = sites.flat().filter((site) => site.deletedAtMs === null);
    return [
      ...diagnoseStore(await store.describe()),
      ...diagnoseTime(await store.housekeeping.newestMs(), Date.now()),
      ok(`${countOf(accounts, "account")}, ${countOf(living, "site")}`),
      ...(await checkDemoKeys(store, directory)),
    ];
  } finally {
    await store.close();
  }
}

/** Only reads: unlike a first start or an upgrade, it creates nothing. */
async function checkSharedStore(
  config: Config,
  url: string,
  directory: DataDirectory,
): Promise<Finding[]> {
  const { inspectPostgres } = await import("@stile/stores/postgres/engine/inspect-postgres");
  const { checkTables } = await import("./check-shared-tables.ts");
  const finding = await inspectPostgres(url);
  const { step, description, servers } = finding;
  const other = checkTables(finding);
  if (other !== undefined) return [...servers, ...diagnoseStore(description), other];
  // Opening the store also compares the master key with its keys.
  const content = await attempt(() => checkContent(config, directory), directory);
  const isRead = content.every(({ level }) => level !== "fail");
  return [
    ...servers,
    ok(`The tables match this version (step ${step})`),
    ...(isRead ? [] : diagnoseStore(description)),
    ...content,
  ];
}

/**
 * Only reads, and creates nothing: no key, since the server may start with another one, and no
 * newer tables.
 */
async function checkStore(config: Config, directory: DataDirectory): Promise<Finding[]> {
  if (config.databaseUrl !== undefined)
    return await checkSharedStore(config, config.databaseUrl, directory);
  checkInstallation(directory, false);
  if (!existsSync(directory.databaseFile))
    return [ok("There is no store yet; the first start creates it")];
  const finding = inspectDatabase(directory.databaseFile, true);
  if (finding.kind === "damaged") return [damagedTables(finding.detail)];
  const isOlder = finding.kind === "installation" && hasOlderTables(finding.step);
  return [
    ok("No page of the database is damaged"),
    ...(isOlder ? [OLDER] : await attempt(() => checkContent(config, directory), directory)),
    ...(await attempt(() => [checkKeys(config, directory, finding)], directory)),
  ];
}

/** Options of `doctor`. */
export type DoctorOptions = { readonly json?: boolean };

/**
 * Checks everything that an operator can get wrong. Prints a line for each finding, or JSON.
 * Returns 1 if something fails (D16, operator).
 */
export async function doctor(
  config: Config,
  { json = false }: DoctorOptions = {},
): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  const findings = [
    checkRuntime(),
    ...(await attempt(() => [checkServer(directory)], directory)),
    ...(await attempt(() => checkStore(config, directory), directory)),
    ...(await attempt(() => checkRisk(directory), directory)),
    ...(await attempt(
      () => [...diagnoseSettings(config, directory, directory.isServed())],
      directory,
    )),
    ...(await attempt(() => countries.check(config), directory)),
    ...(await attempt(() => signedBots.check(config), directory)),
  ];
  const failures = findings.filter((finding) => finding.level === "fail").length;
  if (json) process.stdout.write(`${JSON.stringify({ failures, findings })}\n`);
  else print(findings, failures);
  return failures === 0 ? 0 : 1;
}
