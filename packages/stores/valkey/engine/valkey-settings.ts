/**
 * What a Valkey may hold: everything hot, or only limits that are not part of a spend, which may be lost (decision
 * 0100).
 */
export const VALKEY_HOLDS = ["all", "limits"] as const;
/** What is kept in it. */
export type ValkeyHolds = (typeof VALKEY_HOLDS)[number];

/** What an engine is checked for: what is to be kept there, and how many replicas must have what is spent. */
export type Wanted = { readonly holds: ValkeyHolds; readonly replicas: number };

/** What a Valkey or Redis reports about itself, as far as it decides whether spends may be kept there. */
export type ValkeySettings = {
  /** `Valkey 8.0.1` or `Redis 7.0.15`. */
  readonly engine: string;
  /** The version of Redis whose commands it has. */
  readonly redisVersion: string;
  readonly mode: string;
  readonly role: string;
  readonly replicas: number;
  /** Identifies this run of the process and the history it writes: changes with each start, and each change of role. */
  readonly runId: string;
  readonly appendonly: string;
  readonly appendfsync: string;
  readonly noAppendfsyncOnRewrite: string;
  readonly maxmemoryPolicy: string;
  /** Bytes in use, and how many it may use; 0: no limit. */
  readonly usedBytes: number;
  readonly maxBytes: number;
};

/** The fields of INFO and CONFIG GET by their names. */
type Fields = ReadonlyMap<string, string>;

/** The names to ask for with CONFIG GET. */
export const SETTING_NAMES = ["appendonly", "appendfsync", "no-appendfsync-on-rewrite", "maxmemory-policy"] as const;

/** The oldest version of Redis with functions; every Valkey has them. */
const OLDEST_MAJOR = 7;

/** Reads the text that INFO returns, and the alternating names and values of CONFIG GET; none if that was not asked. */
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
    usedBytes: Number(tell("used_memory")),
    maxBytes: Number(tell("maxmemory")),
  };
}

/** A setting that may make an engine forget what was spent, or unable to take it. */
export type Unfit = {
  /** Continues a sentence that begins with the place. */
  readonly lack: string;
  /** What to do; not a full sentence. */
  readonly cure: string;
  /** The setting that fixes it, if one does. */
  readonly set?: readonly [name: (typeof SETTING_NAMES)[number], value: string];
};

const majorOf = ({ redisVersion }: ValkeySettings): number => Number(redisVersion.split(".")[0]);

function findUnfitReplicas(replicas: number, wanted: number): readonly Unfit[] {
  if (replicas === wanted) return [];
  if (wanted === 0) {
    const lack = "has replicas, and one that takes over may lack what was spent last";
    return [{ lack, cure: "run it without them, or set STILE_VALKEY_REPLICAS to how many there are" }];
  }
  const lack = `has ${replicas} of ${wanted} replicas (STILE_VALKEY_REPLICAS), and what is spent must be at each of them`;
  return [{ lack, cure: "let exactly as many follow it, or change STILE_VALKEY_REPLICAS at all nodes" }];
}

function findUnfitPlace(settings: ValkeySettings, wanted: Wanted): readonly Unfit[] {
  const { engine, mode, role, replicas } = settings;
  const mayForget = wanted.holds === "limits";
  const found: Unfit[] = [];
  if (majorOf(settings) < OLDEST_MAJOR) {
    found.push({ lack: `is ${engine}, which is too old`, cure: `use Valkey, or Redis ${OLDEST_MAJOR}.0 or newer` });
  }
  if (mode !== "standalone") {
    const why = mayForget ? "in which no server has all names" : "which loses what was spent last when it fails over";
    const lack = `runs in the mode "${mode}", ${why}`;
    found.push({ lack, cure: "use one that stands alone" });
  }
  if (role !== "master") {
    found.push({ lack: "is a replica, which can't be written to", cure: "name the primary in STILE_VALKEY_URL" });
  } else if (!mayForget) found.push(...findUnfitReplicas(replicas, wanted.replicas));
  return found;
}

/**
 * The first version of Redis whose WAITAOF waits with `appendfsync everysec`: versions from 7.4 on answered before the
 * write was on the disk (redis/redis#13793), and so does every Valkey so far.
 */
const WAITING_MAJOR = 8;

/** Whether the engine answers before a write is on its disk, and can be asked when it is. */
export function answersBeforeDisk(settings: ValkeySettings): boolean {
  const isRedis = settings.engine.startsWith("Redis ");
  return settings.appendfsync === "everysec" && isRedis && majorOf(settings) >= WAITING_MAJOR;
}

function findUnfitSettings(settings: ValkeySettings): readonly Unfit[] {
  const { appendonly, appendfsync, noAppendfsyncOnRewrite, maxmemoryPolicy } = settings;
  const always = 'set "appendfsync always"';
  const found: Unfit[] = [];
  if (appendonly !== "yes") {
    const lack = "keeps no append-only file and forgets what was spent when it stops";
    const cure = appendfsync === "always" ? 'set "appendonly yes"' : 'set "appendonly yes" and "appendfsync always"';
    found.push({ lack, cure, set: ["appendonly", "yes"] });
  }
  if (appendfsync !== "always" && !answersBeforeDisk(settings)) {
    const lack = `has "appendfsync ${appendfsync}" and may forget what was spent last when the machine stops`;
    const orOther =
      appendfsync === "everysec" ? `, or use Redis ${WAITING_MAJOR}.0 or newer, whose WAITAOF can be trusted` : "";
    found.push({ lack, cure: `${always}${orOther}`, set: ["appendfsync", "always"] });
  }
  if (noAppendfsyncOnRewrite !== "no") {
    const lack = 'has "no-appendfsync-on-rewrite yes" and may forget what was spent during a rewrite';
    found.push({ lack, cure: 'set it to "no"', set: ["no-appendfsync-on-rewrite", "no"] });
  }
  if (maxmemoryPolicy !== "noeviction") {
    const lack = `has "maxmemory-policy ${maxmemoryPolicy}" and forgets what was spent when memory is short`;
    found.push({ lack, cure: 'set "maxmemory-policy noeviction"', set: ["maxmemory-policy", "noeviction"] });
  }
  return found;
}

/** All reasons why the wanted data must not be kept there; none if it may. Limits only need one that accepts writes. */
export function findUnfit(settings: ValkeySettings, wanted: Wanted): readonly Unfit[] {
  return [...findUnfitPlace(settings, wanted), ...(wanted.holds === "limits" ? [] : findUnfitSettings(settings))];
}
