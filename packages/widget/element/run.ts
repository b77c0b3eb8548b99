// A run: everything that the widget does with the service and the solver. Loaded when a visitor
// first touches the form, so that stile.js itself is little more than the widget's face.

import { loadModule } from "../load-module.ts";
import { failed } from "../machine/widget-state.ts";
import { createServiceClient } from "../service/service-client.ts";
import { loadCollector } from "../signals/load-collector.ts";
import { loadFallback } from "../solver/load-fallback.ts";
import { openSolverFrame } from "../solver/solver-frame.ts";
import { faultOf } from "./page-faults.ts";
import type { PageServices } from "./page-services.ts";
import { surroundingsOf } from "./page-surroundings.ts";
import { type Job, type JobEffect, perform } from "./perform.ts";
import { readAttribute } from "./read-attribute.ts";
import type { watchAim } from "./waiting-button.ts";

/**
 * What an element gives its run: the service's address, and itself: its attributes, and the place
 * of the solver frame.
 */
export type RunOrder = Pick<Job, "behaviour" | "observed" | "signal" | "send"> & {
  readonly base: string;
  readonly refuses: PageServices["refuses"];
  readonly element: Element & { readonly form?: HTMLFormElement | null };
};

type WaitingButton = { readonly watchAim: typeof watchAim };

/**
 * Resolves when somebody aims at a button that waits for the token; only forms with a disabled
 * field load the code for that.
 */
const aimAt = (
  form: HTMLFormElement | null | undefined,
  base: string,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((aim) => {
    if (form && [...form].some((one) => (one as HTMLButtonElement).disabled))
      void loadModule<WaitingButton>(base, "waiting-button.js").then((module) =>
        module?.watchAim(form, signal, aim),
      );
  });

/** Starts a run; the returned function performs one effect of it. */
export function startRun(order: RunOrder): (effect: JobEffect) => void {
  const { base, element, send, signal } = order;
  const error = faultOf(element);
  if (error) return () => send(failed(error));
  const job: Job = {
    ...order,
    observed: Promise.race([order.observed, aimAt(element.form, base, signal)]),
    siteKey: readAttribute(element, "sitekey") ?? "",
    action: readAttribute(element, "action"),
    cdata: readAttribute(element, "cdata"),
    client: createServiceClient(base, signal, surroundingsOf(order)),
    collector: loadCollector(base),
    frame: openSolverFrame(order, element.shadowRoot as ShadowRoot, signal),
    loadFallback: () => loadFallback(base),
  };
  return (effect) => void perform(job, effect);
}
