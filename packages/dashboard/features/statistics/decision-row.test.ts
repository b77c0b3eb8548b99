import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DOOR_REASONS,
  type RefusalData,
  type ScoredRequestData,
} from "@stile/protocol/dashboard-statistics";
import { actionsOf, drawn, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../ui/session.ts";
import { OUTCOMES } from "./decision-words.ts";
import { REFUSALS } from "./text.ts";

const { DecisionRow } = await import("./decision-row.tsx");
const { LiveBar } = await import("./decisions-page.tsx");
const { NoDecisions } = await import("./empty-states.tsx");

const SCORED: ScoredRequestData = {
  decisionId: "1",
  // Read when a test runs, which may be minutes after this file was loaded.
  get atMs() {
    return Date.now() - 60_000;
  },
  requestId: "request-1",
  action: "login",
  host: "shop.example",
  source: "widget",
  recommendation: "block",
  outcome: "blocked",
  score: 0.83,
  device: "mobile",
  solveMs: 480,
  contributions: [{ flag: "automation_webdriver", weight: 4.5 }],
  label: null,
};
const REFUSAL: RefusalData = {
  decisionId: "2",
  get atMs() {
    return Date.now();
  },
  requestId: "request-2",
  action: null,
  host: null,
  outcome: "refused",
  reason: "domain_mismatch",
};
const row = (decision: ScoredRequestData | RefusalData, isOpenAtFirst = false) =>
  renderPage(
    h(DecisionRow, {
      decision,
      thresholds: { challenge: 0.3, block: 0.6 },
      isOpenAtFirst,
      onLabel: () => {},
    }),
  );

test("shows a decision in one line: time, outcome, score, place, and label", () => {
  const [line] = drawn(row({ ...SCORED, label: "bot" }), "button");
  assert.equal(line?.text, "1 minute ago Blocked score 0.83 shop.example · login · mobile bot");
  assert.equal(line?.attributes["aria-expanded"], "false");
  assert.doesNotMatch(row(SCORED), /request-1/, "the rest is drawn when it is opened");
});

test("shows the recommendation for a score request, which has no other outcome", () => {
  const scored = { ...SCORED, source: "score", outcome: "answered", host: null } as const;
  assert.equal(
    drawn(row(scored), "button")[0]?.text,
    "1 minute ago Scored score 0.83 block · login · mobile",
  );
  assert.match(
    drawn(row({ ...scored, recommendation: "allow" }), "button")[0]?.text ?? "",
    /0\.83 allow · login/,
  );
});

test("connects the line and its explanation for screen readers", () => {
  const markup = row(SCORED, true);
  const [line] = drawn(markup, "button");
  assert.equal(line?.attributes["aria-expanded"], "true");
  assert.ok(markup.includes(`id="${line?.attributes["aria-controls"]}"`));
});

test("explains a decision flag by flag, with the id that the visitor saw", () => {
  me.value = memberWithRole("viewer");
  const text = textOf(row(SCORED, true));
  assert.match(
    text,
    /The score was 0\.83 .*, so the recommendation was to block\. Your thresholds now: challenge from 0\.30, block from 0\.60\./,
  );
  assert.match(
    text,
    /The browser reports that it is controlled by a program\. 90 times more likely to be a bot/,
  );
  assert.match(text, /Source Widget Solve time 480 ms Device mobile Request ID: request-1/);
  assert.match(
    textOf(row({ ...SCORED, contributions: [] }, true)),
    /Nothing raised this visitor's score/,
  );
});

test("says that a wave is refused only for a visit that was blocked below the threshold", () => {
  const told = (change: Partial<ScoredRequestData>) =>
    textOf(row({ ...SCORED, score: 0.5, ...change }, true));
  assert.match(
    told({ recommendation: "challenge" }),
    /It was blocked because a member blocked its wave for an hour\./,
  );
  assert.match(told({ recommendation: "allow" }), /blocked its wave/);
  for (const other of [{}, { recommendation: "challenge", outcome: "step_up" }] as const)
    assert.doesNotMatch(told(other), /blocked its wave/);
});

test("names a trusted bot that signed in line and explanation, and says why nothing counts against one let through", () => {
  me.value = memberWithRole("viewer");
  const scored = { ...SCORED, signedAgent: { name: "<b>Otter", isLetThrough: false } };
  assert.match(drawn(row(scored), "button")[0]?.text ?? "", /mobile · signed by <b>Otter$/);
  const text = textOf(row(scored, true));
  assert.match(text, /Signed by <b>Otter/);
  assert.match(text, /controlled by a program/);
  assert.doesNotMatch(row(scored, true), /<b>/);
  const free = { ...scored, contributions: [], signedAgent: { name: "Otter", isLetThrough: true } };
  assert.match(
    textOf(row(free, true)),
    /Otter signed the request, and the site allows signed bots/,
  );
  assert.doesNotMatch(textOf(row(SCORED, true)), /[Ss]igned by/);
});

test("lets developers record a label, and offers a viewer nothing that would be refused", () => {
  me.value = memberWithRole("developer");
  const pressed = drawn(row({ ...SCORED, label: "person" }, true), "button").flatMap(
    ({ attributes, text }) =>
      "aria-pressed" in attributes ? [[text, attributes["aria-pressed"]]] : [],
  );
  assert.deepEqual(pressed, [
    ["Person", "true"],
    ["Bot", "false"],
  ]);
  me.value = memberWithRole("viewer");
  assert.deepEqual(actionsOf(row(SCORED, true)).slice(1), ["Copy: Request ID"]);
});

test("shows the reason of a refusal instead of a score, and how to add a foreign page", () => {
  assert.match(
    drawn(row(REFUSAL), "button")[0]?.text ?? "",
    /^just now Refused score – The page's host is not among the site's domains$/,
  );
  for (const reason of DOOR_REASONS) {
    const text = textOf(row({ ...REFUSAL, reason }, true));
    assert.ok(text.includes(REFUSALS[reason]), reason);
    assert.equal(
      text.includes("add its host in the settings"),
      reason === "domain_mismatch",
      reason,
    );
    assert.match(text, /Host – Action – Request ID: request-2/);
  }
});

test("shows hosts and actions, which come from strangers, as text", () => {
  const hostile = { ...SCORED, host: "<script>", action: '"><img>', requestId: "<b>" };
  assert.doesNotMatch(row(hostile, true), /<script|<img|<b>/);
});

test("has its own word for every outcome", () => {
  assert.equal(
    new Set(Object.values(OUTCOMES).map(({ label }) => label)).size,
    Object.keys(OUTCOMES).length,
  );
});

const bar = (more: object) =>
  renderPage(
    h(LiveBar, {
      isPaused: false,
      isBroken: false,
      waiting: 0,
      hasGap: false,
      onPause: () => {},
      onShow: () => {},
      ...more,
    }),
  );

test("says whether the list follows along, and how many decisions wait", () => {
  assert.equal(textOf(bar({})), "Live Pause");
  assert.equal(textOf(bar({ isPaused: true, isBroken: true })), "Paused Resume");
  assert.match(textOf(bar({ isBroken: true })), /^Connection lost, retrying/);
  assert.deepEqual(actionsOf(bar({ waiting: 1204 })).slice(1), ["Show 1,204 new"]);
  assert.deepEqual(actionsOf(bar({ waiting: 50, hasGap: true })).slice(1), ["Show 50+ new"]);
});

test("says of an empty list whether nobody came or nothing matches, with a way to continue", () => {
  const none = (isFiltered: boolean) =>
    renderPage(h(NoDecisions, { isFiltered, siteKey: "pk_1", onClear: () => {} }));
  assert.deepEqual(
    [actionsOf(none(true)), actionsOf(none(false))],
    [["Show all"], ["Install the widget"]],
  );
});
