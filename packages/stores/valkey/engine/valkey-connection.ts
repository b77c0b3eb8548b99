import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { endWithin } from "../../end-within.ts";
import { createBreaker } from "../../postgres/engine/breaker.ts";
import { tryWaits } from "./acknowledgement.ts";
import { describeAbsent, type ValkeyDescription } from "./describe-valkey.ts";
import { explainOpening } from "./explain-opening.ts";
import { describeConnected } from "./inspect-valkey.ts";
import { DEADLINE_MS, readClientSettings, type ValkeyPlan } from "./valkey-client.ts";
import type { ValkeyProblem } from "./valkey-problem.ts";
import { clientsOf, disconnect, openSession, type Session } from "./valkey-session.ts";
import { answersBeforeDisk, findUnfit, type ValkeySettings } from "./valkey-settings.ts";

/** How long a call and the wait for its write may take together, in deadlines of a call: nobody waits 2 s. */
const WHOLE_DEADLINES = 1.9;
/** What is said of a wait that takes too long, whichever of the two stores it is for. */
export const TOO_SLOW = "the stores answer too slowly";
const SILENT = "the hot store does not answer";
const FULL = 'the hot store has no memory left: raise its "maxmemory"';
/** Settings can be changed while an engine runs, so they are checked this often. */
const CHECK_EVERY_MS = 10_000;

/** The arguments of a command: texts, numbers and bytes. */
export type Argument = string | number | Uint8Array;

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
  /**
   * The same for what a restart may forget: it waits for replicas alone. A primary that was left behind answers, too,
   * but is not the one that other nodes ask.
   */
  readonly copied: (session: Session, sinceMs: number) => Promise<void>;
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

/** Keeps a session: when it ends, another one is opened as soon as the engine answers. */
function createSessionKeeper(plan: ValkeyPlan) {
  let current: Session | undefined;
  let dataset = "";
  let isClosed = false;
  const problem = keepProblem(plan);
  const adopt = (session: Session): void => {
    if (isClosed) {
      disconnect(session);
      return;
    }
    current = session;
    dataset = session.generation.dataset;
    for (const client of clientsOf(session)) client.once("close", () => drop(session));
  };
  const open = async (): Promise<void> => {
    try {
      adopt(await openSession(plan));
      problem.set(undefined);
    } catch (fault) {
      throw problem.set(explainOpening(fault, plan));
    }
  };
  const breaker = createBreaker(open);
  /** Ends a session. Every call that fails with a broken connection comes here, also of a session that was ended before. */
  const drop = (session: Session): void => {
    if (current !== session) return;
    current = undefined;
    disconnect(session);
    breaker.open();
  };
  return {
    current: () => current,
    dataset: () => dataset,
    problem: problem.get,
    drop,
    /** Opens the first session. Where only limits are kept it never rejects, but keeps trying. */
    start: async (): Promise<void> => {
      await open().catch((fault: unknown) => {
        if (plan.holds === "all") throw fault;
        breaker.open();
      });
    },
    close: (): void => {
      isClosed = true;
      breaker.stop();
      const session = current;
      current = undefined;
      if (session !== undefined) disconnect(session);
    },
  };
}

/**
 * Opens the connection to the engine; rejects with ValkeyProblem, whose message tells the operator what to do. If only
 * limits are kept there it never rejects, but keeps trying.
 */
export async function openValkeyConnection(
  given: Omit<ValkeyPlan, "deadlineMs"> & { readonly deadlineMs?: number | undefined },
): Promise<ValkeyConnection> {
  const plan: ValkeyPlan = { ...given, deadlineMs: given.deadlineMs ?? DEADLINE_MS };
  const keeper = createSessionKeeper(plan);
  const toUnavailable = (session: Session, cause: unknown): StoreUnavailable => {
    if (cause instanceof StoreUnavailable) return cause;
    // A refusal before anything was done: the connection is as good as before.
    if (/^OOM /.test((cause as Error).message)) return new StoreUnavailable(FULL, { cause });
    // Any other fault - no answer, a broken connection, an engine that loads, or lost its functions - needs a new
    // check.
    keeper.drop(session);
    return new StoreUnavailable(SILENT, { cause });
  };
  /** Settings can change during a session, and replicas come and go: if they no longer fit, the session ends. */
  const lookOver = async (session: Session): Promise<ValkeySettings> => {
    const settings = await readClientSettings(session.client, plan.holds);
    const isFit = findUnfit(settings, plan).length === 0 && settings.runId === session.settings.runId;
    if (!isFit || answersBeforeDisk(settings) !== answersBeforeDisk(session.settings)) keeper.drop(session);
    return settings;
  };
  const check = async (): Promise<void> => {
    const session = keeper.current();
    if (session === undefined) return;
    // Waiting connections are seldom used where little is spent; without this, firewalls between would drop them as
    // idle.
    const demand = { needsDisk: answersBeforeDisk(session.settings), replicas: plan.replicas };
    const uses = [lookOver(session), ...session.waiting.map((client) => tryWaits(client, demand))];
    await Promise.all<unknown>(uses).catch(() => keeper.drop(session));
  };
  const describe = async (): Promise<ValkeyDescription> => {
    const session = keeper.current();
    if (session === undefined) return describeAbsent(plan.address, plan.holds, keeper.problem());
    try {
      return await describeConnected(session.client, plan, () => lookOver(session));
    } catch {
      keeper.drop(session);
      return describeAbsent(plan.address, plan.holds, keeper.problem());
    }
  };
  const acknowledge = async (session: Session, sinceMs: number): Promise<void> => {
    if (session.acknowledge === undefined) return;
    const leftMs = plan.deadlineMs * WHOLE_DEADLINES - (performance.now() - sinceMs);
    // A wait that fails after its caller has stopped waiting ends the session too.
    const arrival = session.acknowledge().catch((cause: unknown) => {
      throw toUnavailable(session, cause);
    });
    await endWithin(leftMs, arrival, TOO_SLOW);
  };
  await keeper.start();
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return {
    call: async (session, command, args) => {
      const sent = args.map((arg) => (arg instanceof Uint8Array ? Buffer.from(arg) : arg));
      try {
        return await session.client.call(command, ...sent);
      } catch (cause) {
        throw toUnavailable(session, cause);
      }
    },
    acknowledge,
    copied: async (session, sinceMs) => {
      if (plan.replicas > 0) await acknowledge(session, sinceMs);
    },
    deadlineMs: plan.deadlineMs,
    session: () => {
      const session = keeper.current();
      if (session === undefined) throw new StoreUnavailable(SILENT, { cause: keeper.problem() });
      return session;
    },
    describe,
    leave: (session = keeper.current()) => {
      if (session !== undefined) keeper.drop(session);
    },
    dataset: keeper.dataset,
    close: async () => {
      clearInterval(timer);
      keeper.close();
    },
  };
}
