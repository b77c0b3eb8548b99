import assert from "node:assert/strict";
import { test } from "node:test";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { behaviourSignalsSchema, environmentSignalsSchema } from "@stile/protocol/schemas/signals";
import {
  CHROME_VISITOR,
  findVisitor,
  withEnvironment,
  withPointer,
  withUserAgent,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit, type HandedIn } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { scoreWithout, withShadows } from "./assess.ts";
import { FLAG_WEIGHTS } from "./weights.ts";

for (const { name, evidence } of HONEST_VISITORS) {
  test(`lets an honest visitor through without a single flag: ${name} (spec 4.2)`, () => {
    const { score, flags, contributions } = assessVisit(evidence);
    assert.deepEqual(flags, []);
    assert.deepEqual(contributions, []);
    assert.ok(score < 0.15, `score ${score}`);
  });

  test(`the honest fixture passes the protocol's validation: ${name} (D9, submission)`, () => {
    assert.deepEqual(environmentSignalsSchema.parse(evidence.environment), evidence.environment);
    assert.deepEqual(behaviourSignalsSchema.parse(evidence.behaviour), evidence.behaviour);
  });
}

test("scores exactly 0.30 with low_evidence if there is no evidence (D7, score request)", () => {
  for (const evidence of [
    {},
    { headers: {} },
    { headers: {}, history: {}, velocity: { perMinute: 1, siteRatio: 1 } },
  ]) {
    assert.deepEqual(assessVisit(evidence), {
      score: 0.3,
      flags: ["low_evidence"],
      contributions: [{ flag: "low_evidence", weight: FLAG_WEIGHTS.low_evidence }],
    });
  }
});

test("scores at least 0.30 on POST /verify if signals are withheld (D9, submission)", () => {
  const { behaviour, environment } = CHROME_VISITOR;
  for (const parts of [
    { environment: "withheld", behaviour: "withheld" },
    { environment: "withheld", behaviour },
    { environment, behaviour: "withheld" },
  ] as const) {
    const { score, flags } = assessVisit({ ...CHROME_VISITOR, ...parts });
    assert.deepEqual(flags, ["signals_withheld"]);
    assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
  }
});

test("scores an invalid token exactly 1.00, whatever else is known (D7, score request)", () => {
  const history = { isTokenInvalid: true };
  assert.deepEqual(assessVisit({ history }).flags, ["token_invalid"]);
  for (const evidence of [{ history }, { ...CHROME_VISITOR, history }])
    assert.equal(assessVisit(evidence).score, 1);
});

test("scores the reduced work at least 0.30, which alone does not block (proof of work, fallback)", () => {
  const { score, flags } = assessVisit({
    ...CHROME_VISITOR,
    solve: { ...CHROME_VISITOR.solve!, isFallback: true },
  });
  assert.deepEqual(flags, ["pow_fallback"]);
  assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
});

test("a valid proof of work never lowers the score (proof of work, first paragraph)", () => {
  for (const { evidence } of HONEST_VISITORS) {
    const { solve: _, ...unsolved } = evidence;
    assert.equal(assessVisit(evidence).score, assessVisit(unsolved).score);
  }
  const driven = withEnvironment(CHROME_VISITOR, { webdriver: true });
  assert.equal(assessVisit(driven).score, assessVisit({ ...driven, solve: undefined }).score);
});

const HARD: readonly (readonly [RiskFlag, HandedIn])[] = [
  [
    "automation_webdriver",
    withEnvironment(findVisitor("Firefox on Linux, keyboard only"), { webdriver: true }),
  ],
  [
    "driver_globals",
    withEnvironment(CHROME_VISITOR, { driverGlobals: ["cdc_adoQpoasnfa76pfcZLmcfl_Array"] }),
  ],
  [
    "ua_headless",
    withUserAgent(CHROME_VISITOR, CHROME_VISITOR.userAgent.replace("Chrome/", "HeadlessChrome/")),
  ],
  ["ua_declared_bot", { userAgent: "curl/8.5.0" }],
];
for (const [flag, evidence] of HARD) {
  test(`${flag} alone reaches the block threshold (D6, scores)`, () => {
    const { score, flags } = assessVisit(evidence);
    assert.ok(flags.includes(flag), flags.join());
    assert.ok(score >= 0.6, `score ${score} from ${flags}`);
  });
}

test("asks for a challenge after a click by script alone, and never blocks for it (risk score, synthetic_click)", () => {
  const asked = {
    ...CHROME_VISITOR,
    solve: { ...CHROME_VISITOR.solve!, interaction: "click" as const },
  };
  const { score, flags } = assessVisit(withPointer(asked, [[900, 0, 0, 4, 3, 0, 0]]));
  assert.deepEqual(flags, ["synthetic_click", "low_evidence"]);
  assert.ok(score >= 0.3 && score < 0.6, `score ${score}`);
});

test("raises the score slightly for another network, another browser or a hidden address (D5, binding)", () => {
  for (const history of [
    { isAddressHidden: true },
    { isAddressChanged: true },
    { isUserAgentChanged: true },
  ]) {
    for (const tokenScore of [0.05, 0.18, 0.29, 0.45, 0.6]) {
      const { score } = assessVisit({ tokenScore, history });
      assert.ok(score > tokenScore && score < tokenScore + 0.4, `${tokenScore} to ${score}`);
    }
  }
  const moved = assessVisit({ tokenScore: 0.05, history: { isAddressChanged: true } }).score;
  assert.ok(moved < 0.15);
  assert.equal(
    assessVisit({ ...CHROME_VISITOR, history: { isAddressHidden: true } }).score,
    moved,
    "bound to no network",
  );
});

test("returns the score of a genuine token unchanged if nothing else is known (D7, score request)", () => {
  for (let hundredths = 5; hundredths <= 100; hundredths++) {
    const tokenScore = hundredths / 100;
    assert.deepEqual(assessVisit({ tokenScore }), {
      score: tokenScore,
      flags: [],
      contributions: [],
    });
  }
});

test("lists flags and contributions in the order of the vocabulary (spec 2.2)", () => {
  const { flags, contributions } = assessVisit({
    ...withEnvironment(CHROME_VISITOR, {
      webdriver: true,
      driverGlobals: ["$chrome_asyncScriptInfo"],
    }),
    velocity: { perMinute: 900, siteRatio: 40 },
    history: { isSignalsReplayed: true, isAddressChanged: true },
  });
  const order = Object.keys(RISK_FLAGS);
  assert.deepEqual(
    flags,
    [...flags].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
  );
  assert.equal(flags.length, 7);
  assert.deepEqual(
    contributions.map(({ flag }) => flag),
    flags,
  );
});

test("shows flags that a press has answered without scoring them", () => {
  const assessment = assessVisit({
    ...withEnvironment(CHROME_VISITOR, { webdriver: true }),
    history: { isSignalsReplayed: true, isAddressChanged: true },
  });
  const shadowed = withShadows(["automation_webdriver"], assessment);
  assert.equal(shadowed.score, scoreWithout(["automation_webdriver"], assessment));
  assert.deepEqual(
    shadowed.flags,
    assessment.flags.filter((flag) => flag !== "automation_webdriver"),
  );
  assert.equal(shadowed.contributions.length, assessment.contributions.length);
  assert.equal(
    shadowed.contributions.find(({ flag }) => flag === "automation_webdriver")?.weight,
    0,
  );
});
