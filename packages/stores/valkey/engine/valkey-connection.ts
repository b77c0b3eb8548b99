import { randomUUID } from "node:crypto";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Redis } from "ioredis";
import { createBreaker } from "../../postgres/engine/breaker.ts";
import { describeValkey, placeOf, type ValkeyDescription } from "./describe-valkey.ts";
import { readValkeyAddress, type ValkeyAddress } from "./valkey-address.ts";
import { FUNCTIONS, LIBRARY } from "./valkey-functions.ts";
import { GENERATION_KEY } from "./valkey-keys.ts";
import { ValkeyProblem } from "./valkey-problem.ts";
import { findUnfit, readSettings, SETTING_NAMES, type ValkeySettings } from "./valkey-settings.ts";
import { explainTls, readTlsOptions } from "./valkey-tls.ts";

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

/** Where it is, the clock by which tokens are issued, and how long (ms) an answer is waited for. */
export type ValkeyPlan = {
  readonly address: ValkeyAddress;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
};

/** Connects and does work with the client, which stays open; where anything fails it ends, and what is thrown is why the connection broke. */
async function connect<Result>(
  { address, deadlineMs }: ValkeyPlan,
  work: (client: Redis) => Promise<Result>,
): Promise<Result> {
  // Loaded here, so that a start without it does not pay for the driver.
  const { Redis } = await import("ioredis");
  const { host, port, username, password, database } = address;
  const tls = readTlsOptions(address);
  const client = new Redis({
    ...{ host, port, protocol: 2, lazyConnect: true, enableReadyCheck: false },
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
    ...(tls === undefined ? {} : { tls }),
  });
  // Of a connection that is not made, or closed by the other side over who this one is, the driver says why only here.
  let reason: unknown;
  client.on("error", (fault) => {
    reason ??= fault;
  });
  try {
    await client.connect();
    // Left to the driver, one that there is not would go unnoticed, and another be used.
    if (database !== 0) await client.select(database);
    return await work(client);
  } catch (fault) {
    client.disconnect();
    throw reason ?? fault;
  }
}

async function readClientSettings(client: Redis): Promise<ValkeySettings> {
  const info = `${await client.info("server")}\r\n${await client.info("replication")}\r\n${await client.info("memory")}`;
  return readSettings(info, (await client.call("CONFIG", "GET", ...SETTING_NAMES)) as string[]);
}

async function describe(client: Redis, { address, nowMs }: ValkeyPlan): Promise<ValkeyDescription> {
  const fence = Number((await client.hget(GENERATION_KEY, "fence")) ?? 0);
  return describeValkey(await readClientSettings(client), address, fence - nowMs());
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
  return await connect(plan, async (client) => {
    const settings = await readClientSettings(client);
    const [unfit] = findUnfit(settings);
    if (unfit !== undefined) throw new ValkeyProblem(`${placeOf(plan.address)} ${unfit.lack}: ${unfit.cure}.`);
    return { client, settings, generation: await beginGeneration(client, settings.runId, plan.nowMs()) };
  });
}

function explainOpening(fault: unknown, address: ValkeyAddress): ValkeyProblem {
  const { message = "" } = Object(fault) as Error;
  if (fault instanceof ValkeyProblem) return fault;
  const place = placeOf(address);
  const cause = { cause: fault };
  const ofTls = explainTls(fault, place);
  if (ofTls !== undefined) return new ValkeyProblem(ofTls, cause);
  if (/NOAUTH|WRONGPASS/.test(message)) {
    return new ValkeyProblem(`${place} does not let us in; check user and password in STILE_VALKEY_URL.`, cause);
  }
  if (/NOPERM|unknown command/.test(message)) {
    const needed = "INFO, CONFIG GET, FUNCTION LOAD, FCALL, SCAN, HGET, HEXISTS, SELECT and the keys stile:*";
    return new ValkeyProblem(`${place} refuses a command (${message}); the user needs ${needed}.`, cause);
  }
  if (/DB index is out of range/.test(message)) {
    const cure = "name another at the end of STILE_VALKEY_URL";
    return new ValkeyProblem(`${place} has no database ${address.database}; ${cure}.`, cause);
  }
  const port = address.isEncrypted ? "that its port speaks TLS and asks for no certificate (sslcert, sslkey), " : "";
  return new ValkeyProblem(
    `${place} can't be used (${message}); check STILE_VALKEY_URL, ${port}and that it runs.`,
    cause,
  );
}

/** Looks at the engine that the address names, and changes nothing. Rejects with ValkeyProblem if it can't be reached. */
export async function inspectValkey(url: string): Promise<ValkeyDescription> {
  const plan = { address: readValkeyAddress(url), nowMs: Date.now, deadlineMs: DEADLINE_MS };
  try {
    return await connect(plan, async (client) => {
      const description = await describe(client, plan);
      client.disconnect();
      return description;
    });
  } catch (fault) {
    throw explainOpening(fault, plan.address);
  }
}

function describeAbsent(address: ValkeyAddress, problem: ValkeyProblem | undefined): ValkeyDescription {
  const reason = problem?.message ?? `${placeOf(address)} does not answer.`;
  const text = `${reason} Until it is back, redemptions, submissions and scores are answered 503.`;
  // What is less than strict is not connected to.
  return { engine: "Valkey out of reach", durability: "strict", findings: [{ level: "fail", text }] };
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
  let problem: ValkeyProblem | undefined;
  const open = async (): Promise<void> => {
    try {
      watch(await openSession(plan));
      problem = undefined;
    } catch (fault) {
      problem = explainOpening(fault, plan.address);
      throw problem;
    }
  };
  const breaker = createBreaker(open);
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
      if (findUnfit(settings).length > 0 || settings.runId !== session.generation.id) drop(session);
    } catch {
      drop(session);
    }
  };
  await open();
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return {
    call,
    deadlineMs: plan.deadlineMs,
    session: () => {
      if (current === undefined) throw new StoreUnavailable("the hot store does not answer", { cause: problem });
      return current;
    },
    describe: async () => {
      const session = current;
      if (session === undefined) return describeAbsent(plan.address, problem);
      try {
        return await describe(session.client, plan);
      } catch {
        drop(session);
        return describeAbsent(plan.address, problem);
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
      session?.client.disconnect();
    },
  };
}
