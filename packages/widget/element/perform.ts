import { toBatch } from "@stile/protocol/batch";
import { FALLBACK_WATCHED_MS, LEAST_WATCHED_MS } from "@stile/protocol/limits";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { encodeBase64url } from "../encode-base64url.ts";
import { widgetError } from "../machine/widget-error.ts";
import type { SolvedWork, WidgetEffect, WidgetEvent } from "../machine/widget-state.ts";
import type { ServiceChallenge } from "../service/answers.ts";
import type { Outcome, ServiceClient } from "../service/service-client.ts";
import { encodeSignals } from "../signals/encode-signals.ts";
import { observeEnvironment } from "../signals/environment-bytes.ts";
import type { loadCollector } from "../signals/load-collector.ts";
import type { SolveRequest } from "../solver/solve-request.ts";
import type { SolverFrame } from "../solver/solver-frame.ts";

type SolveHere = typeof import("../solver/fallback.ts").solveHere;

/** What the effects of one run need, fixed when it starts. `run` is the number that its events carry. */
export type Job = {
  readonly run: number;
  readonly siteKey: string;
  readonly action: string | null;
  readonly cdata: string | null;
  readonly client: ServiceClient;
  /** Undefined where the frame could not be opened. */
  readonly frame: Promise<SolverFrame | undefined>;
  readonly collector: ReturnType<typeof loadCollector>;
  /** The solver for this thread; undefined where it cannot be loaded. */
  readonly loadFallback: () => Promise<SolveHere | undefined>;
  readonly behaviour: (solveMs: number | null) => BehaviourSignals;
  /** Resolves when the visitor has been observed for long enough, or waits for the token. */
  readonly observed: Promise<void>;
  readonly signal: AbortSignal;
  readonly send: (event: WidgetEvent) => void;
};

/** An effect that ends in an event; waiting is the element's own. */
export type JobEffect = Exclude<WidgetEffect, { type: "await_expiry" | "await_retry" }>;

function eventOf<T>(run: number, outcome: Outcome<T>, done: (value: T) => WidgetEvent): WidgetEvent {
  return outcome.kind === "done" ? done(outcome.value) : { type: "failed", run, error: outcome.error };
}

async function fetchChallenge({ run, siteKey, action, client, behaviour }: Job): Promise<WidgetEvent> {
  const outcome = await client.fetchChallenge(siteKey, action, toBatch(behaviour(null)));
  return eventOf(run, outcome, (challenge) => ({ type: "challenge", run, challenge }));
}

async function solve(job: Job, challenge: ServiceChallenge): Promise<WidgetEvent> {
  const { run, signal, send } = job;
  const watched = new Promise<void>((resolve) => {
    // Work that was reduced for want of WebAssembly counts as a browser's if it took a browser's time; who is asked for a click takes it anyway.
    const isReduced = !globalThis.WebAssembly && challenge.interaction === "none";
    setTimeout(resolve, isReduced ? FALLBACK_WATCHED_MS : LEAST_WATCHED_MS);
  });
  const frame = await job.frame;
  const environment = await observeEnvironment(job.collector, frame?.probe ?? null);
  const request: SolveRequest = { ...challenge, environment };
  const onProgress = (found: number): void => send({ type: "progress", run, found });
  const startedMs = performance.now();
  const solution =
    (await frame?.solve(request, onProgress)) ?? (await (await job.loadFallback())?.(request, signal, onProgress));
  if (solution === undefined) return { type: "failed", run, error: widgetError("worker_failed") };
  const work: SolvedWork = {
    challenge,
    watched,
    solution: encodeBase64url(solution),
    environment: encodeBase64url(environment),
    solveMs: performance.now() - startedMs,
  };
  return { type: "solved", run, work };
}

async function submit(job: Job, work: SolvedWork): Promise<WidgetEvent> {
  const { run, siteKey, action, cdata, client, behaviour } = job;
  await Promise.all([job.observed, work.watched]);
  const visit = behaviour(work.solveMs);
  const signals = {
    environment: work.environment,
    behaviour: encodeBase64url(encodeSignals(visit)),
    batch: toBatch(visit),
    earlier: work.challenge.earlier,
  };
  const outcome = await client.submit({
    site_key: siteKey,
    challenge: work.challenge.challenge,
    solution: work.solution,
    signals,
    action: action ?? undefined,
    cdata: cdata ?? undefined,
  });
  return eventOf(run, outcome, (answer) => {
    switch (answer.kind) {
      case "verified":
        return { type: "verified", run, token: answer.token, lifeMs: answer.lifeMs };
      case "again":
        return { type: "again", run, challenge: answer.challenge };
      case "blocked":
        return { type: "failed", run, error: widgetError("blocked_by_policy", answer.contact, answer.requestId) };
    }
  });
}

function resultOf(job: Job, effect: JobEffect): Promise<WidgetEvent> {
  switch (effect.type) {
    case "fetch":
      return fetchChallenge(job);
    case "solve":
      return solve(job, effect.challenge);
    case "submit":
      return submit(job, effect.work);
  }
}

/** Does what a step asks for and sends the result; a fault is reported to the page's error handlers and shown as `internal`. */
export async function perform(job: Job, effect: JobEffect): Promise<void> {
  try {
    job.send(await resultOf(job, effect));
  } catch (cause) {
    reportError(cause);
    job.send({ type: "failed", run: job.run, error: widgetError("internal") });
  }
}
