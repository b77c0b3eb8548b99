import assert from "node:assert/strict";
import { test } from "node:test";
import { RISK_FLAGS } from "@stile/protocol/risk-flags";
import { behaviourSignalsSchema, environmentSignalsSchema } from "@stile/protocol/schemas/signals";
import {
  type BehaviourSignals,
  type EnvironmentSignals,
  SIGNALS_VERSION,
} from "@stile/protocol/signals";
import { anyText } from "@stile/testkit/payloads/any-text";
import { assessVisit, type HandedIn } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import fc from "fast-check";

const text = (max: number) => anyText({ maxLength: max });
const px = fc.double({ min: -1e9, max: 1e9, noNaN: true });
const time = fc.double({ min: 0, max: 1e9, noNaN: true });
const bit = fc.constantFrom(0 as const, 1 as const);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const cores = orNull(fc.integer({ min: 1, max: 4096 }));
const webdriver = orNull(fc.boolean());
const toggles = fc.array(fc.tuple(time, bit), { maxLength: 8 });

const HONEST_TEXTS = HONEST_VISITORS.flatMap(({ evidence }) => [
  evidence.userAgent,
  ...Object.values(evidence.headers),
]);
const userAgent = fc.oneof(fc.constantFrom(...HONEST_TEXTS), text(1024));
const brand = fc.tuple(
  fc.oneof(fc.constantFrom("Chromium", "Brave"), text(128)),
  fc.oneof(text(32), fc.constant("140")),
);

const place = {
  userAgent,
  platform: text(128),
  languages: fc.array(text(64), { maxLength: 4 }),
  webdriver,
  cores,
};
const otherPlace = orNull(fc.record(place));

const environment: fc.Arbitrary<EnvironmentSignals> = fc.record({
  v: fc.constant<typeof SIGNALS_VERSION>(SIGNALS_VERSION),
  ...place,
  vendor: text(128),
  memory: orNull(fc.double({ min: 0, max: 4096, noNaN: true })),
  touchPoints: fc.integer({ min: 0, max: 256 }),
  screen: fc.tuple(px, px, px, px, px),
  viewport: fc.tuple(px, px, px, px),
  pixelRatio: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 64, noNaN: true })),
  pageScale: orNull(fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1000, noNaN: true }))),
  isFramed: fc.boolean(),
  isSecure: fc.boolean(),
  timezoneOffset: fc.double({ min: -1440, max: 1440, noNaN: true }),
  timezone: orNull(text(64)),
  media: fc.array(fc.oneof(text(64), fc.constant("(pointer: none)")), { maxLength: 4 }),
  clientHints: orNull(
    fc.record({
      brands: fc.array(brand, { maxLength: 4 }),
      mobile: fc.boolean(),
      platform: text(64),
    }),
  ),
  driverGlobals: fc.array(text(128), { maxLength: 2 }),
  chrome: orNull(fc.array(text(64), { maxLength: 2 })),
  permission: orNull(
    fc.constantFrom<readonly [string, string]>(["denied", "prompt"], ["default", "prompt"]),
  ),
  natives: fc.array(fc.tuple(text(64), text(128)), { maxLength: 2 }),
  blank: otherPlace,
  frame: otherPlace,
  worker: otherPlace,
  graphics: orNull(fc.tuple(text(256), fc.constantFrom("ANGLE (SwiftShader)", ""))),
});

const pressure = fc.double({ min: 0, max: 1, noNaN: true });
const common = [time, px, px, fc.nat(4), fc.nat(3), pressure, bit] as const;
const sample = fc.oneof(
  fc.tuple(...common),
  fc.tuple(...common, px, px),
  fc.tuple(...common, px, px, fc.nat(65_535)),
);
const behaviour: fc.Arbitrary<BehaviourSignals> = fc.record({
  v: fc.constant<typeof SIGNALS_VERSION>(SIGNALS_VERSION),
  durationMs: time,
  solveMs: orNull(time),
  pointer: fc.array(sample, { maxLength: 32 }),
  keys: toggles,
  focus: toggles,
  visibility: toggles,
  scroll: toggles,
  box: orNull(fc.tuple(px, px, px, px)),
  callers: fc.array(text(128), { maxLength: 2 }),
});

const absentOr = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const headerName = fc.oneof(
  fc.constantFrom(
    "accept",
    "accept-language",
    "sec-ch-ua",
    "sec-ch-ua-mobile",
    "sec-ch-ua-platform",
    "sec-fetch-mode",
  ),
  fc.constantFrom("user-agent", "__proto__", "constructor"),
);
const solve = fc.record({
  witness: fc.oneof(
    fc.constantFrom("none", "forged"),
    fc.record({
      atMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
      pointer: fc.array(fc.string(), { maxLength: 16 }),
      keys: fc.array(fc.integer(), { maxLength: 16 }),
    }),
  ),
  elapsedMs: fc.double({ min: -1e6, max: 1e6 }),
  difficulty: fc.nat(2 ** 30),
  algorithm: fc.integer({ min: -1, max: 3 }),
  isFallback: fc.boolean(),
  interaction: fc.constantFrom("none" as const, "click" as const),
  asksEverybody: fc.boolean(),
});
const usage = fc.record({
  earned: fc.nat(99),
  redeemed: fc.nat(99),
  traced: fc.nat(99),
  moved: fc.nat(99),
});
const evidence: fc.Arbitrary<HandedIn> = fc.record({
  headers: absentOr(
    fc.dictionary(
      headerName,
      fc.oneof(fc.constantFrom(...HONEST_TEXTS, "?1", '"Android"'), text(4096)),
    ),
  ),
  userAgent: absentOr(fc.oneof(userAgent, text(4096))),
  environment: absentOr(fc.oneof(environment, fc.constant("withheld" as const))),
  behaviour: absentOr(fc.oneof(behaviour, fc.constant("withheld" as const))),
  solve: absentOr(solve),
  velocity: absentOr(
    fc.record(
      { perMinute: fc.double(), networkPerMinute: fc.double(), siteRatio: fc.double() },
      { requiredKeys: ["perMinute"] },
    ),
  ),
  network: absentOr(fc.record({ isDatacenter: fc.boolean(), isTor: fc.boolean() })),
  farm: absentOr(fc.record({ network: usage, others: usage })),
  tokenScore: absentOr(fc.double({ min: 0, max: 1, noNaN: true })),
  history: absentOr(
    fc.record(
      {
        isSignalsReplayed: fc.boolean(),
        isTokenInvalid: fc.boolean(),
        isAddressChanged: fc.boolean(),
        isAddressHidden: fc.boolean(),
        isUserAgentChanged: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
});

test("generates only evidence that the protocol accepts (D9, submission)", () => {
  fc.assert(
    fc.property(environment, (it) => environmentSignalsSchema.safeParse(it).success),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(behaviour, (it) => behaviourSignalsSchema.safeParse(it).success),
    { numRuns: 200 },
  );
});

test("scores any evidence within 0..1 with two decimals and known flags, and never throws (spec 2.2; D6, scores)", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(evidence, (it) => {
      const { score, flags, contributions } = assessVisit(it);
      for (const flag of flags) seen.add(flag);
      assert.ok(score >= 0.05 && score <= 1);
      assert.equal(score, Number(score.toFixed(2)));
      assert.ok(flags.every((flag) => Object.hasOwn(RISK_FLAGS, flag)));
      assert.deepEqual(
        contributions.flatMap(({ flag, weight }) => (weight > 0 ? flag : [])),
        flags,
      );
    }),
    { numRuns: 3000 },
  );
  assert.ok(seen.size >= 15, `the generator reaches only ${[...seen]}`);
});

test("gives the same answer for the same evidence and does not change the evidence (spec 2.2)", () => {
  fc.assert(
    fc.property(evidence, (it) => {
      const before = structuredClone(it);
      assert.deepEqual(assessVisit(it), assessVisit(it));
      assert.deepEqual(structuredClone(it), before);
    }),
    { numRuns: 300 },
  );
});

test("assesses hostile texts of full length in linear time (D11, errors)", () => {
  const words = [
    "Chrome/",
    "Version/1 ",
    "Mozilla/5.0 (Windows NT ",
    '"Chromium";',
    "cubot",
    " ",
    "Safari/",
    "\\",
  ];
  for (const word of words) {
    const hostile = word.repeat(1_000_000 / word.length);
    const headers = {
      "sec-ch-ua": hostile,
      "sec-ch-ua-platform": hostile,
      "sec-fetch-mode": "cors",
    };
    const start = process.hrtime.bigint();
    assessVisit({ userAgent: hostile, headers });
    const elapsedMs = Number(process.hrtime.bigint() - start) / 1e6;
    assert.ok(elapsedMs < 250, `${word}: ${elapsedMs} ms`);
  }
});
