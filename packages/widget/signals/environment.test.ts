import assert from "node:assert/strict";
import { test } from "node:test";
import { SIGNALS_BYTES_LIMIT } from "@stile/protocol/limits";
import { environmentSignalsSchema } from "@stile/protocol/schemas/signals";
import { type EnvironmentSignals, SIGNALS_VERSION } from "@stile/protocol/signals";
import { clip } from "../untrusted.ts";
import { factsOf } from "./browser-facts.ts";
import { encodeSignals } from "./encode-signals.ts";
import { driverGlobalsOf } from "./environment.ts";

test("reports names left by drivers, and not the page's own names", () => {
  const left = [
    "cdc_adoQpoasnfa76pfcZLmcfl_Array",
    "$cdc_asdjflasutopfhvcZLmcfl_",
    "$chrome_asyncScriptInfo",
    "__webdriver_evaluate",
    "__driver_unwrapped",
    "__selenium_unwrapped",
    "_selenium",
    "_Selenium_IDE_Recorder",
    "__fxdriver_evaluate",
    "__nightmare",
    "callPhantom",
    "_phantom",
    "domAutomationController",
    "__playwright__binding__",
    "__pwInitScripts",
    "__puppeteer_evaluation_script__",
  ];
  assert.deepEqual(driverGlobalsOf(left), left);
  const own = [
    "window",
    "jQuery",
    "__NEXT_DATA__",
    "dataLayer",
    "cdc",
    "__webpack_require__",
    "navigator",
    "phone",
  ];
  assert.deepEqual(driverGlobalsOf(own), []);
});

test("keeps the signals within their limit on a page full of such names (D9, submission)", () => {
  const names = Array.from({ length: 5000 }, (_, i) => `cdc_${"x".repeat(500)}${i}`);
  const reported = driverGlobalsOf(names);
  assert.equal(reported.length, 16);
  assert.ok(reported.every((name) => name.length <= 64));
});

test("reads a missing or mistyped value of the navigator as null or empty", () => {
  const nothing = { userAgent: "", platform: "", languages: [], webdriver: null, cores: null };
  const lies = {
    userAgent: 7,
    platform: {},
    languages: "en",
    webdriver: "no",
    hardwareConcurrency: -1,
  };
  for (const found of [{}, null, undefined, "text", lies])
    assert.deepEqual(factsOf(found), nothing);
  assert.deepEqual(
    factsOf({
      userAgent: "UA",
      platform: "Win32",
      languages: ["en", 7],
      webdriver: false,
      hardwareConcurrency: 8,
    }),
    { userAgent: "UA", platform: "Win32", languages: ["en", ""], webdriver: false, cores: 8 },
  );
});

test("fits the longest texts that a browser may report into the limit, and the service accepts them (D9, submission)", () => {
  // Control characters and lone surrogates would grow sixfold in JSON; a quotation mark only
  // doubles and may stay.
  for (const filler of ["\u0000", "\ud800", "€", '"', "x"]) {
    const long = filler.repeat(5000);
    const found = {
      userAgent: long,
      platform: long,
      languages: Array.from({ length: 50 }, () => long),
      webdriver: false,
      hardwareConcurrency: 4096,
    };
    const signals: EnvironmentSignals = {
      v: SIGNALS_VERSION,
      ...factsOf(found, 1024),
      vendor: clip(long, 128),
      memory: 4096,
      touchPoints: 256,
      screen: [-1e6, 1e6, 1e6, 1e6, 1e6],
      viewport: [1e6, 1e6, 1e6, 1e6],
      pixelRatio: 64,
      pageScale: 999.999999,
      isFramed: false,
      isSecure: false,
      timezoneOffset: -1440,
      timezone: clip(long, 64),
      media: Array.from({ length: 10 }, () => "(any-pointer: coarse)"),
      clientHints: {
        brands: Array.from({ length: 8 }, () => [clip(long, 64), clip(long, 32)] as const),
        mobile: true,
        platform: clip(long, 64),
      },
      driverGlobals: Array.from({ length: 16 }, () => "x".repeat(64)),
      chrome: Array.from({ length: 12 }, () => clip(long, 32)),
      permission: [clip(long, 16), clip(long, 16)],
      natives: [
        ["webdriver", clip(long, 64)],
        ["query", clip(long, 64)],
        ["webdriver", "own"],
      ],
      blank: factsOf(found),
      frame: factsOf(found),
      worker: factsOf(found),
      graphics: [clip(long, 128), clip(long, 128)],
    };
    const bytes = encodeSignals(signals);
    assert.ok(bytes.length <= SIGNALS_BYTES_LIMIT, String(bytes.length));
    assert.ok(
      environmentSignalsSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).success,
    );
  }
});
