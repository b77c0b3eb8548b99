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

/** A request waits no longer (ms) for its answer. */
export const DEADLINE_MS = 1_000;
/** What a call, and the wait for its write to be where it must be, may take together of the deadline of one call, so that nobody waits for 2 s. */
const WHOLE_SHARE = 1.9;
/** What the engine may take of it for each wait: with an fsync a second, that, and a bit for the fsync. */
const WAIT_SHARE = 1.5;
const FULL = 'the hot store has no memory left: raise its "maxmemory"';
/** Settings can be changed under a running engine. */
const CHECK_EVERY_MS = 10_000;

/** What a run of the engine is known by. */
export type Generation = {
  readonly id: string;
  /** Stays while the data does; another one where all of it was lost. */
  readonly dataset: string;
};

/** What a command is given: texts, numbers and bytes. */
export type Argument = string | number | Uint8Array;

/** A connection that was looked over: the engine's settings let what is spent lie there, and its generation has begun. */
export type Session = {
  readonly client: Redis;
  readonly settings: ValkeySettings;
  readonly generation: Generation;
  /** Resolves when all that was answered is where it must be; undefined where it is there before it is answered. */
  readonly acknowledge: (() => Promise<void>) | undefined;
  /** Connections that wait for that. */
  readonly waiting: readonly Redis[];
};

/** The way to the engine, opened anew when it breaks; what was on its way then is never sent again. */
export type ValkeyConnection = {
  /** One command within the deadline; rejects with StoreUnavailable for every fault, after which nobody knows whether it was done. */
  readonly call: (session: Session, command: string, args: readonly Argument[]) => Promise<unknown>;
  /**
   * Resolves when what the session's calls have answered will be remembered: it is on the disk, and at all replicas. Rejects with
   * StoreUnavailable where that is not known in time, counted from the moment (ms, `performance.now`) at which the work began.
   */
  readonly acknowledge: (session: Session, sinceMs: number) => Promise<void>;
  /** The session there is; throws StoreUnavailable where there is none. */
  readonly session: () => Session;
  /** The engine as it is set up at this moment, or why it can't be asked. */
  readonly describe: () => Promise<ValkeyDescription>;
  /** Ends a session whose engine turned out not to be what it was, or the one there is; the next one looks it over anew. */
  readonly leave: (session?: Session) => void;
  /** Names the data that was found there last. */
  readonly dataset: () => string;
  /** How long (ms) an answer is waited for. */
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
    // Another node was quicker.
    if (!/already exists/.test((fault as Error).message)) throw fault;
  }
}

/** Calls a function. Loads all of them only where they are not: an engine without memory left takes none, and needs none. */
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
  // What it is for is tried, since nothing else would show that it takes no writes. Limits that are lost let nothing count again: no fence.
  await callLoaded(client, FUNCTIONS.consume, 2, ...rateNames("opened:", 0), 1, 0);
  return { id, dataset: "" };
}

/** Connections that wait for the disk and the replicas, where the engine answers before these have what is spent. */
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
  // The engine ends each of two waits by itself.
  const waiting = await connectAll({ ...plan, deadlineMs: longestMs * 3 }, count, check);
  return { acknowledge: createAcknowledgement(waiting, demand, longestMs), waiting };
}

/** Connects and looks the engine over; rejects with ValkeyProblem where what is spent may not lie there. */
async function openSession(plan: ValkeyPlan): Promise<Session> {
  return await connect(plan, async (client) => {
    const settings = await readClientSettings(client, plan.holds);
    const [unfit] = findUnfit(settings, plan);
    if (unfit !== undefined) throw new ValkeyProblem(`${placeOf(plan.address)} ${unfit.lack}: ${unfit.cure}.`);
    const generation = await beginGeneration(client, settings.runId, plan);
    return { client, settings, generation, ...(await openWaiting(plan, settings)) };
  });
}

/** Looks at the engine that the address names, and changes nothing. Rejects with ValkeyProblem if it can't be reached. */
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

/** Why the engine can't be used, none at first; tells when that begins and ends. */
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
 * Opens the way to the engine; rejects with ValkeyProblem, whose message says to the operator what to do. Where limits alone lie there it never
 * does: it goes on trying.
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
    // Each call that a broken connection fails comes here; one that isn't the current one was ended before.
    if (current !== session) return;
    current = undefined;
    disconnect(session);
    breaker.onFault(true);
  };
  const fail = (session: Session, cause: unknown): StoreUnavailable => {
    if (cause instanceof StoreUnavailable) return cause;
    // A refusal before anything was done: the connection is as good as before.
    if (/^OOM /.test((cause as Error).message)) return new StoreUnavailable(FULL, { cause });
    // Whatever else it was - no answer, a broken connection, an engine that loads, or lost its functions - is looked at anew.
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
    // Also one that breaks when nobody waits any more ends the session.
    const arrival = session.acknowledge().catch((cause: unknown) => {
      throw fail(session, cause);
    });
    await endWithin(leftMs, arrival);
  };
  /** Settings can be changed under a session, and replicas come and go: one that is no more what it was opened as ends. */
  const lookOver = async (session: Session): Promise<ValkeySettings> => {
    const settings = await readClientSettings(session.client, plan.holds);
    const isFit = findUnfit(settings, plan).length === 0 && settings.runId === session.generation.id;
    if (!isFit || answersBeforeDisk(settings) !== answersBeforeDisk(session.settings)) drop(session);
    return settings;
  };
  const check = async (): Promise<void> => {
    const session = current;
    if (session === undefined) return;
    // Those that wait are seldom used where little is spent, and whatever lies between must not forget them.
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
