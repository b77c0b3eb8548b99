import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { LEAST_WATCHED_MS } from "@stile/protocol/limits";
import { behaviourSignalsSchema } from "@stile/protocol/schemas/signals";
import { type BehaviourSignals, SIGNALS_VERSION } from "@stile/protocol/signals";
import {
  refusal,
  type ServiceReply,
  startAnswering,
  success,
} from "@stile/testkit/page/answering-service";
import type { RunEvent, SolvedChallenge } from "../machine/widget-state.ts";
import { readRefusal } from "../service/refusal.ts";
import type { ServiceChallenge } from "../service/service-challenge.ts";
import { createServiceClient, type Surroundings } from "../service/service-client.ts";
import { solveHere } from "../solver/fallback.ts";
import type { SolverFrame } from "../solver/solver-frame.ts";
import { type RunContext, type RunEffect, runEffect } from "./run-effects.ts";

const CHALLENGE: ServiceChallenge = {
  challenge: "QUJD",
  algorithm: 2,
  k: 16,
  difficulty: 1024,
  interaction: "none",
  theme: "auto",
  language: "auto",
  isInvisible: false,
  keepsForm: false,
  earlier: { batch: "2~~", receipt: "cmVjZWlwdA" },
};
const WORK: SolvedChallenge = {
  challenge: CHALLENGE,
  solution: "c29s",
  environment: "ZW52",
  solveMs: 120,
  watched: Promise.resolve(),
};
const BEHAVIOUR: BehaviourSignals = {
  v: SIGNALS_VERSION,
  durationMs: 9,
  solveMs: null,
  pointer: [],
  keys: [],
  focus: [],
  visibility: [],
  scroll: [],
  box: null,
  callers: [],
};
const surroundings: Surroundings = {
  pause: async () => {},
  random: () => 0.5,
  now: () => Date.now(),
  whyUnreachable: async () => ({ name: "network" }),
  loadTrouble: async () => ({ readRefusal }),
  host: "shop.example",
};

const faults: unknown[] = [];
Object.assign(globalThis, { reportError: (cause: unknown) => void faults.push(cause) });

/**
 * Performs an effect of a run against a service with these replies; returns everything sent to
 * machine and network.
 */
async function doing(
  effect: RunEffect,
  replies: readonly ServiceReply[],
  more: Partial<RunContext> = {},
) {
  await using service = await startAnswering();
  service.answer(...replies);
  const events: RunEvent[] = [];
  const { signal } = new AbortController();
  await runEffect(
    {
      siteKey: "pk_1",
      action: "login",
      cdata: null,
      signal,
      observed: Promise.resolve(),
      client: createServiceClient(service.origin, signal, surroundings),
      frame: Promise.resolve(undefined),
      collector: Promise.resolve(undefined),
      showTest: () => {},
      loadFallback: async () => solveHere,
      behaviour: (solveMs) => ({ ...BEHAVIOUR, solveMs }),
      send: (event) => events.push(event),
      ...more,
    },
    effect,
  );
  return { events, last: events.at(-1), calls: [...service.calls] };
}

const ISSUED = success({
  challenge: "QUJD",
  algorithm: 2,
  k: 16,
  difficulty: 1024,
  interaction: "click",
});
const errorOf = (event: RunEvent | undefined) =>
  event?.type === "failed" ? event.error : undefined;

test("fetches a challenge for site and action, with the batch of observations so far (D8, challenge)", async () => {
  const { last, calls } = await doing({ type: "fetch" }, [ISSUED]);
  assert.ok(last?.type === "challenge");
  assert.deepEqual([last.challenge.challenge, last.challenge.interaction], ["QUJD", "click"]);
  assert.equal(calls[0]?.path, "/api/v1/pow/challenge?site_key=pk_1&batch=9%7E%7E&action=login");
});

test("turns a refusal of the service into the matching error, with its request id (D11, errors)", async () => {
  const { last } = await doing({ type: "fetch" }, [refusal(403, "domain_mismatch")]);
  assert.deepEqual(errorOf(last), {
    name: "hostname_not_allowed",
    detail: "shop.example",
    requestId: "r-1",
  });
});

test("solves in the page if there is no frame, reports progress, and uses the bytes that it then submits (D9, submission)", async () => {
  const { events, last } = await doing({ type: "solve", challenge: CHALLENGE }, []);
  assert.ok(last?.type === "solved");
  assert.equal(Buffer.from(last.work.solution, "base64url").length, 64);
  assert.equal(last.work.environment, "", "a collector that can't be loaded counts as withheld");
  assert.ok(last.work.solveMs >= 0);
  const found = events.flatMap((event) => (event.type === "progress" ? event.found : []));
  assert.equal(found.at(-1), 16);
});

test("reports a failed collector to the page's error handlers and withholds its signals, but does not block the visitor", async () => {
  const fault = new TypeError("Illegal invocation");
  const collector = Promise.resolve(() => Promise.reject(fault));
  const { last } = await doing({ type: "solve", challenge: CHALLENGE }, [], { collector });
  assert.ok(last?.type === "solved");
  assert.equal(last.work.environment, "");
  assert.equal(faults.pop(), fault);
});

test("uses the frame's solution, and does not even load the fallback", async () => {
  const asked: Uint8Array[] = [];
  const frame: SolverFrame = {
    probe: { navigator: {}, worker: null, graphics: null },
    solve: async (request) => {
      asked.push(request.environment);
      return new Uint8Array([1, 2, 3]);
    },
  };
  const environment = { userAgent: "Mozilla/5.0" };
  const { last } = await doing({ type: "solve", challenge: CHALLENGE }, [], {
    frame: Promise.resolve(frame),
    collector: Promise.resolve(async () => environment as never),
    loadFallback: () => assert.fail("loaded"),
  });
  assert.ok(last?.type === "solved");
  assert.equal(last.work.solution, "AQID");
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  assert.equal(
    digest(Buffer.from(last.work.environment, "base64url")),
    digest(asked[0] ?? assert.fail()),
  );
  assert.deepEqual(
    JSON.parse(Buffer.from(last.work.environment, "base64url").toString()),
    environment,
  );
});

test("shows a test site key, and waits for nobody under its challenge (D19, test keys)", async () => {
  const challenge = { ...CHALLENGE, test: true };
  const never = new Promise<void>(() => {});
  const work = { ...WORK, challenge, watched: never };
  let shown = 0;
  const more = { observed: never, showTest: () => shown++ };
  await doing({ type: "solve", challenge }, [], more);
  const verified = success({ verified: true, token: "abc", expires_at: "" });
  const { last } = await doing({ type: "submit", work }, [verified], more);
  assert.deepEqual([shown, last?.type], [1, "verified"]);
});

test("returns the batch of a challenge with its receipt, and sends a new one for the next challenge (D9, submission)", async () => {
  const { calls } = await doing({ type: "submit", work: WORK }, [
    success({ verified: false, next: "retry" }),
  ]);
  const { signals } = JSON.parse(calls[0]?.body ?? "{}");
  assert.deepEqual([signals.earlier, signals.batch], [CHALLENGE.earlier, "9~~"]);
});

test("does not submit the work before the visitor was observed for a second under its challenge (D9, submission)", async () => {
  const startMs = performance.now();
  const { last } = await doing({ type: "solve", challenge: CHALLENGE }, []);
  assert.ok(last?.type === "solved");
  await last.work.watched;
  // Timers may come a millisecond early.
  assert.ok(performance.now() - startMs >= LEAST_WATCHED_MS - 2);
});

test("tries the fallback after a frame that gives up; reports a failed fallback as the browser's fault, a missing one as the network's", async () => {
  const silent: SolverFrame = {
    probe: { navigator: {}, worker: null, graphics: null },
    solve: async () => undefined,
  };
  const solveWith = async (loadFallback: RunContext["loadFallback"]) =>
    (
      await doing({ type: "solve", challenge: CHALLENGE }, [], {
        frame: Promise.resolve(silent),
        loadFallback,
      })
    ).last;
  assert.equal((await solveWith(async () => solveHere))?.type, "solved");
  assert.equal(errorOf(await solveWith(async () => async () => undefined))?.name, "worker_failed");
  assert.equal(errorOf(await solveWith(async () => undefined))?.name, "network");
});

test("submits site, challenge, solution and both signals, and action and cdata only if the page set them (D9, submission)", async () => {
  const token = success({
    verified: true,
    token: "dG9rZW4",
    expires_at: new Date(Date.now() + 300_000).toISOString(),
  });
  const body = async (more: Partial<RunContext>) => {
    const { last, calls } = await doing({ type: "submit", work: WORK }, [token], more);
    assert.ok(last?.type === "verified");
    assert.equal(last.token, "dG9rZW4");
    return JSON.parse(calls[0]?.body ?? "");
  };
  const { signals, ...rest } = await body({ cdata: "order 7" });
  assert.deepEqual(rest, {
    site_key: "pk_1",
    challenge: "QUJD",
    solution: "c29s",
    action: "login",
    cdata: "order 7",
  });
  assert.equal(signals.environment, "ZW52");
  const behaviour = behaviourSignalsSchema.parse(
    JSON.parse(Buffer.from(signals.behaviour, "base64url").toString()),
  );
  assert.equal(behaviour.solveMs, 120);
  assert.deepEqual(Object.keys(await body({ action: null })), [
    "site_key",
    "challenge",
    "solution",
    "signals",
  ]);
});

test("submits nothing before the visitor was observed for long enough, and reads the behaviour only then", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const done = doing(
    { type: "submit", work: WORK },
    [success({ verified: false, next: "retry" })],
    {
      observed: promise.then(() => void order.push("seen")),
      behaviour: () => {
        order.push("behaviour");
        return BEHAVIOUR;
      },
    },
  );
  await new Promise((next) => setImmediate(next));
  assert.deepEqual(order, []);
  resolve();
  assert.deepEqual((await done).last, { type: "again", challenge: undefined });
  // Once for a visitor who is about to press, and once for the report.
  assert.deepEqual(order, ["seen", "behaviour", "behaviour"]);
});

test("passes on the challenge that came with a step-up, and shows blocked visitors the id to quote (D9, submission)", async () => {
  const challenge = {
    challenge: "REVG",
    algorithm: 2,
    k: 16,
    difficulty: 2048,
    interaction: "click",
  };
  const stepUp = success({ verified: false, next: "interact", challenge });
  const { last } = await doing({ type: "submit", work: WORK }, [stepUp]);
  assert.ok(last?.type === "again");
  assert.equal(last.challenge?.challenge, "REVG");
  const blocked = success({ verified: false, next: "blocked", request_id: "r-9" });
  const refused = await doing({ type: "submit", work: WORK }, [blocked]);
  assert.deepEqual(errorOf(refused.last), {
    name: "blocked_by_policy",
    detail: undefined,
    requestId: "r-9",
  });
  const contact = "mailto:help@shop.example";
  const told = success({ verified: false, next: "blocked", request_id: "r-9", contact });
  const reachable = await doing({ type: "submit", work: WORK }, [told]);
  assert.deepEqual(errorOf(reachable.last), {
    name: "blocked_by_policy",
    detail: contact,
    requestId: "r-9",
  });
});

test("reports the widget's own faults to the page's error handlers, and ends in an error instead of silence", async () => {
  const cause = new Error("broken");
  const behaviour = () => {
    throw cause;
  };
  const { last } = await doing({ type: "submit", work: WORK }, [], { behaviour });
  assert.equal(errorOf(last)?.name, "internal");
  assert.deepEqual(faults, [cause]);
});
