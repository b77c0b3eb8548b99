import { loadModule } from "../load-module.ts";
import type { RunEvent } from "../machine/widget-state.ts";
import { foreignEndpoint } from "./foreign-endpoint.ts";
import type { PageServices } from "./page-services.ts";
import { createRetries, type Retries } from "./retries.ts";
import type { RunInput, startRun } from "./run.ts";
import type { RunEffect } from "./run-effects.ts";
import { whyUnreachable } from "./why-unreachable.ts";

type RunModule = { readonly startRun: typeof startRun };

/** The element's input to its run. */
type ElementInput = Pick<RunInput, "element" | "behaviour" | "observed">;

/** The current run of an element, and the timers that end with it. */
export type CurrentRun = Retries & {
  /**
   * Runs one effect. The first effect of a run starts it with `input`. Sends a fault if the code
   * that it needs can't be loaded.
   */
  readonly runEffect: (effect: RunEffect, input: () => ElementInput) => void;
  /**
   * Calls `then` after that time unless the run ends before. Does not keep the element alive, which
   * refers to `then`.
   */
  readonly later: (ms: number, then: () => void) => void;
  readonly end: () => void;
};

/**
 * Calls the function unless it was collected or its run has ended. Separate, so that the timer
 * keeps no reference to the element, and without arguments, which some pages' `setTimeout` drops.
 */
const callIfAlive = (then: WeakRef<() => void>, signal: AbortSignal) => (): unknown =>
  signal.aborted || then.deref()?.();

/** No run yet; uses the service of that page. Passes on the events of a run until it ends. */
export function createCurrentRun(
  { base, refuses }: PageServices,
  onEvent: (event: RunEvent) => void,
): CurrentRun {
  let aborter = new AbortController();
  let started: Promise<(effect: RunEffect) => void> | undefined;

  const start = async (input: ElementInput) => {
    const { signal } = aborter;
    const send = (event: RunEvent): void => {
      if (!signal.aborted) onEvent(event);
    };
    const fault = foreignEndpoint(input.element, base);
    if (fault) return () => send({ type: "failed", error: fault });
    const module = await loadModule<RunModule>(base, "run.js");
    if (signal.aborted) return () => {};
    return (
      module?.startRun({ ...input, base, refuses, signal, send }) ??
      (async () => send({ type: "failed", error: await whyUnreachable(refuses, "script-src") }))
    );
  };
  return {
    ...createRetries(),
    runEffect: (effect, input) => {
      started ??= start(input());
      void started.then((runEffect) => runEffect(effect));
    },
    later: (ms, then) => setTimeout(callIfAlive(new WeakRef(then), aborter.signal), ms),
    end: () => {
      aborter.abort();
      aborter = new AbortController();
      started = undefined;
    },
  };
}
