import { setTimeout as delay } from "node:timers/promises";
import { GENERATION_KEY } from "@stile/stores/valkey/engine/valkey-keys";
import { readSettings } from "@stile/stores/valkey/engine/valkey-settings";
import type { Redis } from "ioredis";
import { startReplica, startValkey, type ThrowAwayValkey } from "../valkey/throw-away-valkey.ts";
import { type Fault, inTurn } from "./faults.ts";
import type { TorturedEngine } from "./tortured-engine.ts";
import { createWays } from "./ways.ts";

/** To what extent the engine, and what the servers see of it, are correct (decision 0039). */
export type TorturedValkeyPlan = {
  /** If false, it keeps nothing beyond its process, and the ways claim that it does, or the servers would refuse it. */
  readonly hasAppendOnlyFile: boolean;
  /**
   * If false, each new run passes for the one before, whatever was lost: only what it kept protects against doubles.
   */
  readonly hasFence: boolean;
  /** Whether it fsyncs once a second, and servers wait for that; otherwise at each write. */
  readonly isEverySecond: boolean;
  /** Whether it has a replica, for which servers wait. */
  readonly hasReplica: boolean;
  /** Whether it holds only limits: then it keeps nothing beyond its process, which is allowed (decision 0100). */
  readonly holdsLimits: boolean;
};

/** An fsync comes a second after the last; a replica looks for its primary once a second, then copies everything. */
const SLOWER_MS = { everySecond: 1_000, replica: 2_000 } as const;

const WITHOUT_FILE = "$10\r\nappendonly\r\n$2\r\nno\r\n";
const WITH_FILE = "$10\r\nappendonly\r\n$3\r\nyes\r\n";

function claimFile(answer: Buffer): Buffer {
  return answer.includes(WITHOUT_FILE)
    ? Buffer.from(answer.toString("latin1").replace(WITHOUT_FILE, WITH_FILE), "latin1")
    : answer;
}

/**
 * Makes the engine's present run pass for the one that servers already know, with nothing before it that counts as
 * expired.
 */
async function passForKnown(engine: ThrowAwayValkey): Promise<void> {
  const client = await engine.connect();
  const info = `${await client.info("server")}\r\n${await client.info("replication")}`;
  await client.hset(GENERATION_KEY, { id: readSettings(info, []).runId, fence: -1, dataset: "the same as ever" });
  // Data that name none pass for those of a version that knew no beginnings.
  await client.hdel(GENERATION_KEY, "beginning");
  client.disconnect();
}

const SYNC_MS = 60_000;

async function untilFollowing(follower: Redis): Promise<void> {
  for (const sinceMs = Date.now(); Date.now() - sinceMs < SYNC_MS; await delay(20)) {
    if (/master_link_status:up/.test(await follower.info("replication"))) return;
  }
  throw new Error("one engine did not follow the other in time");
}

/**
 * The replica takes over, the primary follows, and then the other way round; `onBack` is called when the first leads.
 */
async function failOverAndBack(engine: ThrowAwayValkey, replica: ThrowAwayValkey, onBack: () => void): Promise<void> {
  const [first, second] = await Promise.all([engine.connect(), replica.connect()]);
  await untilFollowing(second);
  await second.call("REPLICAOF", "NO", "ONE");
  await first.call("REPLICAOF", "127.0.0.1", replica.port);
  await untilFollowing(first);
  onBack();
  await first.call("REPLICAOF", "NO", "ONE");
  await second.call("REPLICAOF", "127.0.0.1", engine.port);
  for (const client of [first, second]) client.disconnect();
}

/** Starts a Valkey, or Redis, by default with an fsync at each write, and its replica if it has one. */
export async function startTorturedValkey({
  hasAppendOnlyFile: isFileWanted,
  hasFence,
  isEverySecond,
  hasReplica,
  holdsLimits,
}: TorturedValkeyPlan): Promise<TorturedEngine> {
  const hasAppendOnlyFile = isFileWanted && !holdsLimits;
  const expiresAtStart = hasFence && !holdsLimits;
  const appendFsync = isEverySecond ? "everysec" : "always";
  const engine = await startValkey(
    hasAppendOnlyFile ? { appendFsync } : { appendFsync: "off", settings: [["appendfsync", appendFsync]] },
  );
  const replica = hasReplica ? await startReplica(engine, appendFsync) : undefined;
  const ways = createWays("Valkey", engine.port, hasAppendOnlyFile || holdsLimits ? undefined : claimFile);
  const anewAtMs: number[] = [];
  if (!hasFence) await passForKnown(engine);
  const kill = async (): Promise<void> => {
    // Nobody may find the next run before it passes for this one.
    if (!hasFence) ways.setAll("cut");
    await engine.kill();
  };
  const start = async (): Promise<void> => {
    if (expiresAtStart) anewAtMs.push(performance.now());
    await engine.start();
    if (hasFence) return;
    await passForKnown(engine);
    ways.setAll("pass");
  };
  const killAndStart = async (): Promise<void> => {
    await kill();
    await start();
  };
  const killRewriting = async (): Promise<void> => {
    const client = await engine.connect();
    await client.bgrewriteaof();
    client.disconnect();
    await killAndStart();
  };
  const ofReplica = (one: ThrowAwayValkey): readonly Fault[] => {
    const killReplica = async (): Promise<void> => {
      await one.kill();
      await one.start();
    };
    const failOver = (): Promise<void> => failOverAndBack(engine, one, () => anewAtMs.push(performance.now()));
    return [
      { name: "Valkey's replica killed", isKill: true, run: killReplica },
      { name: "Valkey's replica takes over, and gives back", isKill: false, run: failOver },
    ];
  };
  const [first, ...others] = inTurn([
    { name: "Valkey killed", isKill: true, run: killAndStart },
    { name: "Valkey killed while it rewrites its file", isKill: true, run: killRewriting },
    ...(replica === undefined ? [] : ofReplica(replica)),
  ]);
  return {
    name: "Valkey",
    ways,
    settingsAt: (wayPort) => {
      const url = new URL(engine.url);
      url.port = String(wayPort);
      return {
        STILE_VALKEY_URL: url.href,
        STILE_VALKEY_REPLICAS: hasReplica ? "1" : "0",
        STILE_VALKEY_HOLDS: holdsLimits ? "limits" : "all",
      };
    },
    kills: [first as Fault, ...(hasAppendOnlyFile ? others : [])],
    kill,
    start,
    isSpentIn: !holdsLimits,
    expiresAtStart,
    anewAtMs,
    answersAfterMs: isEverySecond ? SLOWER_MS.everySecond : 0,
    returnsAfterMs: hasReplica ? SLOWER_MS.replica : 0,
    stop: async () => {
      await ways.stop();
      await replica?.stop();
      await engine.stop();
    },
  };
}
