import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { createRandomBelow } from "../random-below.ts";
import { checkHistory, type RedeemCall } from "./check-history.ts";
import { type ClusterFault, scheduleFaults, type TorturedServer } from "./faults.ts";
import { type RedeemWay, redeemOnce, repeatMsOf, takesKey } from "./redeem-call.ts";

/** The service under torture: servers over one store, and their possible faults. */
export type TortureTarget = {
  readonly servers: readonly Pick<TorturedServer, "baseUrl" | "up">[];
  readonly secretKey: string;
  readonly faults: readonly ClusterFault[];
  /**
   * Kills everything once, at the end, before every token is redeemed a last time; returns the
   * number of processes.
   */
  readonly killAll: () => Promise<number>;
};

/** How hard to torture; which faults occur, and when, is determined by the seed. */
export type TorturePlan = {
  readonly tokens: number;
  /** Makes a token issued at this moment, when the race for it begins. */
  readonly mint: () => string;
  /**
   * Callers that redeem one token at once, each at another server; every other one gives an
   * idempotency key.
   */
  readonly racers: number;
  /** Tokens that are raced for at the same time. */
  readonly groups: number;
  /** The calls by which callers redeem, in turn; natively by default. */
  readonly ways?: readonly RedeemWay[];
  readonly kills: number;
  /** How often the network between servers and store breaks. */
  readonly breaks?: number;
  readonly seed: number;
  /** Receives how many of all tokens are done, in each of the two passes. */
  readonly onProgress?: (pass: "races" | "sweep", done: number) => void;
};

/** The results. */
export type TortureReport = {
  readonly tokens: number;
  readonly kills: number;
  readonly breaks: number;
  readonly calls: number;
  /** Calls whose connection ended without an answer: it is unknown whether they spent anything. */
  readonly cut: number;
  /**
   * The part of these over a connection on which another call had been answered: a clean stop cuts
   * none.
   */
  readonly cutStanding: number;
  /** Calls that were answered with 503: their outcome is unknown too. */
  readonly unavailable: number;
  /** Tokens for which a caller heard "verified". */
  readonly successes: number;
  /** Spent tokens of which no caller knows, because the answer was lost with the connection. */
  readonly lost: number;
  /**
   * Spent tokens whose callers got only a 503, which says that the outcome is not known yet (D15,
   * outage).
   */
  readonly unknown: number;
  /**
   * Tokens that a caller was told have expired; must be 0, since each lives longer than the run.
   */
  readonly expired: number;
  /** Tokens refused as used that nobody can have spent; must be 0. */
  readonly burned: number;
  /** Tokens that were redeemed more than once; must be 0. */
  readonly doubles: number;
  /** Tokens that were answered, and fresh again for a call that began later; must be 0. */
  readonly forgotten: number;
  /** Tokens whose exact repeat was refused in its time; must be 0. */
  readonly repeatsRefused: number;
};

/** How long a caller keeps asking, ms; far longer than any outage of a run. */
const PATIENCE_MS = 180_000;
const PAUSE_MS = 30;
/** One in this many tokens gets late calls, after its race. */
const LATE_ONE_IN = 4;

type Raced = { readonly token: string; readonly at: number; readonly calls: RedeemCall[] };
type Asked = { readonly raced: Raced; readonly caller: number; readonly hasKey: boolean };

function keyOf({ raced: { at }, caller, hasKey }: Asked): string | undefined {
  return hasKey ? `caller-${caller}-of-token-${at}` : undefined;
}

/** The way of a caller, another one for each token. */
function wayOf(
  ways: readonly RedeemWay[],
  { raced, caller, hasKey }: Asked,
): RedeemWay | undefined {
  const able = hasKey ? ways.filter(takesKey) : ways;
  return able[(raced.at + caller) % able.length];
}

/** Calls until there is an answer, each time at the next server; records what happened. */
function createCaller(
  target: TortureTarget,
  ways: readonly RedeemWay[],
  onEvent: () => void,
  onStandingCut: () => void,
) {
  return async (agent: Agent, asked: Asked): Promise<void> => {
    const { raced, caller } = asked;
    const way = wayOf(ways, asked);
    const message = { token: raced.token, idempotencyKey: keyOf(asked), way };
    const startedAtMs = performance.now();
    for (let tries = raced.at + caller; performance.now() - startedAtMs < PATIENCE_MS; tries++) {
      const server = target.servers[tries % target.servers.length];
      if (server === undefined) throw new Error("there is no server to call");
      await server.up();
      const sentAtMs = performance.now();
      const answer = redeemOnce(server.baseUrl, target.secretKey, agent, message);
      onEvent();
      const { outcome, isStanding = false } = await answer;
      onEvent();
      if (outcome === "cut" && isStanding) onStandingCut();
      if (outcome === "limited") throw new Error("the site's limit is too low for this test");
      if (outcome !== "unsent") {
        const repeatMs = repeatMsOf(way ?? "native");
        raced.calls.push({ ...message, repeatMs, sentAtMs, endedAtMs: performance.now(), outcome });
      }
      if (outcome !== "unsent" && outcome !== "unavailable" && outcome !== "cut") return;
      await delay(PAUSE_MS);
    }
    throw new Error("a caller never got an outcome");
  };
}

/** Counts the results of the calls of all tokens. */
function report(raced: readonly Raced[]): Omit<TortureReport, "kills" | "breaks" | "cutStanding"> {
  const calls = raced.flatMap((one) => one.calls);
  const checked = raced.map((one) => checkHistory(one.calls));
  const countCalls = (wanted: RedeemCall["outcome"]): number =>
    calls.filter(({ outcome }) => outcome === wanted).length;
  const countSpent = (wanted: string): number =>
    checked.filter(({ spent }) => spent === wanted).length;
  const countWrong = (wanted: (typeof checked)[number]["wrong"][number]): number =>
    checked.filter(({ wrong }) => wrong.includes(wanted)).length;
  return {
    tokens: raced.length,
    calls: calls.length,
    cut: countCalls("cut"),
    unavailable: countCalls("unavailable"),
    successes: countSpent("told"),
    lost: countSpent("lost"),
    unknown: countSpent("unknown"),
    expired: raced.filter(({ calls: heard }) => heard.some(({ outcome }) => outcome === "expired"))
      .length,
    burned: countWrong("burned"),
    doubles: countWrong("double"),
    forgotten: countWrong("forgotten"),
    repeatsRefused: countWrong("repeat_refused"),
  };
}

/** The tokens of a plan, each made and recorded on request. */
function* mintEach({ tokens, mint }: TorturePlan, raced: Raced[]): Generator<Raced> {
  for (let at = 0; at < tokens; at++) {
    const one = { token: mint(), at, calls: [] };
    raced.push(one);
    yield one;
  }
}

/** Lets workers take the tokens one after another. */
async function eachOf<Worker>(
  waiting: IterableIterator<Raced>,
  workers: readonly Worker[],
  work: (worker: Worker, one: Raced) => Promise<void>,
  onDone: (done: number) => void,
): Promise<void> {
  let done = 0;
  await Promise.all(
    workers.map(async (worker) => {
      for (const one of waiting) {
        await work(worker, one);
        onDone(++done);
      }
    }),
  );
}

/**
 * Races for every token, each caller asking until it gets an answer, while processes are killed and
 * the network breaks. Some tokens are redeemed once more, late, with a used key and without one.
 * Then it kills everything, and redeems every token a last time.
 */
export async function torture(target: TortureTarget, plan: TorturePlan): Promise<TortureReport> {
  const calls = plan.tokens * plan.racers;
  const schedule = scheduleFaults(target.faults, { ...plan, breaks: plan.breaks ?? 0, calls });
  const random = createRandomBelow(plan.seed + 1);
  const raced: Raced[] = [];
  const groups = Array.from({ length: plan.groups }, () =>
    Array.from({ length: plan.racers }, () => new Agent({ keepAlive: true, maxSockets: 1 })),
  );
  let cutStanding = 0;
  const call = createCaller(target, plan.ways ?? ["native"], schedule.onEvent, () => {
    cutStanding += 1;
  });

  const race = async (agents: readonly Agent[], one: Raced): Promise<void> => {
    const racing = agents.map((agent, caller) =>
      call(agent, { raced: one, caller, hasKey: caller % 2 === 1 }),
    );
    await Promise.all(racing);
    const [agent] = agents;
    if (agent === undefined || random(LATE_ONE_IN) > 0) return;
    await call(agent, { raced: one, caller: random(plan.racers), hasKey: true });
    await call(agent, { raced: one, caller: random(plan.racers), hasKey: false });
  };
  const sweep = (agent: Agent, one: Raced): Promise<void> =>
    call(agent, { raced: one, caller: 0, hasKey: false });

  try {
    await eachOf(mintEach(plan, raced), groups, race, (done) => plan.onProgress?.("races", done));
    await schedule.settled();
    const killedLast = await target.killAll();
    await eachOf(raced.values(), groups.flat(), sweep, (done) => plan.onProgress?.("sweep", done));
    await schedule.settled();
    const seen = { ...report(raced), cutStanding };
    return { ...seen, kills: schedule.kills() + killedLast, breaks: schedule.breaks() };
  } finally {
    for (const agent of groups.flat()) agent.destroy();
  }
}
