import { OFFLINE, type WidgetError, widgetError } from "../machine/widget-error.ts";
import { nextTask } from "../next-task.ts";
import { loadRun } from "./load-run.ts";
import type { PageServices } from "./page-services.ts";
import type { JobEffect } from "./perform.ts";
import { createRetries } from "./retries.ts";
import type { RunOrder } from "./run.ts";

type Order = Omit<RunOrder, "base" | "refuses" | "signal">;

/** The present run of an element, and what waits for it to end. */
export type Running = {
  /** Does one effect of the run, which `order` begins; `fail` is told where what it needs can't be had. */
  readonly perform: (effect: JobEffect, order: () => Order, fail: (error: WidgetError) => void) => void;
  /** Calls `then` in that time unless the run ends before. */
  readonly later: (ms: number, then: () => void) => void;
  /** The same when it is time to try again after that error. */
  readonly awaitRetry: (error: WidgetError, then: () => void) => void;
  /** Whether a run failed so lately that touches do not begin another. */
  readonly isResting: () => boolean;
  /** There is a token: the next failure is the first again. */
  readonly succeed: () => void;
  readonly end: () => void;
};

/** No run so far, with the service of that page. */
export function createRunning({ base, refuses }: PageServices): Running {
  const retries = createRetries();
  let working = new AbortController();
  let performing: Promise<((effect: JobEffect) => void) | undefined> | undefined;

  const start = async (order: Order) => {
    const { signal } = working;
    const module = await loadRun(base);
    return signal.aborted ? () => {} : module?.startRun({ ...order, base, refuses, signal });
  };
  const later: Running["later"] = (ms, then) => {
    const timer = setTimeout(then, ms);
    working.signal.addEventListener("abort", () => clearTimeout(timer));
  };
  return {
    perform: (effect, order, fail) => {
      performing ??= start(order());
      void performing.then(async (perform) => {
        if (perform) return perform(effect);
        await nextTask();
        const directive = "script-src";
        if (refuses(directive)) return fail(widgetError("csp_blocked", directive));
        fail(widgetError("network", navigator.onLine ? undefined : OFFLINE));
      });
    },
    later,
    awaitRetry: (error, then) => later(retries.waitMs(error), then),
    isResting: retries.isTooSoon,
    succeed: retries.succeed,
    end: () => {
      working.abort();
      working = new AbortController();
      performing = undefined;
    },
  };
}
