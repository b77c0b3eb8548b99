import { existsSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { StoreDescription } from "@stile/core/ports/store";
import type { Finding } from "@stile/protocol/dashboard-api";
import { readConnectionOptions } from "@stile/stores/postgres/engine/connection-options";
import { COMMAND_LINE } from "../command-line.ts";
import { type Config, isLoopback } from "../config/config.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { isLoopbackHost, isSecureOrigin } from "../http/dashboard/own-origin.ts";

const OTHERS_MAY = 0o077;

/** A finding that nothing is wrong. */
export const ok = (text: string): Finding => ({ level: "ok", text });

function checkPermissions(path: string): Finding {
  if (!existsSync(path)) return ok(`${path} does not exist yet`);
  const isOpen = process.platform !== "win32" && (statSync(path).mode & OTHERS_MAY) !== 0;
  if (!isOpen) return ok(`${path} is readable by its owner only`);
  return {
    level: "warn",
    text: `${path} can be read by others.`,
    fix: `Run: chmod go-rwx "${path}"`,
  };
}

/**
 * The key that identifies this node to PostgreSQL. Like libpq, `backup` and `restore` refuse a key
 * that others may read.
 */
function diagnoseDatabaseKey({ databaseUrl }: Config): readonly Finding[] {
  if (databaseUrl === undefined) return [];
  const { tls } = readConnectionOptions(databaseUrl);
  const file = tls.mode === "disable" ? undefined : tls.files.sslkey;
  return file === undefined ? [] : [checkPermissions(file)];
}

/** Whether only their owner can read the data directory and its master key. */
function diagnoseKeyFiles(
  { masterKey }: Config,
  { path, masterKeyFile }: DataDirectory,
): readonly Finding[] {
  // If the settings give the key, there is no file to check.
  const isGiven = masterKey !== undefined && !existsSync(masterKeyFile);
  return [
    checkPermissions(path),
    isGiven ? ok("The master key comes from STILE_MASTER_KEY") : checkPermissions(masterKeyFile),
  ];
}

/** The address for browsers, and whether anybody can sign in there. */
export function checkAddress(config: Config): Finding {
  if (config.baseUrl === undefined) {
    const fix = "Set it to the address browsers use, such as https://stile.example.org.";
    return isLoopback(config.host)
      ? ok("Runs on this machine only (STILE_BASE_URL is not set)")
      : { level: "warn", text: "STILE_BASE_URL is not set.", fix };
  }
  if (isSecureOrigin(new URL(config.baseUrl))) return ok(`Browsers reach it at ${config.baseUrl}`);
  const text =
    `No one can sign in to the dashboard at ${config.baseUrl}: it is not encrypted, and browsers keep the session cookie only ` +
    "over https or on localhost.";
  return {
    level: "warn",
    text,
    fix: "Put a TLS proxy in front of the service, and set STILE_BASE_URL to its https address.",
  };
}

/** Warns about named hosts for test keys; undefined if there are none. */
export function checkTestHosts({ testHosts }: Config): Finding | undefined {
  if (typeof testHosts !== "object") return undefined;
  return {
    level: "warn",
    text: `Test keys work on ${testHosts.join(", ")}. A server with a test secret key lets every bot in.`,
    fix: "If the service protects anything, remove STILE_TEST_HOSTS and restart it.",
  };
}

/** Addresses that belong to nobody, and so to no proxy (RFC 5737, RFC 3849). */
const NOBODY = [
  ["192.0.2.1", "ipv4"],
  ["2001:db8::1", "ipv6"],
] as const;

/** Warns about a list of proxies that covers everybody; undefined otherwise. */
export function checkTrust({ trustedProxies }: Config): Finding | undefined {
  if (!NOBODY.some(([address, family]) => trustedProxies.check(address, family))) return undefined;
  return {
    level: "warn",
    text: "STILE_TRUSTED_PROXIES covers all addresses, so any client can forge its address and avoid every limit.",
    fix: "List only the addresses of your proxies, such as 10.0.0.0/8, and restart the server.",
  };
}

/**
 * A running server has recorded this under its own settings, and a start removes older records.
 * Without a server, the record says nothing about proxies that were declared since.
 */
function checkProxies(config: Config, directory: DataDirectory, isServed: boolean): Finding {
  const record = directory.undeclaredProxy();
  if (record === undefined) return ok("No undeclared proxy was seen");
  const seen = `(last ${new Date(record.seenAtMs).toISOString()})`;
  const isOutdated =
    !isServed && !isDeepStrictEqual(record.trustedProxies, config.trustedProxies.rules);
  if (isOutdated) {
    return ok(
      `An undeclared proxy was seen ${seen}; STILE_TRUSTED_PROXIES has changed since, and the next start looks again`,
    );
  }
  const text =
    `A proxy on a private address forwarded visitors ${seen} but is not in STILE_TRUSTED_PROXIES, so tokens are not ` +
    "bound to addresses and all visitors share one limit.";
  return {
    level: "warn",
    text,
    fix: "Add the proxy's address, such as 10.0.0.0/8, and restart the server.",
  };
}

function checkDemo(config: Config, directory: DataDirectory): Finding {
  if (!config.isDemoOn) return ok("The demo is off");
  const { host, baseUrl, trustedProxies } = config;
  const isPublicUrl = baseUrl !== undefined && !isLoopbackHost(new URL(baseUrl).hostname);
  const hasProxy = trustedProxies.rules.length > 0 || directory.undeclaredProxy() !== undefined;
  if (isLoopback(host) && !isPublicUrl && !hasProxy)
    return ok("The demo is on, but only for this machine");
  const text =
    "The demo is on, and anyone may be able to reach it. It is only meant for trying things out.";
  return { level: "warn", text, fix: "Set STILE_DEMO=off." };
}

/** In ms; more than a sweep, or a correction by a time service, can leave. */
const AHEAD_MS = 60_000;
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A time of at least a minute, in the largest unit that fits. */
function inWords(ms: number): string {
  const [name, unitMs] = UNITS.find(([, atLeast]) => ms >= atLeast) ?? UNITS[2];
  const count = Math.round(ms / unitMs);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Warns if the service's time, or the newest in its store, is ahead of this machine's clock. */
export function diagnoseTime(knownMs: number, wallMs: number): readonly Finding[] {
  const aheadMs = knownMs - wallMs;
  if (aheadMs < AHEAD_MS) return [];
  const text = `The service's time is ${inWords(aheadMs)} ahead of this machine's clock. It runs at half speed until they agree, and its limits allow half as much.`;
  const fix =
    "If the clock is wrong, set it. If it is right now and was ahead before, wait for twice that time, or stop the service and run " +
    `"${COMMAND_LINE} backup FILE" and "${COMMAND_LINE} restore FILE" (on PostgreSQL with --replace), which starts at the clock's time.`;
  return [{ level: "warn", text, fix }];
}

/** The engine's findings about itself, and what to fix there. */
export function diagnoseStore(store: StoreDescription): readonly Finding[] {
  const text = `Store ${store.engine}, durability ${store.durability} (${store.detail})`;
  // The findings say what is missing for durability, and how to fix it.
  return [{ level: store.durability === "strict" ? "ok" : "warn", text }, ...store.findings];
}

/**
 * Key files, address, proxies and demo, for `doctor` and the dashboard. `isServed`: whether a
 * server is running.
 */
export function diagnoseSettings(
  config: Config,
  directory: DataDirectory,
  isServed: boolean,
): readonly Finding[] {
  return [
    ...diagnoseKeyFiles(config, directory),
    ...diagnoseDatabaseKey(config),
    checkAddress(config),
    checkTrust(config) ?? checkProxies(config, directory, isServed),
    checkDemo(config, directory),
    ...[checkTestHosts(config)].filter((finding) => finding !== undefined),
  ];
}
