import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { resolve } from "node:path";
import { OVER_LIMIT, type OverLimit } from "@stile/core/domain/challenge/fair-share";
import { RATE_LIMITS } from "@stile/protocol/limits";
import { LOG_LEVELS, type LogLevel } from "./telemetry/log.ts";

/** Everything the operator can set (D17). */
export type Config = {
  readonly host: string;
  readonly port: number;
  /** Of the listening socket that a service manager handed over: then host and port are not used. */
  readonly descriptor: number | undefined;
  readonly dataDirectory: string;
  /** Address under which browsers reach the service, without a trailing slash; undefined: the one it listens on. */
  readonly baseUrl: string | undefined;
  readonly trustedProxies: BlockList;
  /** 32 bytes; undefined: the file in the data directory. */
  readonly masterKey: Uint8Array | undefined;
  readonly logLevel: LogLevel;
  readonly isDemoOn: boolean;
  /** The puzzle; SHA-256 is the kill switch should HashWX be broken. */
  readonly powAlgorithm: (typeof POW_ALGORITHMS)[number];
  /** Path of a MaxMind database (.mmdb) by which countries are counted; undefined: they are not. */
  readonly countryDatabase: string | undefined;
  readonly limits: { verify: number; score: number; challenge: number; challengeTotal: number };
  /** What happens to challenges over the limit of their network: refused, or harder (D10). */
  readonly overLimit: OverLimit;
  /** Where metrics are served; undefined: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
};

/** The configuration, or every mistake in it, each with its fix. */
export type ConfigReading =
  | { readonly kind: "config"; readonly config: Config }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's text to its value, or a sentence that says what it must be. */
type Parse<Value> = (text: string) => Parsed<Value>;
type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** Names of the puzzle's algorithms, the default first. */
const POW_ALGORITHMS = ["hashwx", "sha256"] as const;

const LOOPBACK_HOSTS = ["127.0.0.1", "::1", "localhost"];

/** Whether only this machine reaches a service that listens on this host (D17). */
export function isLoopback(host: string): boolean {
  return LOOPBACK_HOSTS.includes(host);
}

function wholeNumber(min: number, max: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    const isValid = /^\d+$/.test(text) && value >= min && value <= max;
    return isValid ? { value } : { problem: `must be a whole number from ${min} to ${max}` };
  };
}

/** An address or a host name, as listen() takes them: `999.1.1.1`, `[::1]` and `localhost:80` are neither. */
function hostAddress(text: string): Parsed<string> {
  const isName = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i.test(text) && URL.canParse(`http://${text}`);
  const looksNumeric = /(^|\.)(0x[0-9a-f]*|\d+)$/i.test(text);
  if (isIP(text) !== 0 || (isName && !looksNumeric)) return { value: text };
  return { problem: `must be an address of this machine, such as 127.0.0.1 or ::1, without a port; "${text}" is none` };
}

/** `9464`, `10.0.0.5:9464` or `[::1]:9464`; a port alone is one of this machine's own. */
function metricsPlace(text: string): Parsed<{ readonly host: string; readonly port: number }> {
  const { host, bracketed, port } =
    /^((\[(?<bracketed>[^\]]*:[^\]]*)\]|(?<host>[^:]+)):)?(?<port>\d+)$/.exec(text)?.groups ?? {};
  const address = hostAddress(bracketed ?? host ?? "127.0.0.1");
  const number = wholeNumber(0, 65_535)(port ?? "");
  if ("value" in address && "value" in number) return { value: { host: address.value, port: number.value } };
  return { problem: "must be a port, such as 9464, or an address of this machine and a port, such as 10.0.0.5:9464" };
}

function anyText(text: string): Parsed<string> {
  return { value: text };
}

function filePath(text: string): Parsed<string> {
  // The database itself where a file with its path is meant (`*_FILE`) reads as text with bytes of all kinds.
  const isPath = !/[\p{Cc}\ufffd]/u.test(text);
  return isPath ? { value: resolve(text) } : { problem: "must be the path of a file" };
}

function baseUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.search || url.hash || url.username || url.password) {
    return { problem: "must be an address such as https://stile.example.org" };
  }
  return { value: url.href.replace(/\/+$/, "") };
}

function proxies(text: string): Parsed<BlockList> {
  const list = new BlockList();
  for (const entry of text.split(",").map((part) => part.trim())) {
    const [address = "", bits, ...rest] = entry.split("/");
    const family = rest.length > 0 || address.includes("%") ? 0 : isIP(address);
    const longest = family === 4 ? 32 : 128;
    const isPrefix = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= longest);
    if (family === 0 || !isPrefix) {
      return { problem: `must be addresses or CIDRs separated by commas, such as 10.0.0.0/8; "${entry}" is none` };
    }
    list.addSubnet(address, bits === undefined ? longest : Number(bits), family === 4 ? "ipv4" : "ipv6");
  }
  return { value: list };
}

function masterKey(text: string): Parsed<Uint8Array> {
  const bytes = Buffer.from(text, "base64");
  const isKey = bytes.length === 32 && /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (!isKey) return { problem: 'must be 32 bytes in base64; make one with "openssl rand -base64 32"' };
  return { value: new Uint8Array(bytes) };
}

function oneOf<Value extends string>(values: readonly Value[]): Parse<Value> {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    return value === undefined ? { problem: `must be one of ${values.join(", ")}` } : { value };
  };
}

/** Variables of D17 whose stores this version does not have. */
const FUTURE_VARIABLES = ["STILE_DATABASE_URL", "STILE_VALKEY_URL"];

/** What our samples call the secret key in a customer's environment, which may be this one: not ours to complain of. */
const CUSTOMER_VARIABLE = "STILE_SECRET";

/** Every variable that exists (D17). */
const VARIABLES = [
  "STILE_HOST",
  "STILE_PORT",
  "STILE_DATA_DIR",
  "STILE_BASE_URL",
  "STILE_TRUSTED_PROXIES",
  "STILE_MASTER_KEY",
  "STILE_LOG_LEVEL",
  "STILE_DEMO",
  "STILE_POW_ALGORITHM",
  "STILE_COUNTRY_DATABASE",
  "STILE_LIMIT_VERIFY",
  "STILE_LIMIT_SCORE",
  "STILE_LIMIT_CHALLENGE",
  "STILE_LIMIT_CHALLENGE_TOTAL",
  "STILE_OVER_LIMIT",
  "STILE_METRICS",
] as const;
type Variable = (typeof VARIABLES)[number];

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function findUnknown(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("STILE_") && name !== CUSTOMER_VARIABLE)
    .filter((name) => !VARIABLES.some((known) => name === known || name === `${known}_FILE`))
    .map((name) => {
      if (FUTURE_VARIABLES.includes(name.replace(/_FILE$/, ""))) {
        return `${name} is for a later version: this one has the embedded store only. Remove it.`;
      }
      if (name.replace(/_FILE$/, "") === "STILE_LIMIT_RESERVE") {
        return `${name} is gone: each network has a limit now, STILE_LIMIT_CHALLENGE, and all of them together have STILE_LIMIT_CHALLENGE_TOTAL. Set those.`;
      }
      const nearest = [...VARIABLES].sort((a, b) => editDistance(name, a) - editDistance(name, b))[0];
      return `${name} is not a setting. Did you mean ${nearest}?`;
    });
}

/** Reads variables one by one and collects what is wrong with them. */
function createReader(environment: Environment) {
  const problems: string[] = [];
  const textOf = (name: Variable): string | undefined => {
    const file = environment[`${name}_FILE`];
    const direct = environment[name];
    if (file !== undefined && direct !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set. Keep one of them.`);
      return undefined;
    }
    if (file === undefined) return direct?.trim() || undefined;
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text === "") problems.push(`${name}_FILE names ${file}, which is empty.`);
      return text || undefined;
    } catch {
      problems.push(`${name}_FILE names ${file}, which can't be read. Check the path and its permissions.`);
      return undefined;
    }
  };
  const read = <Value, Default>(name: Variable, fallback: Default, parse: Parse<Value>): Value | Default => {
    const text = textOf(name);
    if (text === undefined) return fallback;
    const parsed = parse(text);
    if ("value" in parsed) return parsed.value;
    problems.push(`${name} ${parsed.problem}.`);
    return fallback;
  };
  return { problems, read };
}

/** The environment, and the socket that was handed over, to a configuration, or all its mistakes at once (D17). */
export function readConfig(environment: Environment, descriptor?: number): ConfigReading {
  const { problems, read } = createReader(environment);
  problems.push(...findUnknown(environment));
  const limit = wholeNumber(1, 10_000_000);
  const host = read("STILE_HOST", "127.0.0.1", hostAddress);
  const publicUrl = read("STILE_BASE_URL", undefined, baseUrl);
  const trustedProxies = read("STILE_TRUSTED_PROXIES", new BlockList(), proxies);
  // Who names an address for browsers, a proxy or a socket of a service manager has put the service where strangers come.
  const isOwnLoopback = isLoopback(host) && descriptor === undefined;
  const isForThisMachine = isOwnLoopback && publicUrl === undefined && trustedProxies.rules.length === 0;
  const config: Config = {
    host,
    descriptor,
    port: read("STILE_PORT", 8787, wholeNumber(0, 65_535)),
    dataDirectory: resolve(read("STILE_DATA_DIR", "./stile-data", anyText)),
    baseUrl: publicUrl,
    trustedProxies,
    masterKey: read("STILE_MASTER_KEY", undefined, masterKey),
    logLevel: read("STILE_LOG_LEVEL", "info", oneOf(LOG_LEVELS)),
    isDemoOn: read("STILE_DEMO", isForThisMachine ? "on" : "off", oneOf(["on", "off"])) === "on",
    powAlgorithm: read("STILE_POW_ALGORITHM", "hashwx", oneOf(POW_ALGORITHMS)),
    countryDatabase: read("STILE_COUNTRY_DATABASE", undefined, filePath),
    limits: {
      verify: read("STILE_LIMIT_VERIFY", RATE_LIMITS.verify.perMinute, limit),
      score: read("STILE_LIMIT_SCORE", RATE_LIMITS.score.perMinute, limit),
      challenge: read("STILE_LIMIT_CHALLENGE", RATE_LIMITS.challenge.perMinute, limit),
      challengeTotal: read("STILE_LIMIT_CHALLENGE_TOTAL", RATE_LIMITS.challengeTotal.perMinute, limit),
    },
    overLimit: read("STILE_OVER_LIMIT", "refuse", oneOf(OVER_LIMIT)),
    metrics: read("STILE_METRICS", undefined, metricsPlace),
  };
  return problems.length === 0 ? { kind: "config", config } : { kind: "problems", problems };
}
