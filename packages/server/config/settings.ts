import { BlockList, isIP } from "node:net";
import { resolve } from "node:path";
import { parseHostName } from "@stile/core/domain/site/host-name";
import { TEST_KEYS } from "@stile/core/domain/site/test-keys";
import { isSecretKey } from "@stile/protocol/key-formats";
import { RATE_LIMITS } from "@stile/protocol/limits";
import { readConnectionOptions } from "@stile/stores/postgres/engine/connection-options";
// The small form of zod, because each command and each health check loads it.
import { z } from "zod/mini";
import { LOG_LEVELS } from "../telemetry/log-levels.ts";

/** The value of a variable's text, or a sentence that says what it must be. */
type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** Names of the puzzle's algorithms, the default first. */
const POW_ALGORITHMS = ["hashwx", "sha256"] as const;

const PORTS = { min: 0, max: 65_535 };
const PER_MINUTE = { min: 1, max: 10_000_000 };

function parsed<Value>(parse: (text: string) => Parsed<Value>) {
  const read = z.transform((text: string, { issues }) => {
    const result = parse(text);
    if ("value" in result) return result.value;
    issues.push({ code: "custom", input: text, message: result.problem });
    return z.NEVER;
  });
  return z.pipe(z.string(), read);
}

function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  const isValid = (text: string): boolean =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
  const digits = z
    .string()
    .check(z.refine(isValid, `must be a whole number from ${min} to ${max}`));
  return z.pipe(digits, z.transform(Number));
}

function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

/**
 * Whether listen() accepts the address or host name: not `999.1.1.1`, `[::1]` or `localhost:80`.
 */
function isHostAddress(text: string): boolean {
  const isName = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i.test(text) && URL.canParse(`http://${text}`);
  const looksNumeric = /(^|\.)(0x[0-9a-f]*|\d+)$/i.test(text);
  return isIP(text) !== 0 || (isName && !looksNumeric);
}

function readHost(text: string): Parsed<string> {
  if (isHostAddress(text)) return { value: text };
  return {
    problem: `must be an address of this machine, such as 127.0.0.1 or ::1, without a port; "${text}" is not one`,
  };
}

/**
 * Parses `9464`, `10.0.0.5:9464` or `[::1]:9464`. A port alone is on this machine's loopback
 * address.
 */
function readMetricsPlace(text: string): Parsed<{ readonly host: string; readonly port: number }> {
  const { name, bracketed, digits } =
    /^((\[(?<bracketed>[^\]]*:[^\]]*)\]|(?<name>[^:]+)):)?(?<digits>\d+)$/.exec(text)?.groups ?? {};
  const host = bracketed ?? name ?? "127.0.0.1";
  const port = wholeNumber(PORTS).safeParse(digits);
  if (port.success && isHostAddress(host)) return { value: { host, port: port.data } };
  return {
    problem:
      "must be a port, such as 9464, or an address of this machine and a port, such as 10.0.0.5:9464",
  };
}

function readFilePath(text: string): Parsed<string> {
  // If `*_FILE` names the database itself instead of a file with its path, this text contains bytes
  // of all kinds.
  const isPath = !/[\p{Cc}\ufffd]/u.test(text);
  return isPath ? { value: resolve(text) } : { problem: "must be the path of a file" };
}

/**
 * Refuses a path that only a shell would read as intended. It would become a new directory next to
 * the one with the data.
 */
function readDataDirectory(text: string): Parsed<string> {
  const path = readFilePath(text);
  if ("value" in path && !/^~|^(["']).*\1$/.test(text)) return path;
  return {
    problem:
      "must be the path of a directory, such as /var/lib/stile; only a shell reads ~ and quotes",
  };
}

/** Accepts an address if `read` does not throw. */
function readAddress(read: (text: string) => unknown) {
  return (text: string): Parsed<string> => {
    try {
      read(text);
      return { value: text };
    } catch (fault) {
      // The sentence starts with the setting's name, and every problem already has that name.
      return { problem: (fault as Error).message.replace(/^STILE_[A-Z_]+ /, "") };
    }
  };
}

function readBaseUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.search || url.hash || url.username || url.password) {
    return { problem: "must be an address such as https://stile.example.org" };
  }
  if (/[^/]/.test(url.pathname)) {
    return {
      problem: `must be a host of its own, without a path: ${url.origin} instead of ${url.href}`,
    };
  }
  return { value: url.origin };
}

function readProxies(text: string): Parsed<BlockList> {
  const list = new BlockList();
  for (const entry of text.split(",").map((part) => part.trim())) {
    const [address = "", bits, ...rest] = entry.split("/");
    const family = rest.length > 0 || address.includes("%") ? 0 : isIP(address);
    const longest = family === 4 ? 32 : 128;
    const isPrefix = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= longest);
    if (family === 0 || !isPrefix) {
      return {
        problem: `must be addresses or CIDRs separated by commas, such as 10.0.0.0/8; "${entry}" is not one`,
      };
    }
    list.addSubnet(
      address,
      bits === undefined ? longest : Number(bits),
      family === 4 ? "ipv4" : "ipv6",
    );
  }
  return { value: list };
}

function readHosts(text: string): Parsed<readonly string[]> {
  const entries = text.split(",").map((part) => part.trim());
  const wrong = entries.find((entry) => parseHostName(entry) === undefined);
  return wrong === undefined
    ? { value: entries.map((entry) => parseHostName(entry) ?? "") }
    : {
        problem: `must be host names separated by commas, such as staging.example.org; "${wrong}" is not one`,
      };
}

/** The name of a header, in lower case. */
function readHeaderName(text: string): Parsed<string> {
  const isName = /^[a-z0-9][a-z0-9-]{0,63}$/i.test(text);
  return isName
    ? { value: text.toLowerCase() }
    : { problem: "must be the name of a header, such as x-ja4" };
}

function readMasterKey(text: string): Parsed<Uint8Array> {
  const bytes = Buffer.from(text, "base64");
  const isKey = bytes.length === 32 && /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (!isKey)
    return { problem: 'must be 32 bytes in base64; make one with "openssl rand -base64 32"' };
  return { value: new Uint8Array(bytes) };
}

function readSecretKey(text: string): Parsed<string> {
  const isTest = TEST_KEYS.some(({ secretKey }) => secretKey === text);
  return isSecretKey(text) && !isTest
    ? { value: text }
    : {
        problem: "must be the secret key of a site, which begins with sk_, and no test key",
      };
}

const MEANINGS = z.registry<{ readonly meaning: string; readonly otherwise: string }>();

/**
 * A setting with its description for documentation and help. `otherwise` describes a default that
 * is not a value.
 */
function setting<Schema extends z.ZodMiniType>(
  schema: Schema,
  meaning: string,
  otherwise = "",
): Schema {
  MEANINGS.add(schema, { meaning, otherwise });
  return schema;
}

/**
 * All settings in the order of the documentation, each with the parser of its text (D17, settings).
 */
export const SETTINGS = z.object({
  STILE_HOST: setting(z.prefault(parsed(readHost), "127.0.0.1"), "Address to listen on."),
  STILE_PORT: setting(z.prefault(wholeNumber(PORTS), "8787"), "Port to listen on."),
  STILE_DATA_DIR: setting(z.prefault(parsed(readDataDirectory), "./stile-data"), "Data directory."),
  STILE_BASE_URL: setting(
    z.optional(parsed(readBaseUrl)),
    "Public address of the service, as browsers use it, without a path.",
  ),
  STILE_TRUSTED_PROXIES: setting(
    z.optional(parsed(readProxies)),
    "Addresses or CIDRs of proxies whose `X-Forwarded-For` counts (D14).",
  ),
  STILE_TLS_FINGERPRINT_HEADER: setting(
    z.optional(parsed(readHeaderName)),
    "Header in which those proxies pass on a visitor's TLS fingerprint, JA4 (D14).",
  ),
  STILE_MASTER_KEY: setting(
    z.optional(parsed(readMasterKey)),
    "32 bytes in base64; wraps the service keys (D4).",
    "a file in the data directory",
  ),
  STILE_LOG_LEVEL: setting(
    z.prefault(oneOf(LOG_LEVELS), "info"),
    `How much is logged: ${inCode(LOG_LEVELS)}.`,
  ),
  STILE_DEMO: setting(
    z.optional(oneOf(["on", "off"])),
    "The demo page: `on` or `off`.",
    "`on` for this machine alone",
  ),
  STILE_TEST_HOSTS: setting(
    z.optional(parsed(readHosts)),
    "Hosts of pages where [test keys](../guide/test-keys.md) work, separated by commas. Not for a service that protects anything.",
    "localhost and private hosts, for this machine alone",
  ),
  STILE_POW_ALGORITHM: setting(
    z.prefault(oneOf(POW_ALGORITHMS), "hashwx"),
    "The puzzle of new challenges: `hashwx`, or `sha256` (D8).",
  ),
  STILE_COUNTRY_DATABASE: setting(
    z.optional(parsed(readFilePath)),
    "Path of a MaxMind database (.mmdb) with country codes (D14).",
  ),
  STILE_SIGNED_AGENTS: setting(
    z.optional(parsed(readFilePath)),
    "Path of a JSON file with bots whose signatures are trusted ([signed bots](../operations/signed-bots.md)).",
  ),
  STILE_LIMIT_VERIFY: setting(
    z.prefault(wholeNumber(PER_MINUTE), `${RATE_LIMITS.verify.perMinute}`),
    "Redemptions per minute, for a site (D10).",
  ),
  STILE_LIMIT_SCORE: setting(
    z.prefault(wholeNumber(PER_MINUTE), `${RATE_LIMITS.score.perMinute}`),
    "Scores per minute, for a site (D10).",
  ),
  STILE_LIMIT_CHALLENGE: setting(
    z.prefault(wholeNumber(PER_MINUTE), `${RATE_LIMITS.challenge.perMinute}`),
    "Challenges per minute, for one network of an account (D10).",
  ),
  STILE_LIMIT_CHALLENGE_TOTAL: setting(
    z.prefault(wholeNumber(PER_MINUTE), `${RATE_LIMITS.challengeTotal.perMinute}`),
    "Challenges per minute, for an account; at least as many as for one network (D10).",
  ),
  STILE_LIMIT_TOKENS: setting(
    z.optional(wholeNumber(PER_MINUTE)),
    "Tokens per hour, for one network at a site, of which at most a tenth come without harder work (D10).",
    "60 times `STILE_LIMIT_CHALLENGE`",
  ),
  STILE_DATABASE_URL: setting(
    z.optional(parsed(readAddress(readConnectionOptions))),
    "Address of a PostgreSQL database that nodes share ([scaling](../operations/scaling.md)).",
    "a file in the data directory",
  ),
  STILE_GATE_SECRET_KEY: setting(
    z.optional(parsed(readSecretKey)),
    "Secret key of the site whose hosts the [gate](../operations/gate.md) protects; without one it is off.",
  ),
  STILE_GATE_HOURS: setting(
    z.prefault(wholeNumber({ min: 1, max: 720 }), "12"),
    "How long the gate lets a visitor pass before it checks again.",
  ),
  STILE_METRICS: setting(
    z.optional(parsed(readMetricsPlace)),
    "Port, or address and port, for the [metrics](../operations/metrics.md).",
  ),
});

/** The parsed settings; undefined for those with neither a value nor a default. */
export type Settings = z.output<typeof SETTINGS>;

/** The name of a setting. */
export type SettingName = keyof Settings;

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(SETTINGS.shape) as readonly SettingName[];

function inCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

/** The description of a setting, in Markdown: its default (empty for none) and its meaning. */
export type SettingRow = {
  readonly name: string;
  readonly standard: string;
  readonly meaning: string;
};

/** All settings for the documentation and the help, in the order of the schema. */
export function describeSettings(): readonly SettingRow[] {
  return Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const { meaning = "", otherwise = "" } = MEANINGS.get(schema) ?? {};
    const standard =
      schema instanceof z.ZodMiniPrefault ? `\`${schema.def.defaultValue}\`` : otherwise;
    return { name, standard, meaning };
  });
}
