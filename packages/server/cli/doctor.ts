import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { WEIGHTS_VERSION } from "@stile/risk/weights";
import { type DatabaseFinding, inspectDatabase } from "@stile/stores/sqlite/engine/database-file";
import { MIGRATIONS } from "@stile/stores/sqlite/engine/migrate";
import { type Config, isLoopback } from "../config.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory.ts";
import { openCountryDatabase } from "../http/country-database.ts";
import { isLoopbackHost } from "../http/dashboard/own-origin.ts";
import { checkInstallation, checkMasterKey } from "../installation.ts";
import { explainFault } from "../operator-faults.ts";
import { readFlagWeights, type WeightsInForce } from "../risk/flag-weights-file.ts";
import { NETWORK_KINDS, openNetworkLists } from "../risk/network-list-files.ts";
import { openOperatorStore } from "./operator-ports.ts";

/** One thing that was looked at. `warn` works but should be mended; `fail` does not work. */
type Finding = { readonly level: "ok" | "warn" | "fail"; readonly text: string };

const OLDEST_NODE = 24;
const OTHERS_MAY = 0o077;

function ok(text: string): Finding {
  return { level: "ok", text };
}

function checkRuntime(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= OLDEST_NODE) return ok(`Node ${process.versions.node}`);
  return {
    level: "fail",
    text: `Node ${process.versions.node} is too old; run "npm start", which brings a newer one.`,
  };
}

function checkPermissions(path: string): Finding {
  if (!existsSync(path)) return ok(`${path} does not exist yet`);
  const isOpen = process.platform !== "win32" && (statSync(path).mode & OTHERS_MAY) !== 0;
  if (!isOpen) return ok(`${path} is readable by its owner only`);
  return { level: "warn", text: `${path} can be read by others. Run: chmod go-rwx "${path}"` };
}

function checkServer(directory: DataDirectory): Finding {
  if (!directory.isServed()) return ok("No server runs on this data directory");
  const address = directory.servedAt();
  return ok(`A server runs on this data directory${address === undefined ? "" : `, at ${address}`}`);
}

function checkKeys(config: Config, directory: DataDirectory, finding: DatabaseFinding): Finding {
  const count = finding.kind === "installation" ? finding.serviceKeys.length : 0;
  if (count === 0) return ok("No service keys yet; the first start makes one");
  checkMasterKey(directory, config.masterKey, finding);
  return ok(`The master key opens the service keys (${count})`);
}

async function checkContent(config: Config, directory: DataDirectory): Promise<Finding[]> {
  const store = await openOperatorStore(config, directory);
  try {
    await store.ping();
    const { engine, durability, detail } = await store.describe();
    const accounts = await store.sites.listAccounts();
    const sites = await Promise.all(accounts.map((account) => store.sites.listSites(account.accountId)));
    const living = sites.flat().filter((site) => site.deletedAtMs === null);
    return [
      ok(`Store ${engine}, durability ${durability} (${detail})`),
      ok(`${accounts.length} accounts, ${living.length} sites`),
    ];
  } finally {
    await store.close();
  }
}

const OLDER: Finding = {
  level: "warn",
  text: "The database was written by an older version of Stile. The next start upgrades it, after a copy of it beside it.",
};

/** Looks and makes nothing: no key, which could be another one than the server is started with, and no newer tables. */
async function checkStore(config: Config, directory: DataDirectory): Promise<Finding[]> {
  // Opening it holds the master key against its keys, too.
  if (config.databaseUrl !== undefined) return await checkContent(config, directory);
  checkInstallation(directory, false);
  if (!existsSync(directory.databaseFile)) return [ok('Nothing is stored yet; "npm start" makes the store')];
  const finding = inspectDatabase(directory.databaseFile, true);
  if (finding.kind === "damaged") {
    const text = `The database is damaged (${finding.detail}). Restore a backup: npm run stile -- restore FILE`;
    return [{ level: "fail", text }];
  }
  const isOlder = finding.kind === "installation" && finding.step < MIGRATIONS.length;
  return [
    ok("Every page of the database is sound"),
    ...(isOlder ? [OLDER] : await attempt(() => checkContent(config, directory), directory)),
    ...(await attempt(() => [checkKeys(config, directory, finding)], directory)),
  ];
}

function checkRisk(directory: DataDirectory): Finding[] {
  const lists = openNetworkLists(directory);
  const sizes = NETWORK_KINDS.map((kind) => `${kind} ${lists.sizeOf(kind)}`).join(", ");
  const weights = readFlagWeights(directory);
  const table = `the table, version ${WEIGHTS_VERSION} (${weights.hash})`;
  const judged = {
    table: ok(`Flags weigh by ${table}`),
    own: ok(`Flags weigh by your own weights (${weights.hash})`),
    outdated: {
      level: "warn",
      text: `Your own weights were fitted around another table and are not used; flags weigh by ${table}. Run "npm run stile -- risk train" again.`,
    },
  } as const satisfies Record<WeightsInForce["kind"], Finding>;
  return [ok(`Networks listed: ${sizes}`), judged[weights.kind]];
}

function checkAddress(config: Config): Finding {
  if (config.baseUrl === undefined) {
    const text = "STILE_BASE_URL is not set. Set it to the address browsers use, such as https://stile.example.org.";
    return isLoopback(config.host)
      ? ok("Runs on this machine only (STILE_BASE_URL is not set)")
      : { level: "warn", text };
  }
  if (config.baseUrl.startsWith("https:")) return ok(`Browsers reach it at ${config.baseUrl}`);
  return { level: "warn", text: `${config.baseUrl} is not encrypted. Put a TLS proxy before the service.` };
}

/**
 * A running server's record is of its own settings, and a start forgets the record of the one before. Without a server, the record
 * says nothing of proxies that were declared since.
 */
function checkProxies(config: Config, directory: DataDirectory): Finding {
  const record = directory.undeclaredProxy();
  if (record === undefined) return ok("No undeclared proxy was seen");
  const seen = `(last ${new Date(record.seenAtMs).toISOString()})`;
  const isOutdated = !directory.isServed() && !isDeepStrictEqual(record.trustedProxies, config.trustedProxies.rules);
  if (isOutdated) {
    return ok(
      `An undeclared proxy was seen ${seen}; STILE_TRUSTED_PROXIES has changed since, and the next start looks anew`,
    );
  }
  const text =
    `A proxy on a private address forwarded visitors ${seen} but is not in STILE_TRUSTED_PROXIES, so tokens are not ` +
    "bound to addresses and all visitors share one limit. Add the proxy's address and start the server anew.";
  return { level: "warn", text };
}

function checkDemo(config: Config, directory: DataDirectory): Finding {
  if (!config.isDemoOn) return ok("The demo is off");
  const { host, baseUrl, trustedProxies } = config;
  const isPublicUrl = baseUrl !== undefined && !isLoopbackHost(new URL(baseUrl).hostname);
  const hasProxy = trustedProxies.rules.length > 0 || directory.undeclaredProxy() !== undefined;
  if (isLoopback(host) && !isPublicUrl && !hasProxy) return ok("The demo is on, for this machine only");
  const text = "The demo is on, and strangers may reach it. It is made for trying out. Set STILE_DEMO=off.";
  return { level: "warn", text };
}

async function checkCountries({ countryDatabase }: Config): Promise<Finding[]> {
  if (countryDatabase === undefined) return [ok("Countries are not counted (STILE_COUNTRY_DATABASE is not set)")];
  const { title } = await openCountryDatabase(countryDatabase);
  return [ok(`Countries are counted by ${countryDatabase}, ${title()}`)];
}

async function attempt(check: () => Promise<Finding[]> | Finding[], { path }: DataDirectory): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [{ level: "fail", text: explainFault(error, path) }];
  }
}

/** Checks what an operator can get wrong, prints a line each, and answers 1 if something does not work (D16). */
export async function doctor(config: Config): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  const findings = [
    checkRuntime(),
    checkPermissions(config.dataDirectory),
    checkPermissions(join(config.dataDirectory, "master.key")),
    ...(await attempt(() => [checkServer(directory)], directory)),
    ...(await attempt(() => checkStore(config, directory), directory)),
    ...(await attempt(() => checkRisk(directory), directory)),
    checkAddress(config),
    ...(await attempt(() => [checkProxies(config, directory), checkDemo(config, directory)], directory)),
    ...(await attempt(() => checkCountries(config), directory)),
  ];
  for (const { level, text } of findings) process.stdout.write(`${level.padEnd(4)}  ${text}\n`);
  const failures = findings.filter((finding) => finding.level === "fail").length;
  process.stdout.write(failures === 0 ? "\nNothing is broken.\n" : `\n${failures} to mend.\n`);
  return failures === 0 ? 0 : 1;
}
