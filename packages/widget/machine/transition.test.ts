import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ServiceChallenge } from "../service/service-challenge.ts";
import { MAX_REJECTIONS, transition as step } from "./transition.ts";
import { WIDGET_ERROR_NAMES } from "./widget-error.ts";
import { isOutage, OFFLINE } from "./widget-fault.ts";
import {
  isWorking,
  type SolvedChallenge,
  type WidgetEffect,
  type WidgetEvent,
  type WidgetState,
} from "./widget-state.ts";

const quiet: ServiceChallenge = {
  challenge: "AAAA",
  algorithm: 2,
  k: 16,
  difficulty: 1024,
  interaction: "none",
  theme: "auto",
  language: "auto",
  isInvisible: false,
  keepsForm: false,
  earlier: undefined,
};
const asking: ServiceChallenge = { ...quiet, interaction: "click" };
const watched = Promise.resolve();
const workFor = (challenge: ServiceChallenge): SolvedChallenge => ({
  challenge,
  solution: "c29s",
  environment: "ZW52",
  solveMs: 120,
  watched,
});

const idle: WidgetState = { name: "idle" };
const common = { isClicked: false, rejections: 0 };
const loading: WidgetState = { name: "loading", ...common };
const solving: WidgetState = { name: "solving", ...common, challenge: quiet, found: 3 };
const interactive: WidgetState = {
  name: "interactive",
  ...common,
  challenge: asking,
  found: 3,
  work: undefined,
};
const verifying: WidgetState = { name: "verifying", ...common };
const verified: WidgetState = { name: "verified", token: "t" };
const expired: WidgetState = { name: "expired" };
const failed: WidgetState = { name: "error", error: { name: "network" } };
const everyState = [idle, loading, solving, interactive, verifying, verified, expired, failed];

const everyEvent: readonly WidgetEvent[] = [
  { type: "start" },
  { type: "click" },
  { type: "challenge", challenge: quiet },
  { type: "progress", found: 4 },
  { type: "solved", work: workFor(quiet) },
  { type: "verified", token: "t", lifeMs: 300_000 },
  { type: "again", challenge: undefined },
  { type: "failed", error: { name: "timeout" } },
  { type: "expire" },
  { type: "reset" },
  { type: "move" },
];

/**
 * Every event that means something in a state, and the state it leads to; all others must change
 * nothing.
 */
const legal: Readonly<
  Record<WidgetState["name"], Partial<Record<WidgetEvent["type"], WidgetState["name"]>>>
> = {
  idle: { start: "loading", click: "loading", reset: "idle" },
  loading: {
    click: "loading",
    challenge: "solving",
    failed: "error",
    reset: "idle",
    move: "loading",
  },
  solving: {
    click: "solving",
    progress: "solving",
    solved: "verifying",
    failed: "error",
    reset: "idle",
    move: "loading",
  },
  interactive: {
    click: "solving",
    progress: "interactive",
    solved: "interactive",
    failed: "error",
    reset: "idle",
    move: "loading",
  },
  verifying: {
    verified: "verified",
    again: "loading",
    failed: "error",
    reset: "idle",
    move: "loading",
  },
  verified: { expire: "expired", reset: "idle" },
  expired: { start: "loading", click: "loading", reset: "idle" },
  error: { start: "loading", click: "loading", reset: "idle" },
};

type Step = { readonly state: WidgetState; readonly effect?: WidgetEffect | undefined };

function transition(before: WidgetState, event: WidgetEvent): Step {
  const [state, effect] = step(before, event);
  return { state, effect };
}

const after = (state: WidgetState, ...events: WidgetEvent[]): Step =>
  events.reduce<Step>((step, event) => transition(step.state, event), { state });

for (const state of everyState) {
  for (const event of everyEvent) {
    const to = legal[state.name][event.type];
    const guarantee = to === undefined ? "changes nothing" : `leads to ${to}`;
    test(`${event.type} in ${state.name} ${guarantee}`, () => {
      const step = transition(state, event);
      if (to === undefined) {
        assert.equal(step.state, state);
        assert.equal(step.effect, undefined);
      } else {
        assert.notEqual(step.state, state);
        assert.equal(step.state.name, to);
      }
    });
  }
}

test("reaches a token without a click if the site asks for none (D9, managed)", () => {
  const steps = [
    transition(idle, { type: "start" }),
    transition(loading, { type: "challenge", challenge: quiet }),
    transition(solving, { type: "solved", work: workFor(quiet) }),
    transition(verifying, { type: "verified", token: "t", lifeMs: 5 }),
  ];
  assert.deepEqual(
    steps.map(({ state, effect }) => [state.name, effect?.type]),
    [
      ["loading", "fetch"],
      ["solving", "solve"],
      ["verifying", "submit"],
      ["verified", "await_expiry"],
    ],
  );
});

test("does not submit a challenge that asks for a click before the click (D9, interactive)", () => {
  const solvedFirst = after(
    loading,
    { type: "challenge", challenge: asking },
    { type: "solved", work: workFor(asking) },
  );
  assert.equal(solvedFirst.state.name, "interactive");
  assert.equal(solvedFirst.effect, undefined);
  const clicked = transition(solvedFirst.state, { type: "click" });
  assert.equal(clicked.state.name, "verifying");
  assert.deepEqual(clicked.effect, { type: "submit", work: workFor(asking) });
});

test("keeps a click that comes before the solution, and does not start the solver twice", () => {
  const clicked = after(loading, { type: "challenge", challenge: asking }, { type: "click" });
  assert.equal(clicked.state.name, "solving");
  assert.equal(clicked.effect, undefined);
  assert.equal(
    transition(clicked.state, { type: "solved", work: workFor(asking) }).effect?.type,
    "submit",
  );
});

test("does not ask a visitor who began by clicking to click again", () => {
  const asked = after(idle, { type: "click" }, { type: "challenge", challenge: asking });
  assert.equal(asked.state.name, "solving");
});

test("solves the challenge that came with a step-up and asks for the click (D9, next: interact)", () => {
  const step = transition(verifying, { type: "again", challenge: asking });
  assert.equal(step.state.name, "interactive");
  assert.deepEqual(step.effect, { type: "solve", challenge: asking });
});

test("works on a priced challenge without another press, and does not count it as a refusal (D9, next: work)", () => {
  const lateAndPressed: WidgetState = {
    name: "verifying",
    isClicked: true,
    rejections: MAX_REJECTIONS - 1,
  };
  const { state, effect } = transition(lateAndPressed, { type: "again", challenge: quiet });
  assert.ok(state.name === "solving", state.name);
  assert.deepEqual([state.isClicked, state.rejections], [true, MAX_REJECTIONS - 1]);
  assert.deepEqual(effect, { type: "solve", challenge: quiet });
});

test("gives up with solution_rejected at the third refusal (D9, next: retry)", () => {
  let state: WidgetState = verifying;
  for (let refusal = 1; refusal < MAX_REJECTIONS; refusal++) {
    state = after(
      state,
      { type: "again", challenge: undefined },
      { type: "challenge", challenge: quiet },
      { type: "solved", work: workFor(quiet) },
    ).state;
    assert.equal(state.name, "verifying");
  }
  const last = transition(state, { type: "again", challenge: undefined }).state;
  assert.ok(last.name === "error");
  assert.deepEqual([last.error.name, MAX_REJECTIONS], ["solution_rejected", 3]);
});

test("asks for the click again at a renewal", () => {
  const renewed = after(expired, { type: "start" }, { type: "challenge", challenge: asking });
  assert.equal(renewed.state.name, "interactive");
});

test("keeps a token when its element is moved, and drops it when the form is reset", () => {
  assert.equal(transition(verified, { type: "move" }).state, verified);
  assert.equal(transition(verified, { type: "reset" }).state.name, "idle");
});

test("restarts a run whose element is moved, and keeps its click and its number of refusals", () => {
  for (const state of [solving, verifying]) {
    const moved = transition({ ...state, isClicked: true, rejections: 2 }, { type: "move" });
    assert.deepEqual(moved, {
      state: { name: "loading", isClicked: true, rejections: 2 },
      effect: { type: "fetch" },
    });
  }
});

test("never lets progress fall or exceed the required number", () => {
  const found = (count: number): number => {
    const { state } = transition(solving, { type: "progress", found: count });
    return "found" in state ? state.found : Number.NaN;
  };
  assert.deepEqual([found(2), found(3), found(9), found(200)], [3, 3, 9, 16]);
});

test("reaches no state outside the table by any order of events", () => {
  const challenge = fc.constantFrom(quiet, asking);
  const event: fc.Arbitrary<WidgetEvent> = fc.oneof(
    fc.constantFrom<WidgetEvent>(
      { type: "start" },
      { type: "click" },
      { type: "reset" },
      { type: "move" },
    ),
    fc.record({ type: fc.constant("challenge" as const), challenge }),
    fc.record({ type: fc.constant("progress" as const), found: fc.nat(20) }),
    fc.record({ type: fc.constant("solved" as const), work: challenge.map(workFor) }),
    fc.record({
      type: fc.constant("verified" as const),
      token: fc.constant("t"),
      lifeMs: fc.constant(9),
    }),
    fc.record({
      type: fc.constant("again" as const),
      challenge: fc.option(challenge, { nil: undefined }),
    }),
    fc.record({
      type: fc.constant("failed" as const),
      error: fc.constant({ name: "internal" as const }),
    }),
    fc.record({ type: fc.constant("expire" as const) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let state: WidgetState = idle;
      for (const one of events) {
        const step = transition(state, one);
        if (step.state === state) assert.equal(step.effect, undefined);
        else
          assert.equal(
            legal[state.name][one.type] === undefined,
            false,
            `${one.type} in ${state.name}`,
          );
        if (isWorking(step.state)) assert.ok(step.state.rejections <= MAX_REJECTIONS);
        state = step.state;
      }
    }),
    { numRuns: 1000, seed: 20261120 },
  );
});

test("retries without a click after errors that a retry can fix; after any other it waits for somebody", () => {
  for (const name of WIDGET_ERROR_NAMES) {
    const error = { name };
    const mayHelp = ["network", "timeout", "internal", "rate_limited"].includes(name);
    const failed = transition(loading, { type: "failed", error });
    assert.equal(
      transition(failed.state, { type: "start" }).state.name,
      mayHelp ? "loading" : "error",
      name,
    );
  }
});

test("counts as an outage only errors that neither visitor nor page can fix: no offline browser, no refusal (D15, outage)", () => {
  const out = WIDGET_ERROR_NAMES.filter((name) => isOutage({ name }));
  assert.deepEqual(out, ["network", "timeout", "internal"]);
  assert.equal(isOutage({ name: "network", detail: OFFLINE }), false);
});
