import { loadModule } from "../load-module.ts";
import type { RunEvent } from "../machine/widget-state.ts";
import { foreignEndpoint } from "./foreign-endpoint.ts";
import type { PageServices } from "./page-services.ts";
import type { JobEffect } from "./perform.ts";
import { createRetries, type Retries } from "./retries.ts";
import type { RunOrder, startRun } from "./run.ts";
import { whyUnreachable } from "./why-unreachable.ts";

type RunModule = { readonly startRun: typeof startRun };

/** What the element gives its run. */
type Order = Pick<RunOrder, "element" | "behaviour" | "observed">;

/** The current run of an element, and the timers that end with it. */
export type Running = Retries & {
  /**
   * Performs one effect of the run, which `order` begins; sends a fault too if what it needs can't
   * be loaded.
   */
  readonly perform: (effect: JobEffect, order: () => Order) => void;
  /**
   * Calls `then` after that time unless the run ends before. Does not keep the element alive, which
   * holds `then`.
   */
  readonly later: (ms: number, then: () => void) => void;
  readonly end: () => void;
};

/**
 * Calls the function unless it is gone or its run over; separate, so that the timer holds no
 * reference to the element.
 */
const callHeld = (held: WeakRef<() => void>, signal: AbortSignal): unknown =>
  signal.aborted || held.deref()?.();

/** No run yet; uses the service of that page. What runs bring about is sent until they end. */
export function createRunning(
  { base, refuses }: PageServices,
  onEvent: (event: RunEvent) => void,
): Running {
  let working = new AbortController();
  let performing: Promise<(effect: JobEffect) => void> | undefined;

  const start = async (order: Order) => {
    const { signal } = working;
    const send = (event: RunEvent): void => {
      if (!signal.aborted) onEvent(event);
    };
    const fault = foreignEndpoint(order.element, base);
    if (fault) return () => send({ type: "failed", error: fault });
    const module = await loadModule<RunModule>(base, "run.js");
    if (signal.aborted) return () => {};
    return (
      module?.startRun({ ...order, base, refuses, signal, send }) ??
      (async () => send({ type: "failed", error: await whyUnreachable(refuses, "script-src") }))
    );
  };
  return {
    ...createRetries(),
    perform: (effect, order) => {
      performing ??= start(order());
      void performing.then((perform) => perform(effect));
    },
    later: (ms, then) => setTimeout(callHeld, ms, new WeakRef(then), working.signal),
    end: () => {
      working.abort();
      working = new AbortController();
      performing = undefined;
    },
  };
}
