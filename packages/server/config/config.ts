import { readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { START } from "../command-line.ts";
import type { LogLevel } from "../telemetry/log-levels.ts";
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings } from "./settings.ts";

/** All settings of the operator (D17, settings). */
export type Config = {
  readonly host: string;
  readonly port: number;
  /**
   * Descriptor of a listening socket from a service manager. With it, host and port are not used.
   */
  readonly descriptor: number | undefined;
  readonly dataDirectory: string;
  /**
   * Whether STILE_DATA_DIR or STILE_DATABASE_URL says where the installation is; else it is in
   * ./stile-data.
   */
  readonly isPlaceNamed: boolean;
  /**
   * The address at which browsers reach the service, without a slash at the end; undefined: the one
   * it listens on.
   */
  readonly baseUrl: string | undefined;
  readonly trustedProxies: BlockList;
  /**
   * The header (in lower case) in which those proxies forward visitors' TLS fingerprints;
   * undefined: they do not.
   */
  readonly tlsFingerprintHeader: string | undefined;
  /** URL of the PostgreSQL database, with its password; undefined: SQLite in the data directory. */
  readonly databaseUrl: string | undefined;
  /** 32 bytes; undefined: those of the file in the data directory. */
  readonly masterKey: Uint8Array | undefined;
  readonly logLevel: LogLevel;
  readonly isDemoOn: boolean;
  /**
   * The hosts where test keys work; `private`: localhost and private hosts, because only this
   * machine can reach the service. Undefined: none.
   */
  readonly testHosts: readonly string[] | "private" | undefined;
  /** The puzzle's algorithm. SHA-256 is for the case that HashWX is broken. */
  readonly powAlgorithm: Settings["STILE_POW_ALGORITHM"];
  /**
   * Path of a MaxMind database (.mmdb) to count countries; undefined: countries are not counted.
   */
  readonly countryDatabase: string | undefined;
  /** Path of the file of bots whose signatures count; undefined: none count. */
  readonly signedAgents: string | undefined;
  /** The secret key of the site that the gate protects, and for how long; undefined: no gate. */
  readonly gate: { readonly secretKey: string; readonly hours: number } | undefined;
  readonly limits: {
    verify: number;
    score: number;
    challenge: number;
    challengeTotal: number;
    tokensPerHour: number | undefined;
  };
  /** The address of the metrics; undefined: none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
};

/** The configuration, or all mistakes in it, each with its fix. */
export type ConfigReading =
  | { readonly kind: "config"; readonly config: Config }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const LOOPBACK_HOSTS = ["127.0.0.1", "::1", "localhost"];

/** Whether only this machine can reach a service that listens on this host (D17, settings). */
export function isLoopback(host: string): boolean {
  return LOOPBACK_HOSTS.includes(host);
}

/**
 * The name of the secret key in our samples. It may be set in the service's environment, and is no
 * mistake there.
 */
const CUSTOMER_VARIABLE = "STILE_SECRET";

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

function findUnknown(environment: NodeJS.ProcessEnv): string[] {
  return (
    Object.keys(environment)
      // In lower case too, because a shell silently treats `stile_port` as another variable.
      .filter((name) => /^stile_/i.test(name) && name !== CUSTOMER_VARIABLE)
      .filter((name) => !SETTING_NAMES.some((known) => name === known || name === `${known}_FILE`))
      .map((name) => {
        if (name.replace(/_FILE$/, "") === "STILE_LIMIT_RESERVE") {
          return `${name} is gone: each network has a limit now, STILE_LIMIT_CHALLENGE, and all of them together have STILE_LIMIT_CHALLENGE_TOTAL. Set those.`;
        }
        const written = name.toUpperCase().replace(/_FILE$/, "");
        const nearest = [...SETTING_NAMES].sort(
          (a, b) => editDistance(written, a) - editDistance(written, b),
        )[0];
        return `${name} is not a setting. Did you mean ${nearest}? All of them: ${START} --help`;
      })
  );
}

/**
 * The texts of the settings, from the environment or from files that it names, and the problems
 * with those files.
 */
function readTexts(environment: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const readText = (name: SettingName): string | undefined => {
    const file = environment[`${name}_FILE`];
    const direct = environment[name];
    if (file !== undefined && direct !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set. Keep one of them.`);
      return undefined;
    }
    if (file === undefined) return direct?.trim() || undefined;
    if (file.trim() === "") {
      problems.push(`${name}_FILE names no file. Give it a path, or unset it.`);
      return undefined;
    }
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text === "") problems.push(`${name}_FILE names ${file}, which is empty.`);
      return text || undefined;
    } catch {
      problems.push(
        `${name}_FILE names ${file}, which can't be read. Check the path and its permissions.`,
      );
      return undefined;
    }
  };
  const texts = Object.fromEntries(SETTING_NAMES.map((name) => [name, readText(name)]));
  return { texts, problems };
}

function toConfig(
  settings: Settings,
  isPlaceNamed: boolean,
  descriptor: number | undefined,
): Config {
  const { STILE_HOST: host, STILE_BASE_URL: baseUrl } = settings;
  const trustedProxies = settings.STILE_TRUSTED_PROXIES ?? new BlockList();
  // An address for browsers, a proxy or a service manager's socket means that strangers can reach
  // the service.
  const isOwnLoopback = isLoopback(host) && descriptor === undefined;
  const isForThisMachine =
    isOwnLoopback && baseUrl === undefined && trustedProxies.rules.length === 0;
  return {
    host,
    descriptor,
    port: settings.STILE_PORT,
    dataDirectory: settings.STILE_DATA_DIR,
    isPlaceNamed,
    baseUrl,
    trustedProxies,
    tlsFingerprintHeader: settings.STILE_TLS_FINGERPRINT_HEADER,
    databaseUrl: settings.STILE_DATABASE_URL,
    masterKey: settings.STILE_MASTER_KEY,
    logLevel: settings.STILE_LOG_LEVEL,
    isDemoOn: (settings.STILE_DEMO ?? (isForThisMachine ? "on" : "off")) === "on",
    testHosts: settings.STILE_TEST_HOSTS ?? (isForThisMachine ? "private" : undefined),
    powAlgorithm: settings.STILE_POW_ALGORITHM,
    countryDatabase: settings.STILE_COUNTRY_DATABASE,
    signedAgents: settings.STILE_SIGNED_AGENTS,
    gate:
      settings.STILE_GATE_SECRET_KEY === undefined
        ? undefined
        : { secretKey: settings.STILE_GATE_SECRET_KEY, hours: settings.STILE_GATE_HOURS },
    limits: {
      verify: settings.STILE_LIMIT_VERIFY,
      score: settings.STILE_LIMIT_SCORE,
      challenge: settings.STILE_LIMIT_CHALLENGE,
      challengeTotal: settings.STILE_LIMIT_CHALLENGE_TOTAL,
      tokensPerHour: settings.STILE_LIMIT_TOKENS,
    },
    metrics: settings.STILE_METRICS,
  };
}

/** Settings that have no effect without another one. */
function findLonely(settings: Partial<Settings>): string[] {
  const problems: string[] = [];
  if (
    settings.STILE_TLS_FINGERPRINT_HEADER !== undefined &&
    settings.STILE_TRUSTED_PROXIES === undefined
  ) {
    problems.push(
      "STILE_TLS_FINGERPRINT_HEADER counts only from trusted proxies. Set STILE_TRUSTED_PROXIES, or remove it.",
    );
  }
  if (settings.STILE_SIGNED_AGENTS !== undefined && settings.STILE_BASE_URL === undefined) {
    problems.push(
      "STILE_SIGNED_AGENTS needs STILE_BASE_URL: a signature counts only for the address that browsers reach the service at. " +
        "Set STILE_BASE_URL, or remove it.",
    );
  }
  return problems;
}

/**
 * The configuration from the environment and the handed-over socket, or all mistakes at once (D17,
 * settings).
 */
export function readConfig(environment: NodeJS.ProcessEnv, descriptor?: number): ConfigReading {
  const { texts, problems: unread } = readTexts(environment);
  const parsed = SETTINGS.safeParse(texts);
  const invalid =
    parsed.error?.issues.map(({ path, message }) => `${path.join(".")} ${message}.`) ?? [];
  const lonely = findLonely(parsed.data ?? {});
  const problems = [...findUnknown(environment), ...unread, ...invalid, ...lonely];
  if (parsed.success && problems.length === 0) {
    const isPlaceNamed =
      texts.STILE_DATA_DIR !== undefined || texts.STILE_DATABASE_URL !== undefined;
    return { kind: "config", config: toConfig(parsed.data, isPlaceNamed, descriptor) };
  }
  return { kind: "problems", problems };
}
