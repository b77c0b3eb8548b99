import { toBatch } from "@stile/protocol/batch";
import { FALLBACK_WATCHED_MS, LEAST_WATCHED_MS } from "@stile/protocol/limits";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { encodeBase64url } from "../encode-base64url.ts";
import {
  failed,
  type RunEvent,
  type SolvedWork,
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

/** What the effects of one run need; fixed when it starts. */
export type Job = {
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
  /** Resolves when the visitor has been observed for long enough, or is waiting for the token. */
  readonly observed: Promise<void>;
  readonly signal: AbortSignal;
  readonly send: (event: RunEvent) => void;
};

/** An effect that ends in an event; the element itself does the waiting ones. */
export type JobEffect = Exclude<WidgetEffect, { type: "await_expiry" | "await_retry" }>;

const fetchChallenge = ({ siteKey, action, client, behaviour }: Job): Promise<RunEvent> =>
  client.fetchChallenge(siteKey, action, toBatch(behaviour(null)));

async function solve(job: Job, challenge: ServiceChallenge): Promise<RunEvent> {
  const { signal, send } = job;
  // Reduced work for lack of WebAssembly is excused if it takes a browser's time; being asked for a
  // click takes that anyway.
  const isReduced = !globalThis.WebAssembly && challenge.interaction !== "click";
  const watched = sleep(isReduced ? FALLBACK_WATCHED_MS : LEAST_WATCHED_MS);
  const frame = await job.frame;
  const environment = await observeEnvironment(job.collector, frame?.probe ?? null);
  const request: SolveRequest = { ...challenge, environment };
  const onProgress = (found: number): void => send({ type: "progress", found });
  const startedMs = performance.now();
  const solved = await frame?.solve(request, onProgress);
  const solveHere = solved ? undefined : await job.loadFallback();
  const solution = solved ?? (await solveHere?.(request, signal, onProgress));
  // Lost requests are not the browser's fault, and another try may help.
  if (!solution) return failed({ name: solveHere ? "worker_failed" : "network" });
  const work: SolvedWork = {
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
/** Waited for such a press, ms. */
const ABOUT_TO_PRESS_MS = 500;
/** The index of `move` in POINTER_KINDS. */
const MOVE = 0;

async function submit(
  job: Job,
  { challenge, watched, solution, environment, solveMs }: SolvedWork,
): Promise<RunEvent> {
  const { siteKey, action, cdata, client, behaviour, observed } = job;
  await Promise.all([observed, watched]);
  const { pointer } = behaviour(solveMs);
  const lastKind = pointer.at(-1)?.[3];
  if (pointer.length < MANY_SAMPLES && lastKind === MOVE) await sleep(ABOUT_TO_PRESS_MS);
  const visit = behaviour(solveMs);
  return client.submit({
    site_key: siteKey,
    challenge: challenge.challenge,
    solution,
    signals: {
      environment,
      behaviour: encodeBase64url(encodeSignals(visit)),
      batch: toBatch(visit),
      earlier: challenge.earlier,
    },
    action: action ?? undefined,
    cdata: cdata ?? undefined,
  });
}

function resultOf(job: Job, effect: JobEffect): Promise<RunEvent> {
  switch (effect.type) {
    case "fetch":
      return fetchChallenge(job);
    case "solve":
      return solve(job, effect.challenge);
    case "submit":
      return submit(job, effect.work);
  }
}

/**
 * Performs an effect and sends the result; a fault is reported to the page's error handlers and
 * shown as `internal`.
 */
export async function perform(job: Job, effect: JobEffect): Promise<void> {
  try {
    job.send(await resultOf(job, effect));
  } catch (cause) {
    reportError(cause);
    job.send(failed({ name: "internal" }));
  }
}
