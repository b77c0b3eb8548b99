// A run: everything that the widget does with the service and the solver. Loaded when a visitor
// first touches the form, so that stile.js itself is small.

import { loadModule } from "../load-module.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { failed } from "../machine/widget-state.ts";
import { createServiceClient } from "../service/service-client.ts";
import { loadCollector } from "../signals/load-collector.ts";
import { openSolverFrame } from "../solver/solver-frame.ts";
import type { PageServices } from "./page-services.ts";
import { surroundingsOf } from "./page-surroundings.ts";
import { readAttribute } from "./read-attribute.ts";
import { type RunContext, type RunEffect, runEffect } from "./run-effects.ts";
import type { showRibbon } from "./test-ribbon.ts";
import type { watchAim } from "./waiting-button.ts";

/**
 * Values that an element passes to its run: the service's address, and the element itself, which
 * has the attributes and the place of the solver frame.
 */
export type RunInput = Pick<RunContext, "behaviour" | "observed" | "signal" | "send"> & {
  readonly base: string;
  readonly refuses: PageServices["refuses"];
  readonly element: Element & { readonly form?: HTMLFormElement | null };
};

type TestRibbon = { readonly showRibbon: typeof showRibbon };
type WaitingButton = { readonly watchAim: typeof watchAim };

/**
 * Resolves when the pointer or a key comes to a button that waits for the token; only forms with a
 * disabled field load the code for that.
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

/**
 * A fault in the element's markup that only the page's owner can fix, found before any request to
 * the service (D9, submission). The element has checked `foreignEndpoint` before it loaded this
 * code.
 */
export function faultOf(element: Element): WidgetFault | undefined {
  const read = (name: string, otherwise = ""): string => readAttribute(element, name) ?? otherwise;
  if (!read("sitekey")) return { name: "sitekey_missing" };
  const isValid = /^[\w./-]{1,64}$/.test(read("action", "-"));
  const invalid = isValid ? new Blob([read("cdata")]).size > 255 && "cdata" : "action";
  return invalid ? { name: "attribute_invalid", detail: invalid } : undefined;
}

/** Starts a run; the returned function runs one effect of it. */
export function startRun(input: RunInput): (effect: RunEffect) => void {
  const { base, element, send, signal } = input;
  const error = faultOf(element);
  if (error) return () => send(failed(error));
  const run: RunContext = {
    ...input,
    observed: Promise.race([input.observed, aimAt(element.form, base, signal)]),
    siteKey: readAttribute(element, "sitekey") ?? "",
    action: readAttribute(element, "action"),
    cdata: readAttribute(element, "cdata"),
    client: createServiceClient(base, signal, surroundingsOf(input)),
    collector: loadCollector(base),
    frame: openSolverFrame(input, element.shadowRoot as ShadowRoot, signal),
    showTest: () =>
      void loadModule<TestRibbon>(base, "test-ribbon.js").then((module) =>
        module?.showRibbon(element),
      ),
    loadFallback: async () =>
      (await loadModule<typeof import("../solver/fallback.ts")>(base, "solver-fallback.js"))
        ?.solveHere,
  };
  return (effect) => void runEffect(run, effect);
}
