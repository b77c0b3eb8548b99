import { setImmediate as nextTurn } from "node:timers/promises";
import type { createSteadyClock } from "@stile/server/clock/steady-clock";
import { createBudgetRules } from "../rules/budget-rules.ts";
import { createClockRules } from "../rules/clock-rules.ts";
import type { ClockMoment } from "../rules/redemption-rules.ts";
import { createTruth } from "../rules/truth.ts";
import type { Engine } from "../service/engine.ts";
import type { HoldCounts } from "../service/faulty-store.ts";
import { LIMITS } from "../service/process.ts";
import { createMachine } from "./machine.ts";
import { createOperator } from "./operator.ts";
import { createSchedule } from "./schedule.ts";
import { startClients } from "./start-clients.ts";
import { Violation } from "./violation.ts";
import { createCall, type World } from "./world.ts";

/** The parts of a simulation; tests insert known-wrong parts. */
export type SimulationParts = {
  /** Creates the data, new for each run; `pause` waits for a moment of virtual time. */
  readonly openEngine: (pause: () => Promise<void>) => Engine;
  readonly createClock: typeof createSteadyClock;
  /**
   * How a process buffers counts that are not part of a write; `pause` waits that many ms of
   * virtual time.
   */
  readonly holdCounts: (
    add: Parameters<HoldCounts>[0],
    pause: (ms: number) => Promise<void>,
  ) => ReturnType<HoldCounts>;
};

/** One run: everything in it is determined by the seed. */
export type Plan = {
  readonly seed: number;
  readonly steps: number;
  /** Clients and accidents to leave out, by their number. */
  readonly without?: ReadonlySet<number>;
};

/** The result of a run. */
export type Report = {
  readonly seed: number;
  readonly steps: number;
  readonly violation: Violation | undefined;
  /** The latest events, in readable form. */
  readonly trace: readonly string[];
  /** How often each thing was said and done. */
  readonly tally: ReadonlyMap<string, number>;
  /** How many clients and accidents came, and which of them were left out. */
  readonly started: number;
  readonly without: ReadonlySet<number>;
};

const START_MS = Date.UTC(2026, 5, 15, 12);
const TRACE_LINES = 60;
const AUDIT_EVERY = 500;
const ACCOUNT = {
  ...{ accountId: "acc_simulated", name: "Simulated", createdAtMs: START_MS },
  ...{ challengePerMinute: null, totalPerMinute: null },
};

/**
 * Runs clients, service, store and clock for that many steps of virtual time, or up to the first
 * violation.
 */
export async function simulate(
  parts: SimulationParts,
  { seed, steps, without = new Set() }: Plan,
): Promise<Report> {
  const schedule = createSchedule();
  const machine = createMachine(START_MS);
  const clock = createClockRules(machine);
  const trace: string[] = [];
  const tally = new Map<string, number>();
  const counts = new Map<string, number>();
  let step = 0;
  let violation: Violation | undefined;
  let lastClockMs = START_MS;
  let restsUntilMs = START_MS;

  const fail = (error: unknown): void => {
    violation ??=
      error instanceof Violation
        ? error
        : new Violation("something threw", (error as Error).stack ?? String(error));
  };
  const later = (afterMs: number, run: () => unknown): void =>
    schedule.at(machine.trueMs() + afterMs, run);
  const pause = (ms: number): Promise<void> => new Promise((resolve) => later(ms, resolve));
  const say = (text: string): void => {
    const key = text.replace(/\b(\d+|[CT]\d+|idempotency-\d+)\b/g, "*");
    tally.set(key, (tally.get(key) ?? 0) + 1);
    trace.push(`${step} ${new Date(machine.trueMs()).toISOString()} ${text}`);
    if (trace.length > 2 * TRACE_LINES) trace.splice(0, TRACE_LINES);
  };
  const moment = (): ClockMoment => ({ step, trueMs: machine.trueMs(), clockMs: readClock() });
  const truth = createTruth(() => ({ step, trueMs: machine.trueMs() }), clock.trustedMs);
  const budget = createBudgetRules(LIMITS);
  const engine = parts.openEngine(() => pause(1));
  const operator = createOperator({
    seed,
    machine,
    clock,
    truth,
    budget,
    ...{ engine, createClock: parts.createClock },
    holdCounts: (add) => parts.holdCounts(add, pause),
    later,
    pause,
    restsUntilMs: () => restsUntilMs,
    say,
    fail,
  });
  const readClock = (): number => {
    const running = operator.current();
    if (running === undefined) return lastClockMs;
    lastClockMs = running.process.clock.nowMs();
    clock.onRead(lastClockMs);
    return lastClockMs;
  };
  const world: World = {
    ...{
      machine,
      truth,
      clock,
      budget,
      accountId: ACCOUNT.accountId,
      tokens: [],
      secrets: [],
      moment,
      say,
      pause,
    },
    pauseUntil: async (clockMs) => {
      for (let left = clockMs - readClock(); left > 0; left = clockMs - readClock())
        await pause(left);
    },
    check: (rule) => {
      try {
        rule();
      } catch (error) {
        fail(error);
      }
    },
    checkLater: (work) => void work.catch(fail),
    restsUntilMs: () => restsUntilMs,
    rest: (ms) => {
      restsUntilMs = machine.trueMs() + ms;
    },
    call: createCall({ current: operator.current, moment, fail }),
    count: (kind) => {
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      return number;
    },
  };

  const first = await engine.open();
  await first.sites.insertAccount(ACCOUNT);
  operator.start(first);
  const clients = startClients({ seed, without, world, operator, later, fail });
  try {
    for (; step < steps && violation === undefined; step++) {
      const event = schedule.takeNext();
      if (event === undefined) throw new Error("nothing is going to happen any more");
      passTime(machine.trueMs(), event.dueMs, (atMs) => {
        machine.advanceTo(atMs);
        readClock();
      });
      const done = event.run();
      if (engine.isReal) await done;
      await nextTurn();
      readClock();
      if (step % AUDIT_EVERY === AUDIT_EVERY - 1) await operator.audit();
    }
    if (violation === undefined) await operator.audit();
  } catch (error) {
    fail(error);
  }
  await engine.close();
  return {
    seed,
    steps: step,
    violation,
    trace: trace.slice(-TRACE_LINES),
    tally,
    started: clients.started(),
    without,
  };
}

/**
 * How often an idle service reads its clock, ms, and how many times at most before the next event.
 */
const IDLE_READ_MS = 30_000;
const MOST_READS = 300;

function passTime(fromMs: number, toMs: number, read: (atMs: number) => void): void {
  const everyMs = Math.max(IDLE_READ_MS, (toMs - fromMs) / MOST_READS);
  for (let atMs = fromMs + everyMs; atMs < toMs; atMs += everyMs) read(Math.floor(atMs));
  read(toMs);
}
