import { toBatch } from "@stile/protocol/batch";
import { FALLBACK_WATCHED_MS, LEAST_WATCHED_MS } from "@stile/protocol/limits";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { encodeBase64url } from "../encode-base64url.ts";
import {
  failed,
  type RunEvent,
  type SolvedChallenge,
  type WidgetEffect,
} from "../machine/widget-state.ts";
import type { ServiceChallenge } from "../service/service-challenge.ts";
import type { ServiceClient } from "../service/service-client.ts";
import { encodeSignals } from "../signals/encode-signals.ts";
import { observeEnvironment } from "../signals/environment-bytes.ts";
import type { loadCollector } from "../signals/load-collector.ts";
import { sleep } from "../sleep.ts";
import type { SolveRequest } from "../solver/solve-request.ts";
import type { SolverFrame } from "../solver/solver-frame.ts";

type SolveHere = typeof import("../solver/fallback.ts").solveHere;

/** Everything that the effects of one run need; fixed when it starts. */
export type RunContext = {
  readonly siteKey: string;
  readonly action: string | null;
  readonly cdata: string | null;
  readonly client: ServiceClient;
  /** Undefined if the frame could not be opened. */
  readonly frame: Promise<SolverFrame | undefined>;
  readonly collector: ReturnType<typeof loadCollector>;
  /** Loads the solver for the page's own thread; undefined if that fails. */
  readonly loadFallback: () => Promise<SolveHere | undefined>;
  readonly behaviour: (solveMs: number | null) => BehaviourSignals;
  /** Shows that this is a test. */
  readonly showTest: () => void;
  /** Resolves when the visitor has been observed for long enough, or is waiting for the token. */
  readonly observed: Promise<void>;
  readonly signal: AbortSignal;
  readonly send: (event: RunEvent) => void;
};

/** An effect that ends in an event; the controller performs the effect that waits. */
export type RunEffect = Exclude<WidgetEffect, { type: "await_expiry" }>;

const fetchChallenge = (run: RunContext): Promise<RunEvent> =>
  run.client.fetchChallenge(run.siteKey, run.action, toBatch(run.behaviour(null)));

async function solve(run: RunContext, challenge: ServiceChallenge): Promise<RunEvent> {
  const { signal, send } = run;
  if (challenge.test) run.showTest();
  // Reduced work for lack of WebAssembly is excused if it takes a browser's time; being asked for a
  // click takes that anyway.
  const isReduced = !globalThis.WebAssembly && challenge.interaction !== "click";
  const watched = sleep(isReduced ? FALLBACK_WATCHED_MS : LEAST_WATCHED_MS);
  const frame = await run.frame;
  const environment = await observeEnvironment(run.collector, frame?.probe ?? null);
  const request: SolveRequest = { ...challenge, environment };
  const onProgress = (found: number): void => send({ type: "progress", found });
  const startedMs = performance.now();
  const solved = await frame?.solve(request, onProgress);
  const solveHere = solved ? undefined : await run.loadFallback();
  const solution = solved ?? (await solveHere?.(request, signal, onProgress));
  // Lost requests are not the browser's fault, and another try may help.
  if (!solution) return failed({ name: solveHere ? "worker_failed" : "network" });
  const work: SolvedChallenge = {
    challenge,
    watched,
    solution: encodeBase64url(solution),
    environment: encodeBase64url(environment),
    solveMs: performance.now() - startedMs,
  };
  return { type: "solved", work };
}

/**
 * A visitor who reached the submit button in fewer samples, the last of them a move, is about to
 * press it.
 */
const MANY_SAMPLES = 4;
/** How long to wait for such a press, ms. */
const ABOUT_TO_PRESS_MS = 500;
/** The index of `move` in POINTER_KINDS. */
const MOVE = 0;

async function watch(run: RunContext, work: SolvedChallenge): Promise<void> {
  await Promise.all([run.observed, work.watched]);
  const { pointer } = run.behaviour(work.solveMs);
  const lastKind = pointer.at(-1)?.[3];
  if (pointer.length < MANY_SAMPLES && lastKind === MOVE) await sleep(ABOUT_TO_PRESS_MS);
}

async function submit(run: RunContext, work: SolvedChallenge): Promise<RunEvent> {
  // Nobody is watched in a test, which need not wait for that.
  if (!work.challenge.test) await watch(run, work);
  const visit = run.behaviour(work.solveMs);
  return run.client.submit({
    site_key: run.siteKey,
    challenge: work.challenge.challenge,
    solution: work.solution,
    signals: {
      environment: work.environment,
      behaviour: encodeBase64url(encodeSignals(visit)),
      batch: toBatch(visit),
      earlier: work.challenge.earlier,
    },
    action: run.action ?? undefined,
    cdata: run.cdata ?? undefined,
  });
}

function resultOf(run: RunContext, effect: RunEffect): Promise<RunEvent> {
  switch (effect.type) {
    case "fetch":
      return fetchChallenge(run);
    case "solve":
      return solve(run, effect.challenge);
    case "submit":
      return submit(run, effect.work);
  }
}

/**
 * Runs an effect and sends its result. A fault goes to the page's error handlers, and the widget
 * shows it as `internal`.
 */
export async function runEffect(run: RunContext, effect: RunEffect): Promise<void> {
  try {
    run.send(await resultOf(run, effect));
  } catch (cause) {
    reportError(cause);
    run.send(failed({ name: "internal" }));
  }
}
