import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentSignalsSchema } from "@stile/protocol/schemas/signals";
import { SIGNALS_VERSION } from "@stile/protocol/signals";
import fc from "fast-check";
import { factsOf, readNavigator } from "./browser-facts.ts";

const NAVIGATOR = {
  userAgent: "Mozilla/5.0",
  platform: "Linux x86_64",
  languages: ["de", "en"],
  webdriver: false,
};

test("reads from a navigator only the facts by which places of a browser are compared", () => {
  const found = readNavigator({ ...NAVIGATOR, hardwareConcurrency: 8, deviceMemory: 4 } as never);
  assert.deepEqual(found, { ...NAVIGATOR, hardwareConcurrency: 8 });
  assert.deepEqual(factsOf(found), { ...NAVIGATOR, cores: 8 });
});

test("reads a missing fact as null or empty, and a fact of another type as missing", () => {
  const none = { userAgent: "", platform: "", languages: [], webdriver: null, cores: null };
  for (const found of [undefined, null, "navigator", 7, [], {}])
    assert.deepEqual(factsOf(found), none);
  const odd = {
    userAgent: 7,
    platform: {},
    languages: "de",
    webdriver: "false",
    hardwareConcurrency: "8",
  };
  assert.deepEqual(factsOf(odd), none);
  for (const hardwareConcurrency of [0, -1, 4097, 7.5, Number.NaN])
    assert.equal(factsOf({ hardwareConcurrency }).cores, null);
});

test("cuts texts and lists to the allowed size, and keeps printable ASCII only", () => {
  const long = {
    userAgent: "é".repeat(600),
    platform: "p".repeat(65),
    languages: Array(9).fill("l".repeat(33)),
  };
  const { userAgent, platform, languages } = factsOf(long);
  assert.deepEqual([userAgent, platform.length], ["?".repeat(512), 64]);
  assert.deepEqual(languages, Array(8).fill("l".repeat(32)));
  assert.equal(factsOf(long, 100).userAgent.length, 100);
});

test("reports values of another window in a form that the service can read (D9, submission)", () => {
  const page = {
    ...factsOf({}),
    v: SIGNALS_VERSION,
    vendor: "",
    memory: null,
    touchPoints: 0,
    screen: [0, 0, 0, 0, 0],
    viewport: [0, 0, 0, 0],
    pixelRatio: 1,
    pageScale: 1,
    isFramed: false,
    isSecure: true,
    timezoneOffset: 0,
    timezone: null,
    media: [],
    clientHints: null,
    driverGlobals: [],
    chrome: null,
    permission: null,
    natives: [],
    blank: null,
    worker: null,
    graphics: null,
  };
  const field = fc.oneof(fc.anything(), fc.string(), fc.array(fc.anything()), fc.double());
  const names = ["userAgent", "platform", "languages", "webdriver", "hardwareConcurrency"];
  const found = fc.record(Object.fromEntries(names.map((name) => [name, field])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(found, (navigator) => {
      const sent = JSON.parse(JSON.stringify({ ...page, frame: factsOf(navigator) }));
      const { error } = environmentSignalsSchema.safeParse(sent);
      assert.equal(error, undefined);
    }),
    { seed: 19, numRuns: 500 },
  );
});
