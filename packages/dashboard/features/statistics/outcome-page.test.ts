import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutcomeData, ScoresData } from "@stile/protocol/dashboard-statistics";
import { actionsOf, drawn, fieldsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../ui/session.ts";

const { Outcome } = await import("./outcome-page.tsx");
const { Scores } = await import("./scores-page.tsx");

const HOUR = 3_600_000;
const START = Date.UTC(2026, 5, 2, 12);
const NONE = {
  issued: 0,
  solved: 0,
  failed: 0,
  steppedUp: 0,
  priced: 0,
  blocked: 0,
  tokens: 0,
  verified: 0,
  refused: 0,
};
const EMPTY: OutcomeData = {
  fromMs: START,
  toMs: START + 24 * HOUR,
  resolution: "hour",
  timeZone: "UTC",
  sums: NONE,
  refusedByReason: {},
  points: Array.from({ length: 24 }, (_, at) => ({ ...NONE, startMs: START + at * HOUR })),
  refusedAtDoor: { domain_mismatch: 0, site_disabled: 0, rate_limited: 0, solution_rejected: 0 },
  refusedHosts: [],
  scoreRequests: 0,
  passRate: null,
  blockRate: null,
  isNeverVerified: false,
  isLastOpen: true,
  solveTimes: { p50Ms: null, p95Ms: null, buckets: [] },
  devices: [],
  countries: [],
  hosts: [],
};
const outcome = (more: Partial<OutcomeData> = {}) =>
  renderPage(h(Outcome, { data: { ...EMPTY, ...more }, siteKey: "pk_1" }));

const REFUSED: Partial<OutcomeData> = {
  sums: { ...NONE, refused: 1 },
  refusedByReason: { missing_token: 1 },
};

test("says once that a site has no visitors, with dashes for unknown numbers, and how to install", () => {
  const markup = outcome();
  assert.doesNotMatch(textOf(markup), /NaN|Infinity|undefined|null/);
  assert.match(textOf(markup), /Solved 0 none were issued Verified 0 tokens, by your server/);
  assert.match(
    textOf(markup),
    /Pass rate – no calls from your server Block rate – no visits scored/,
  );
  assert.match(textOf(markup), /Solve time – no challenges solved/);
  assert.match(textOf(markup), /No visits in this period/);
  assert.doesNotMatch(textOf(markup), /Over time|From challenge to verification/);
  assert.ok(
    drawn(markup, "a").some(
      ({ attributes }) => attributes.href === "/dashboard/sites/pk_1/install",
    ),
  );
});

test("shows the panels after any count: a call, a refusal before scoring, a score request", () => {
  const door = { ...EMPTY.refusedAtDoor, site_disabled: 1 };
  for (const data of [REFUSED, { refusedAtDoor: door }, { scoreRequests: 1 }]) {
    assert.match(textOf(outcome(data)), /From challenge to verification/);
    assert.doesNotMatch(textOf(outcome(data)), /Install the widget/);
  }
});

test("says so in a panel that has nothing to show", () => {
  const text = textOf(outcome({ scoreRequests: 1 }));
  assert.doesNotMatch(text, /NaN|Infinity|undefined|null/);
  assert.match(text, /No challenges were issued in this period\./);
  assert.match(text, /No requests from browsers were refused before scoring in this period\./);
  assert.match(text, /No calls from your server were refused in this period\./);
});

test("shows a sentence instead of a table without rows", () => {
  const bodies = drawn(outcome({ scoreRequests: 1 }), "tbody").map(
    ({ inner }) => drawn(inner, "tr").length,
  );
  assert.deepEqual(bodies, [4], "the funnel's steps alone");
});

test("shows score requests only for sites that make some", () => {
  assert.doesNotMatch(textOf(outcome()), /Score requests/);
  assert.match(textOf(outcome({ scoreRequests: 1204 })), /Score requests 1,204 from your server/);
});

test("shows no share above 100%, however short the time", () => {
  const sums = { ...NONE, issued: 2, solved: 3, tokens: 3, verified: 2 };
  const text = textOf(outcome({ sums }));
  assert.match(text, /Solved 3 some were issued earlier/);
  for (const [, share] of text.matchAll(/([\d.,]+)%/g))
    assert.ok(Number(share) <= 100, `${share}%`);
  assert.match(text, /Solved None challenged or blocked 3 – Tokens issued/);
});

test("warns of tokens that nobody redeems, and says how to fix it", () => {
  assert.doesNotMatch(textOf(outcome()), /Warning|Error/);
  const markup = outcome({ isNeverVerified: true });
  assert.ok(
    drawn(markup, "a").some(
      ({ attributes }) => attributes.href === "/dashboard/sites/pk_1/install",
    ),
  );
});

test("describes refusals in words and by their code, the most frequent first, and an unknown one by its code", () => {
  const refusedByReason = { token_expired: 2, invalid_secret: 5, of_tomorrow: 1, site_disabled: 0 };
  const text = textOf(
    outcome({ sums: { ...NONE, refused: 8 }, refusedByReason } as Partial<OutcomeData>),
  );
  assert.match(
    text,
    /Secret key did not match the site\. invalid_secret 5 63% .*past its expiry time\. token_expired 2 25%/,
  );
  assert.match(text, /of_tomorrow of_tomorrow 1/);
  assert.doesNotMatch(text, /site_disabled/);
});

test("names refused pages as text, with the way to add them and the endpoint they asked", () => {
  const refusedHosts = [{ host: "<b>evil</b>.example", lastAtMs: START }];
  const markup = outcome({
    refusedHosts,
    refusedAtDoor: { ...EMPTY.refusedAtDoor, domain_mismatch: 3 },
  });
  assert.match(
    textOf(markup),
    /Pages on <b>evil<\/b>\.example were refused\. If one of these hosts is yours, add it to the site's domains/,
  );
  const links = drawn(markup, "a").map(({ attributes }) => attributes.href);
  assert.ok(links.includes("/dashboard/sites/pk_1/settings"));
  assert.ok(links.includes("/dashboard/sites/pk_1/decisions?show=refused"));
});

const SCORES: ScoresData = {
  fromMs: START,
  toMs: START + HOUR,
  thresholds: { challenge: 0.3, block: 0.6 },
  scored: Array.from({ length: 101 }, (_, score) => (score === 5 ? 990 : score === 80 ? 10 : 0)),
  verified: Array.from({ length: 101 }, () => 0),
  byVendorVerdict: { pass: Array(101).fill(0), fail: Array(101).fill(0) },
  mayAsk: true,
  byAction: [],
  flags: [{ flag: "velocity_ip", count: 25 }],
};
const scores = (more: Partial<ScoresData> = {}) =>
  renderPage(h(Scores, { data: { ...SCORES, ...more }, siteKey: "pk_1", onSaved: () => {} }));

test("begins with the current thresholds, each with its value for screen readers, and offers nothing to save yet", () => {
  me.value = memberWithRole("developer");
  const markup = scores();
  const sliders = [...fieldsOf(markup)].filter(([label]) => /from/.test(label));
  assert.deepEqual(
    sliders.map(([label, { attributes }]) => [
      label,
      attributes.value,
      attributes["aria-valuetext"],
    ]),
    [
      ["Challenge from 0.30", "0.3", "0.30"],
      ["Block from 0.60", "0.6", "0.60"],
    ],
  );
  assert.match(textOf(markup), /These are the current thresholds\./);
  assert.doesNotMatch(actionsOf(markup).join(), /Use these|Keep the current/);
});

test("describes flags in words, with their share of all scored visits", () => {
  assert.match(
    textOf(scores()),
    /Many attempts from this network in a short time\. velocity_ip 25 2\.5%/,
  );
  assert.match(textOf(scores({ flags: [] })), /No flags were raised in this period\./);
});

test("separates an action that visitors called all from all actions, and allows choosing one without a name", () => {
  const byAction = ["all", "", "<b>"].map((action) => ({ action, scored: SCORES.scored }));
  const options = drawn(scores({ byAction }), "option").map(({ attributes, text }) => [
    attributes.value,
    text,
  ]);
  assert.deepEqual(options, [
    ["all", "All actions"],
    [":all", "all"],
    [":", "(no name)"],
    [":<b>", "<b>"],
  ]);
  assert.doesNotMatch(scores(), /<option/);
});

/** 101 counts, all zero except these. */
const counts = (some: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: 101 }, (_, score) => some[score] ?? 0);

test("compares Stile with the old CAPTCHA from the threshold that decides in the site's mode (D2, comparing)", () => {
  const byVendorVerdict = {
    pass: counts({ 5: 940, 30: 15, 60: 5 }),
    fail: counts({ 59: 12, 80: 28 }),
  };
  const managed = textOf(scores({ byVendorVerdict }));
  assert.match(
    managed,
    /If Stile refuses from 0\.60, both agree about 983 of 1,000 visits \(98%\)/,
  );
  assert.match(
    managed,
    /Stile passes below 0\.60 955 96%, both pass 12 1\.2%, only the old one refuses Stile refuses from 0\.60 5 0\.5%, only Stile refuses 28 2\.8%, both refuse/,
  );
  assert.match(managed, /Visits that Stile blocks get no token/);
  const invisible = textOf(scores({ byVendorVerdict, mayAsk: false }));
  assert.match(invisible, /If Stile refuses from 0\.30, both agree about 980 of 1,000 visits/);
  assert.doesNotMatch(invisible, /Visits that Stile blocks get no token/);
});

test("says how to begin a comparison if no verdict was sent", () => {
  const text = textOf(scores());
  assert.match(text, /Nothing to compare in this period/);
  assert.match(text, /vendor_verdict/);
  assert.doesNotMatch(text, /NaN|undefined/);
});
