import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { BudgetRules } from "../rules/budget-rules.ts";
import type { ClockRules } from "../rules/clock-rules.ts";
import type { ClockMoment, SecretRecord, TokenRecord } from "../rules/redemption-rules.ts";
import type { Truth } from "../rules/truth.ts";
import type { Ports, ServerProcess } from "../service/process.ts";
import type { Machine } from "./machine.ts";
import { Violation } from "./violation.ts";

/** A run of the service that can be called. */
export type LiveProcess = {
  readonly number: number;
  readonly process: ServerProcess;
  /** Resolves when the process is gone. */
  readonly died: Promise<typeof DIED>;
};

/** A caller's result if its connection broke. */
export const DIED = Symbol("died");

/** A caller's result: an answer, a 503 or a broken connection, or no connection at all. */
export type Reply<Answer> =
  | { readonly kind: "answer"; readonly answer: Answer; readonly end: ClockMoment }
  | { readonly kind: "unknown" }
  | { readonly kind: "down" };

/** The clients' knowledge of the world, and their actions in it. */
export type World = {
  readonly machine: Machine;
  readonly truth: Truth;
  readonly clock: ClockRules;
  readonly budget: BudgetRules;
  readonly accountId: string;
  /** Tokens issued recently, newest last. */
  readonly tokens: TokenRecord[];
  /** Every secret key that was shown, newest last. */
  readonly secrets: SecretRecord[];
  /** The step, true time, and the time on the service's clock; while it is down, its last one. */
  readonly moment: () => ClockMoment;
  readonly say: (text: string) => void;
  readonly pause: (ms: number) => Promise<void>;
  /** Waits until the service's clock shows that time, or a little longer. */
  readonly pauseUntil: (clockMs: number) => Promise<void>;
  /** Checks a result against the rules: an error that it throws ends the simulation. */
  readonly check: (rule: () => void) => void;
  /** The same for work that nobody awaits. */
  readonly checkLater: (work: Promise<void>) => void;
  /** Lets no new visitor arrive for that long. */
  readonly rest: (ms: number) => void;
  /** No new visitor arrives before this moment, in true ms. */
  readonly restsUntilMs: () => number;
  /**
   * Calls a use case in the running process; if it throws anything but StoreUnavailable, the
   * simulation ends.
   */
  readonly call: <Answer>(
    work: (ports: Ports, began: ClockMoment, run: number) => Promise<Answer>,
  ) => Promise<Reply<Answer>>;
  /** The next number of that kind, for names. */
  readonly count: (kind: string) => number;
};

/** The parts that `call` needs; `current` returns the running process. */
export type CallParts = {
  readonly fail: (error: unknown) => void;
  readonly current: () => LiveProcess | undefined;
  readonly moment: () => ClockMoment;
};

/** See World.call. */
export function createCall({ current, moment, fail }: CallParts): World["call"] {
  return async (work) => {
    const run = current();
    if (run === undefined) return { kind: "down" };
    try {
      const answer = await Promise.race([work(run.process.ports, moment(), run.number), run.died]);
      return answer === DIED
        ? { kind: "unknown" }
        : { kind: "answer", answer: answer as never, end: moment() };
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        fail(new Violation("a use case threw", (error as Error).stack ?? String(error)));
      return { kind: "unknown" };
    }
  };
}
