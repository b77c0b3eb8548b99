import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { createSteadyClock } from "@stile/server/clock/steady-clock";
import type { Job } from "@stile/server/jobs/jobs";
import type { BudgetRules } from "../rules/budget-rules.ts";
import type { ClockRules } from "../rules/clock-rules.ts";
import type { Kept, Truth } from "../rules/truth.ts";
import type { Copy, Engine } from "../service/engine.ts";
import {
  createFaultyStore,
  type FaultyStore,
  type HoldCounts,
  type Weather,
} from "../service/faulty-store.ts";
import { startProcess } from "../service/process.ts";
import { createChance } from "./chance.ts";
import type { Machine } from "./machine.ts";
import { DIED, type LiveProcess } from "./world.ts";

/** The operator, who starts the service, and the supervisor that keeps it running. */
export type Operator = {
  readonly current: () => LiveProcess | undefined;
  readonly start: (store?: Store) => void;
  /**
   * Kills the running process and starts another, on the data as they are or on the copy made that
   * many copies ago.
   */
  readonly crash: (copiesAgo?: number) => void;
  readonly copy: () => void;
  /** Checks the statistics in the store against the events. */
  readonly audit: () => Promise<void>;
};

/** See createOperator. */
export type OperatorParts = {
  readonly seed: number;
  readonly machine: Machine;
  readonly clock: ClockRules;
  readonly truth: Truth;
  readonly budget: BudgetRules;
  readonly engine: Engine;
  readonly createClock: typeof createSteadyClock;
  readonly holdCounts: HoldCounts;
  readonly later: (afterMs: number, run: () => unknown) => void;
  readonly pause: (ms: number) => Promise<void>;
  /**
   * No new visitor arrives before this moment, in true ms. Jobs run rarely until then, so that steps
   * are left for what follows.
   */
  readonly restsUntilMs: () => number;
  readonly say: (text: string) => void;
  readonly fail: (error: unknown) => void;
};

const MASTER_KEY = new Uint8Array(32).fill(7);
/** Jobs that run every second run less often here, or there would be little else. */
const LEAST_PERIOD_MS = 10_000;
/** Gives the writes beneath a flush draws of their own, so that all other draws stay the same. */
const BENEATH = 1_000_000_007;
const WEATHERS: readonly Weather[] = [
  { lost: 0, unanswered: 0, slow: 0.02, slowestMs: 50 },
  { lost: 0.01, unanswered: 0.01, slow: 0.1, slowestMs: 200 },
  { lost: 0.04, unanswered: 0.06, slow: 0.3, slowestMs: 1500 },
];

/** Does work that takes real time in an event of its own, which is awaited. */
function inEventBy(later: OperatorParts["later"]) {
  return <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      later(0, () => work().then(resolve, reject));
    });
}

/** Starts the service, kills it, copies its data and restores older copies, on command. */
export function createOperator(parts: OperatorParts): Operator {
  const {
    seed,
    machine,
    clock,
    truth,
    budget,
    engine,
    createClock,
    later,
    pause,
    restsUntilMs,
    say,
    fail,
  } = parts;
  const [chance, beneath] = [createChance(seed), createChance(seed + BENEATH)];
  const inEvent = inEventBy(later);
  const weather = chance.pick(WEATHERS);
  const copies: { readonly copy: Copy; readonly kept: Kept }[] = [];
  let running:
    | (LiveProcess & { readonly faulty: FaultyStore; readonly die: () => void })
    | undefined;
  let inner: Store | undefined;
  let runs = 0;

  const repeat = (job: Job, run: LiveProcess): void => {
    const everyMs = Math.max(job.everyMs, LEAST_PERIOD_MS);
    const restMs = Math.max(0, restsUntilMs() - machine.trueMs());
    later(everyMs + chance.below(3) + Math.floor(restMs / 3), () => {
      if (running?.number !== run.number) return;
      job
        .run()
        .catch((error: unknown) => error instanceof StoreUnavailable || fail(error))
        .finally(() => repeat(job, run));
    });
  };

  const tryToStart = async (store: Store): Promise<boolean> => {
    const faulty = createFaultyStore({
      ...{ inner: store, chance, beneath, weather, later, holdCounts: parts.holdCounts },
      onEffect: (effect) => {
        try {
          truth.onEffect(effect);
        } catch (error) {
          fail(error);
        }
      },
    });
    const beganMs = machine.trueMs();
    try {
      const process = await startProcess({
        store: faulty.store,
        sources: machine.sources,
        masterKey: MASTER_KEY,
        createClock,
      });
      const { promise: died, resolve } = Promise.withResolvers<typeof DIED>();
      clock.onStart(process.clock.nowMs(), truth.newestMs(), beganMs);
      budget.onStart();
      running = { number: ++runs, process, died, faulty, die: () => resolve(DIED) };
      for (const job of process.jobs) repeat(job, running);
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      faulty.kill();
      await inEvent(faulty.endWrites);
      return false;
    }
  };

  const boot = async (store?: Store): Promise<void> => {
    for (let opened = store; ; opened = undefined) {
      inner = opened ?? (await inEvent(engine.open));
      if (await tryToStart(inner)) break;
      await pause(chance.between(100, 2000));
    }
    say(`run ${runs} begins`);
  };

  const restore = async (copiesAgo: number): Promise<void> => {
    const chosen = copies.at(-copiesAgo);
    if (chosen === undefined) return;
    await engine.restore(chosen.copy);
    copies.splice(copies.indexOf(chosen) + 1);
    const store = await engine.open();
    await truth.recordRestore(chosen.kept, (siteKey) => store.sites.findSite(siteKey));
    say("an older copy is restored");
  };

  return {
    current: () => running,
    start: (store) => void boot(store).catch(fail),
    crash: (copiesAgo) => {
      const run = running;
      if (run === undefined) return;
      running = undefined;
      run.faulty.kill();
      run.die();
      say(`run ${run.number} is killed`);
      const ending = async (): Promise<void> => {
        await inEvent(async () => {
          await run.faulty.endWrites();
          if (copiesAgo !== undefined) await restore(copiesAgo);
        });
        await pause(chance.happens(0.8) ? chance.between(50, 5000) : chance.between(5000, 400_000));
        await boot();
      };
      ending().catch(fail);
    },
    copy: () => {
      later(0, async () => {
        copies.push({ copy: await engine.copy(), kept: truth.keep() });
        say("a copy is made");
      });
    },
    audit: async () => {
      if (inner === undefined || running === undefined) return;
      for (const siteKey of truth.siteKeys()) {
        if (truth.currentRow(siteKey) !== undefined)
          await truth.counts.check(inner, siteKey, clock.trustedMs());
      }
    },
  };
}
