import { randomUUID } from "node:crypto";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Redis } from "ioredis";
import { createBreaker } from "../../postgres/engine/breaker.ts";
import { countWaiting, createAcknowledgement, tryWaits } from "./acknowledgement.ts";
import {
  describeAbsent,
  describeForLimits,
  describeValkey,
  placeOf,
  type ValkeyDescription,
} from "./describe-valkey.ts";
import { endWithin } from "./end-within.ts";
import { explainOpening } from "./explain-opening.ts";
import { readValkeyAddress } from "./valkey-address.ts";
import { connect, connectAll, readClientSettings, type ValkeyPlan } from "./valkey-client.ts";
import { FUNCTIONS, LIBRARY } from "./valkey-functions.ts";
import { GENERATION_KEY, rateNames } from "./valkey-keys.ts";
import { ValkeyProblem } from "./valkey-problem.ts";
import { answersBeforeDisk, findUnfit, type ValkeySettings, type Wanted } from "./valkey-settings.ts";

/** The longest that a request waits for an answer, ms. */
export const DEADLINE_MS = 1_000;
/** A call and the wait for its write together may take this many deadlines of a call, so that nobody waits 2 s. */
const WHOLE_SHARE = 1.9;
/** Of these deadlines the engine may use this many for each wait: a second between fsyncs, and a bit for the fsync. */
const WAIT_SHARE = 1.5;
const FULL = 'the hot store has no memory left: raise its "maxmemory"';
/** Settings can be changed while an engine runs, so they are checked this often. */
const CHECK_EVERY_MS = 10_000;

/** What identifies a run of the engine. */
export type Generation = {
  readonly id: string;
  /** Stays the same while the data does; changes if all of it was lost. */
  readonly dataset: string;
};

/** The arguments of a command: texts, numbers and bytes. */
export type Argument = string | number | Uint8Array;

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

/** The connection to the engine, opened anew when it breaks; a command in flight is never sent again. */
export type ValkeyConnection = {
  /**
   * Sends one command within the deadline; rejects with StoreUnavailable for every fault: its outcome is then unknown.
   */
  readonly call: (session: Session, command: string, args: readonly Argument[]) => Promise<unknown>;
  /**
   * Resolves when the answers of the session's calls are durable: on the disk, and at all replicas. Rejects with
   * StoreUnavailable if that is not certain in time, counted from the moment (ms, `performance.now`) at which the work
   * began.
   */
  readonly acknowledge: (session: Session, sinceMs: number) => Promise<void>;
  /** The current session; throws StoreUnavailable if there is none. */
  readonly session: () => Session;
  /** How the engine is set now, or why it can't be asked. */
  readonly describe: () => Promise<ValkeyDescription>;
  /** Ends a session whose engine turned out to have changed, or the current one; the next session checks it anew. */
  readonly leave: (session?: Session) => void;
  /** Identifies the data that was last found there. */
  readonly dataset: () => string;
  /** How long an answer is waited for, ms. */
  readonly deadlineMs: number;
  readonly close: () => Promise<void>;
};

async function describe(
  client: Redis,
  { address, nowMs, replicas: wantedReplicas, holds }: ValkeyPlan,
  readSettings = () => readClientSettings(client, holds),
): Promise<ValkeyDescription> {
  if (holds === "limits") return describeForLimits(await readSettings(), address);
  const fence = Number((await client.hget(GENERATION_KEY, "fence")) ?? 0);
  return describeValkey(await readSettings(), address, { fenceAheadMs: fence - nowMs(), wantedReplicas });
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

async function beginGeneration(client: Redis, id: string, { holds, nowMs }: ValkeyPlan): Promise<Generation> {
  if (holds === "all") {
    const args = [FUNCTIONS.begin, 1, GENERATION_KEY, id, nowMs(), randomUUID()];
    return { id, dataset: (await callLoaded(client, ...args)) as string };
  }
  // Tries a real call: nothing else would show that it accepts no writes. Lost limits make nothing valid again: no
  // fence.
  await callLoaded(client, FUNCTIONS.consume, 2, ...rateNames("opened:", 0), 1, 0);
  return { id, dataset: "" };
}

/** Connections that wait for the disk and the replicas, if the engine answers before these have what was spent. */
async function openWaiting(
  plan: ValkeyPlan,
  settings: ValkeySettings,
): Promise<Pick<Session, "acknowledge" | "waiting">> {
  const demand = { needsDisk: answersBeforeDisk(settings), replicas: plan.replicas };
  const count = countWaiting(demand);
  if (count === 0) return { acknowledge: undefined, waiting: [] };
  const longestMs = plan.deadlineMs * WAIT_SHARE;
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
async function openSession(plan: ValkeyPlan): Promise<Session> {
  return await connect(plan, async (client) => {
    const settings = await readClientSettings(client, plan.holds);
    const [unfit] = findUnfit(settings, plan);
    if (unfit !== undefined) throw new ValkeyProblem(`${placeOf(plan.address)} ${unfit.lack}: ${unfit.cure}.`);
    const generation = await beginGeneration(client, settings.runId, plan);
    return { client, settings, generation, ...(await openWaiting(plan, settings)) };
  });
}

/** Inspects the engine at the address without changing it. Rejects with ValkeyProblem if it can't be reached. */
export async function inspectValkey(
  url: string,
  wanted: Wanted = { holds: "all", replicas: 0 },
): Promise<ValkeyDescription> {
  const plan = { ...wanted, address: readValkeyAddress(url), nowMs: Date.now, deadlineMs: DEADLINE_MS };
  try {
    return await connect(plan, async (client) => {
      const description = await describe(client, plan);
      client.disconnect();
      return description;
    });
  } catch (fault) {
    throw explainOpening(fault, plan);
  }
}

/** Why the engine can't be used, undefined at first; reports when that begins and ends. */
function keepProblem({ onProblem }: ValkeyPlan) {
  let known: ValkeyProblem | undefined;
  const set = (now: ValkeyProblem | undefined): ValkeyProblem | undefined => {
    const isOther = (known === undefined) !== (now === undefined);
    known = now;
    if (isOther) onProblem?.(now);
    return now;
  };
  return { get: () => known, set };
}

const clientsOf = ({ client, waiting }: Session): readonly Redis[] => [client, ...waiting];

function disconnect(session: Session): void {
  for (const client of clientsOf(session)) client.disconnect();
}

/**
 * Opens the connection to the engine; rejects with ValkeyProblem, whose message tells the operator what to do. If only
 * limits are kept there it never rejects, but keeps trying.
 */
export async function openValkeyConnection(plan: ValkeyPlan): Promise<ValkeyConnection> {
  let current: Session | undefined;
  let dataset = "";
  let isClosed = false;
  const watch = (session: Session): void => {
    if (isClosed) {
      disconnect(session);
      return;
    }
    current = session;
    dataset = session.generation.dataset;
    for (const client of clientsOf(session)) client.once("close", () => drop(session));
  };
  const problem = keepProblem(plan);
  const open = async (): Promise<void> => {
    try {
      watch(await openSession(plan));
      problem.set(undefined);
    } catch (fault) {
      throw problem.set(explainOpening(fault, plan));
    }
  };
  const breaker = createBreaker(open);
  const drop = (session: Session): void => {
    // Every call that fails with a broken connection comes here; a session that isn't the current one was ended before.
    if (current !== session) return;
    current = undefined;
    disconnect(session);
    breaker.onFault(true);
  };
  const fail = (session: Session, cause: unknown): StoreUnavailable => {
    if (cause instanceof StoreUnavailable) return cause;
    // A refusal before anything was done: the connection is as good as before.
    if (/^OOM /.test((cause as Error).message)) return new StoreUnavailable(FULL, { cause });
    // Any other fault - no answer, a broken connection, an engine that loads, or lost its functions - needs a new
    // check.
    drop(session);
    return new StoreUnavailable("the hot store does not answer", { cause });
  };
  const call: ValkeyConnection["call"] = async (session, command, args) => {
    try {
      return await session.client.call(
        command,
        ...args.map((arg) => (arg instanceof Uint8Array ? Buffer.from(arg) : arg)),
      );
    } catch (cause) {
      throw fail(session, cause);
    }
  };
  const acknowledge: ValkeyConnection["acknowledge"] = async (session, sinceMs) => {
    if (session.acknowledge === undefined) return;
    const leftMs = plan.deadlineMs * WHOLE_SHARE - (performance.now() - sinceMs);
    // A wait that fails after its caller has stopped waiting ends the session too.
    const arrival = session.acknowledge().catch((cause: unknown) => {
      throw fail(session, cause);
    });
    await endWithin(leftMs, arrival);
  };
  /** Settings can change during a session, and replicas come and go: if they no longer fit, the session ends. */
  const lookOver = async (session: Session): Promise<ValkeySettings> => {
    const settings = await readClientSettings(session.client, plan.holds);
    const isFit = findUnfit(settings, plan).length === 0 && settings.runId === session.generation.id;
    if (!isFit || answersBeforeDisk(settings) !== answersBeforeDisk(session.settings)) drop(session);
    return settings;
  };
  const check = async (): Promise<void> => {
    const session = current;
    if (session === undefined) return;
    // Waiting connections are seldom used where little is spent; without this, firewalls between would drop them as
    // idle.
    const demand = { needsDisk: answersBeforeDisk(session.settings), replicas: plan.replicas };
    const uses = [lookOver(session), ...session.waiting.map((client) => tryWaits(client, demand))];
    await Promise.all<unknown>(uses).catch(() => drop(session));
  };
  await open().catch((fault: unknown) => {
    if (plan.holds === "all") throw fault;
    breaker.onFault(true);
  });
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return {
    call,
    acknowledge,
    deadlineMs: plan.deadlineMs,
    session: () => {
      if (current === undefined) throw new StoreUnavailable("the hot store does not answer", { cause: problem.get() });
      return current;
    },
    describe: async () => {
      const session = current;
      if (session === undefined) return describeAbsent(plan.address, plan.holds, problem.get());
      try {
        return await describe(session.client, plan, () => lookOver(session));
      } catch {
        drop(session);
        return describeAbsent(plan.address, plan.holds, problem.get());
      }
    },
    leave: (session = current) => {
      if (session !== undefined) drop(session);
    },
    dataset: () => dataset,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      breaker.stop();
      const session = current;
      current = undefined;
      if (session !== undefined) disconnect(session);
    },
  };
}
