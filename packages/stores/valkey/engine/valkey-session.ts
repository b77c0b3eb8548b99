import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { countWaiting, createAcknowledgement, tryWaits } from "./acknowledgement.ts";
import { placeOf } from "./describe-valkey.ts";
import { connect, connectAll, readClientSettings, type ValkeyPlan } from "./valkey-client.ts";
import { FUNCTIONS, LIBRARY } from "./valkey-functions.ts";
import { GENERATION_KEY, rateNames } from "./valkey-keys.ts";
import { ValkeyProblem } from "./valkey-problem.ts";
import { answersBeforeDisk, findUnfit, type ValkeySettings } from "./valkey-settings.ts";

/** The engine's own time for each wait, in deadlines of a call: a second between fsyncs, and a bit for the fsync. */
const WAIT_DEADLINES = 1.5;

/** What identifies the data in a run of the engine. */
export type Generation = {
  /** Stays the same while the process runs and keeps what is spent; drawn anew if anything of it may be lost. */
  readonly beginning: string;
  /** Stays the same while the data does; changes if all of it was lost. */
  readonly dataset: string;
};

/** A checked connection: the engine's settings allow spends to be kept there, and its generation has begun. */
export type Session = {
  readonly client: Redis;
  readonly settings: ValkeySettings;
  readonly generation: Generation;
  /** Resolves when all that was answered is where it must be; undefined if the engine itself waits for that. */
  readonly acknowledge: (() => Promise<void>) | undefined;
  /** Connections that wait for this. */
  readonly waiting: readonly Redis[];
};

/** All connections of a session. */
export const clientsOf = ({ client, waiting }: Session): readonly Redis[] => [client, ...waiting];

/** Closes them. */
export function disconnect(session: Session): void {
  for (const client of clientsOf(session)) client.disconnect();
}

async function loadFunctions(client: Redis): Promise<void> {
  try {
    await client.call("FUNCTION", "LOAD", LIBRARY);
  } catch (fault) {
    // Another node was faster.
    if (!/already exists/.test((fault as Error).message)) throw fault;
  }
}

/**
 * Calls a function; loads the library only if it is missing: an engine without free memory takes none, and needs none.
 */
async function callLoaded(client: Redis, ...args: readonly (string | number)[]): Promise<unknown> {
  try {
    return await client.call("FCALL", ...args);
  } catch (fault) {
    if (!/Function not found/i.test((fault as Error).message)) throw fault;
    await loadFunctions(client);
    return await client.call("FCALL", ...args);
  }
}

async function beginGeneration(client: Redis, runId: string, plan: ValkeyPlan): Promise<Generation> {
  if (plan.holds === "all") {
    const args = [FUNCTIONS.begin, 1, GENERATION_KEY, runId, plan.nowMs(), randomUUID(), plan.address.database];
    const [beginning, dataset] = (await callLoaded(client, ...args)) as [string, string];
    return { beginning, dataset };
  }
  // Tries a real call: nothing else would show that it accepts no writes. Lost limits make nothing valid again: no
  // fence.
  await callLoaded(client, FUNCTIONS.consume, 2, ...rateNames("opened:", 0), 1, 0);
  return { beginning: "", dataset: "" };
}

/** Connections that wait for the disk and the replicas, if the engine answers before these have what was spent. */
async function openWaiting(
  plan: ValkeyPlan,
  settings: ValkeySettings,
): Promise<Pick<Session, "acknowledge" | "waiting">> {
  const demand = { needsDisk: answersBeforeDisk(settings), replicas: plan.replicas };
  const count = countWaiting(demand);
  if (count === 0) return { acknowledge: undefined, waiting: [] };
  const longestMs = plan.deadlineMs * WAIT_DEADLINES;
  const check = async (client: Redis): Promise<void> => {
    const { runId } = await readClientSettings(client, plan.holds);
    if (runId !== settings.runId) throw new Error("several servers answer at that address");
    await tryWaits(client, demand);
  };
  // The engine itself ends each of the two waits in time.
  const waiting = await connectAll({ ...plan, deadlineMs: longestMs * 3 }, count, check);
  return { acknowledge: createAcknowledgement(waiting, demand, longestMs), waiting };
}

/** Connects and checks the engine; rejects with ValkeyProblem if spends must not be kept there. */
export async function openSession(plan: ValkeyPlan): Promise<Session> {
  return await connect(plan, async (client) => {
    const settings = await readClientSettings(client, plan.holds);
    const [unfit] = findUnfit(settings, plan);
    if (unfit !== undefined) throw new ValkeyProblem(`${placeOf(plan.address)} ${unfit.lack}: ${unfit.cure}.`);
    const generation = await beginGeneration(client, settings.runId, plan);
    return { client, settings, generation, ...(await openWaiting(plan, settings)) };
  });
}
