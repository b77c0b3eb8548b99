/** What a Valkey or Redis says of itself, as far as it decides whether what is spent may lie there. */
export type ValkeySettings = {
  /** `Valkey 8.0.1` or `Redis 7.0.15`. */
  readonly engine: string;
  /** Version of Redis whose commands it has. */
  readonly redisVersion: string;
  readonly mode: string;
  readonly role: string;
  readonly replicas: number;
  /** Names this run of the process, and the history of what it writes: another after each start, and after each change of its role. */
  readonly runId: string;
  readonly appendonly: string;
  readonly appendfsync: string;
  readonly noAppendfsyncOnRewrite: string;
  readonly maxmemoryPolicy: string;
};

/** The fields of INFO and CONFIG GET by their names. */
type Fields = ReadonlyMap<string, string>;

/** Names that CONFIG GET is asked for. */
export const SETTING_NAMES = ["appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy"] as const;

/** Oldest version of Redis that knows functions; every Valkey does. */
const OLDEST_MAJOR = 7;

/** Reads the text that INFO answers, and the names and values in turn that CONFIG GET does. */
export function readSettings(info: string, config: readonly string[]): ValkeySettings {
  const lines = info.split("\r\n").filter((line) => line.includes(":"));
  const told: Fields = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
  const set: Fields = new Map(config.flatMap((name, at) => (at % 2 === 0 ? [[name, config[at + 1] ?? ""]] : [])));
  const tell = (name: string): string => told.get(name) ?? "";
  const valkeyVersion = tell("valkey_version");
  const redisVersion = tell("redis_version");
  return {
    engine: valkeyVersion === "" ? `Redis ${redisVersion}` : `Valkey ${valkeyVersion}`,
    redisVersion,
    mode: tell("redis_mode") || tell("server_mode"),
    role: tell("role"),
    replicas: Number(tell("connected_slaves") || Number.NaN),
    runId: `${tell("run_id")}/${tell("master_replid")}`,
    appendonly: set.get("appendonly") ?? "",
    appendfsync: set.get("appendfsync") ?? "",
    noAppendfsyncOnRewrite: set.get("no-appendfsync-on-rewrite") ?? "",
    maxmemoryPolicy: set.get("maxmemory-policy") ?? "",
  };
}

/** Why what is spent may not lie there, as the end of a sentence that begins with the place, with what to do; undefined if it may. */
export function findUnfit(settings: ValkeySettings): string | undefined {
  const { engine, redisVersion, mode, role, replicas, appendonly, appendfsync, noAppendfsyncOnRewrite } = settings;
  if (Number(redisVersion.split(".")[0]) < OLDEST_MAJOR) {
    return `is ${engine}, which is too old: use Valkey, or Redis ${OLDEST_MAJOR}.0 or newer`;
  }
  if (mode !== "standalone")
    return `runs in the mode "${mode}", which loses what was spent last when it fails over: use one that stands alone`;
  if (role !== "master") return "is a replica, which can't be written to: name the primary in STILE_VALKEY_URL";
  if (replicas !== 0) return "has replicas, and one that takes over may lack what was spent last: run it without them";
  if (appendonly !== "yes")
    return 'keeps no append-only file and forgets what was spent when it stops: set "appendonly yes" and "appendfsync always"';
  if (appendfsync !== "always") {
    return `has "appendfsync ${appendfsync}" and may forget what was spent last when the machine stops: set "appendfsync always"`;
  }
  if (noAppendfsyncOnRewrite !== "no") {
    return 'has "no-appendfsync-on-rewrite yes" and may forget what was spent during a rewrite: set it to "no"';
  }
  if (settings.maxmemoryPolicy !== "noeviction") {
    return `has "maxmemory-policy ${settings.maxmemoryPolicy}" and forgets what was spent when memory is short: set "maxmemory-policy noeviction"`;
  }
  return undefined;
}
