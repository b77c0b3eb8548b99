import { GENERATION_KEY } from "@stile/stores/valkey/engine/valkey-keys";
import { readSettings } from "@stile/stores/valkey/engine/valkey-settings";
import { startValkey, type ThrowAwayValkey } from "../valkey/throw-away-valkey.ts";
import { type Fault, inTurn } from "./faults.ts";
import type { TorturedEngine } from "./tortured-engine.ts";
import { createWays } from "./ways.ts";

/** How far the engine, and what the servers make of it, are as they should be (decision 0039). */
export type TorturedValkeyPlan = {
  /** Else it keeps nothing beyond its process, and the ways to it say that it does: the servers would refuse it. */
  readonly hasAppendOnlyFile: boolean;
  /** Else each new run of the engine passes for the one before, however much of it is lost: only what it kept speaks against a double. */
  readonly hasFence: boolean;
};

const WITHOUT_FILE = "$10\r\nappendonly\r\n$2\r\nno\r\n";
const WITH_FILE = "$10\r\nappendonly\r\n$3\r\nyes\r\n";

function claimFile(answer: Buffer): Buffer {
  return answer.includes(WITHOUT_FILE)
    ? Buffer.from(answer.toString("latin1").replace(WITHOUT_FILE, WITH_FILE), "latin1")
    : answer;
}

/** Lets the engine's present run be the one that servers know already, with nothing before it that counts as expired. */
async function passForKnown(engine: ThrowAwayValkey): Promise<void> {
  const client = await engine.connect();
  const info = `${await client.info("server")}\r\n${await client.info("replication")}`;
  await client.hset(GENERATION_KEY, { id: readSettings(info, []).runId, fence: -1, dataset: "the same as ever" });
  client.disconnect();
}

/** Starts a Valkey, or Redis, with an fsync for each write. */
export async function startTorturedValkey({
  hasAppendOnlyFile,
  hasFence,
}: TorturedValkeyPlan): Promise<TorturedEngine> {
  const engine = await startValkey(
    hasAppendOnlyFile ? { appendFsync: "always" } : { appendFsync: "off", settings: [["appendfsync", "always"]] },
  );
  const ways = createWays("Valkey", engine.port, hasAppendOnlyFile ? undefined : claimFile);
  const anewAtMs: number[] = [];
  if (!hasFence) await passForKnown(engine);
  const kill = async (): Promise<void> => {
    // Nobody may find the next run before it passes for this one.
    if (!hasFence) ways.setAll("cut");
    await engine.kill();
  };
  const start = async (): Promise<void> => {
    if (hasFence) anewAtMs.push(performance.now());
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
  const [first, ...others] = inTurn([
    { name: "Valkey killed", isKill: true, run: killAndStart },
    { name: "Valkey killed while it rewrites its file", isKill: true, run: killRewriting },
  ]);
  return {
    name: "Valkey",
    ways,
    settingsAt: (wayPort) => {
      const url = new URL(engine.url);
      url.port = String(wayPort);
      return { STILE_VALKEY_URL: url.href };
    },
    kills: [first as Fault, ...(hasAppendOnlyFile ? others : [])],
    kill,
    start,
    isSpentIn: true,
    expiresAtStart: hasFence,
    anewAtMs,
    stop: async () => {
      await ways.stop();
      await engine.stop();
    },
  };
}
