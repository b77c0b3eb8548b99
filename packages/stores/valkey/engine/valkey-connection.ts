import { randomUUID } from "node:crypto";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Redis } from "ioredis";
import { createBreaker } from "../../postgres/engine/breaker.ts";
import type { ValkeyAddress } from "./valkey-address.ts";
import { FUNCTIONS, LIBRARY } from "./valkey-functions.ts";
import { GENERATION_KEY } from "./valkey-keys.ts";
import { ValkeyProblem } from "./valkey-problem.ts";
import { findUnfit, readSettings, SETTING_NAMES, type ValkeySettings } from "./valkey-settings.ts";

/** A request waits no longer (ms) for its answer. */
export const DEADLINE_MS = 1_000;
const FULL = 'the hot store has no memory left: raise its "maxmemory"';
/** Settings can be changed under a running engine. */
const CHECK_EVERY_MS = 60_000;

/** What a run of the engine is known by. */
export type Generation = {
  readonly id: string;
  /** Stays while the data does; another one where all of it was lost. */
  readonly dataset: string;
};

/** What a command is given: texts, numbers and bytes. */
export type Argument = string | number | Uint8Array;

/** A connection that was looked over: the engine's settings let what is spent lie there, and its generation has begun. */
export type Session = { readonly client: Redis; readonly settings: ValkeySettings; readonly generation: Generation };

/** The way to the engine, opened anew when it breaks; what was on its way then is never sent again. */
export type ValkeyConnection = {
  /** One command within the deadline; rejects with StoreUnavailable for every fault, after which nobody knows whether it was done. */
  readonly call: (session: Session, command: string, args: readonly Argument[]) => Promise<unknown>;
  /** The session there is; throws StoreUnavailable where there is none. */
  readonly session: () => Session;
  /** Ends a session whose engine turned out not to be what it was, or the one there is; the next one looks it over anew. */
  readonly leave: (session?: Session) => void;
  /** Names the data that was found there last. */
  readonly dataset: () => string;
  /** How long (ms) an answer is waited for. */
  readonly deadlineMs: number;
  readonly close: () => Promise<void>;
};

/** Where it is, the clock by which tokens are issued, and how long (ms) an answer is waited for. */
export type ValkeyPlan = {
  readonly address: ValkeyAddress;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
};

async function openClient({ address, deadlineMs }: ValkeyPlan): Promise<Redis> {
  // Loaded here, so that a start without it does not pay for the driver.
  const { Redis } = await import("ioredis");
  const { host, port, username, password, database, isEncrypted } = address;
  const client = new Redis({
    ...{ host, port, db: database, protocol: 2, lazyConnect: true, enableReadyCheck: false },
    ...{ connectTimeout: deadlineMs, commandTimeout: deadlineMs, disconnectTimeout: 100 },
    // Whatever was on its way has an unknown outcome and must not be sent twice; connections are opened anew here alone.
    ...{
      retryStrategy: null,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isEncrypted ? { tls: {} } : {}),
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function readClientSettings(client: Redis): Promise<ValkeySettings> {
  const info = `${await client.info("server")}\r\n${await client.info("replication")}`;
  return readSettings(info, (await client.call("CONFIG", "GET", ...SETTING_NAMES)) as string[]);
}

async function loadFunctions(client: Redis): Promise<void> {
  try {
    await client.call("FUNCTION", "LOAD", LIBRARY);
  } catch (fault) {
    // Another node was quicker.
    if (!/already exists/.test((fault as Error).message)) throw fault;
  }
}

/** Loads the functions only where they are not: an engine without memory left takes none, and needs none. */
async function beginGeneration(client: Redis, id: string, nowMs: number): Promise<Generation> {
  const begin = async (): Promise<Generation> => {
    const args = [FUNCTIONS.begin, 1, GENERATION_KEY, id, nowMs, randomUUID()];
    return { id, dataset: (await client.call("FCALL", ...args)) as string };
  };
  try {
    return await begin();
  } catch (fault) {
    if (!/Function not found/i.test((fault as Error).message)) throw fault;
    await loadFunctions(client);
    return await begin();
  }
}

/** Connects and looks the engine over; rejects with ValkeyProblem where what is spent may not lie there. */
async function openSession(plan: ValkeyPlan): Promise<Session> {
  const { host, port } = plan.address;
  const client = await openClient(plan);
  try {
    const settings = await readClientSettings(client);
    const unfit = findUnfit(settings);
    if (unfit !== undefined) throw new ValkeyProblem(`The Valkey at ${host}:${port} ${unfit}.`);
    return { client, settings, generation: await beginGeneration(client, settings.runId, plan.nowMs()) };
  } catch (fault) {
    client.disconnect();
    throw fault;
  }
}

function explainOpening(fault: unknown, { host, port }: ValkeyAddress): unknown {
  const { message = "" } = Object(fault) as Error;
  if (fault instanceof ValkeyProblem) return fault;
  const cause = { cause: fault };
  if (/NOAUTH|WRONGPASS/.test(message)) {
    return new ValkeyProblem(
      `The Valkey at ${host}:${port} does not let us in; check user and password in STILE_VALKEY_URL.`,
      cause,
    );
  }
  if (/NOPERM|unknown command/.test(message)) {
    const needed = "INFO, CONFIG GET, FUNCTION LOAD, FCALL, SCAN and the keys stile:*";
    return new ValkeyProblem(
      `The Valkey at ${host}:${port} refuses a command (${message}); the user needs ${needed}.`,
      cause,
    );
  }
  return new ValkeyProblem(
    `The Valkey at ${host}:${port} can't be used (${message}); check STILE_VALKEY_URL, and that it runs.`,
    cause,
  );
}

/** Opens the way to the engine; rejects with ValkeyProblem, whose message says to the operator what to do. */
export async function openValkeyConnection(plan: ValkeyPlan): Promise<ValkeyConnection> {
  let current: Session | undefined;
  let dataset = "";
  let isClosed = false;
  const watch = (session: Session): void => {
    if (isClosed) {
      session.client.disconnect();
      return;
    }
    current = session;
    dataset = session.generation.dataset;
    session.client.once("close", () => drop(session));
  };
  const breaker = createBreaker(async () => watch(await openSession(plan)));
  const drop = (session: Session): void => {
    // Each call that a broken connection fails comes here; one that isn't the current one was ended before.
    if (current !== session) return;
    current = undefined;
    session.client.disconnect();
    breaker.onFault(true);
  };
  const call: ValkeyConnection["call"] = async (session, command, args) => {
    try {
      return await session.client.call(
        command,
        ...args.map((arg) => (arg instanceof Uint8Array ? Buffer.from(arg) : arg)),
      );
    } catch (cause) {
      // A refusal before anything was done: the connection is as good as before.
      if (/^OOM /.test((cause as Error).message)) throw new StoreUnavailable(FULL, { cause });
      // Whatever else it was - no answer, a broken connection, an engine that loads, or lost its functions - is looked at anew.
      drop(session);
      throw new StoreUnavailable("the hot store does not answer", { cause });
    }
  };
  const check = async (): Promise<void> => {
    const session = current;
    if (session === undefined) return;
    try {
      const settings = await readClientSettings(session.client);
      if (findUnfit(settings) !== undefined || settings.runId !== session.generation.id) drop(session);
    } catch {
      drop(session);
    }
  };
  try {
    watch(await openSession(plan));
  } catch (fault) {
    throw explainOpening(fault, plan.address);
  }
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return {
    call,
    deadlineMs: plan.deadlineMs,
    session: () => {
      if (current === undefined) throw new StoreUnavailable("the hot store does not answer");
      return current;
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
      session?.client.disconnect();
    },
  };
}
