import assert from "node:assert/strict";
import { test } from "node:test";
import { POINTER_KINDS, POINTER_TYPES, SIGNALS_VERSION } from "../signals.ts";
import { behaviourSignalsSchema, environmentSignalsSchema } from "./signals.ts";

const ENVIRONMENT = {
  v: SIGNALS_VERSION,
  userAgent: "Mozilla/5.0",
  platform: "Linux x86_64",
  vendor: "",
  languages: ["en-GB"],
  webdriver: null,
  cores: null,
  memory: null,
  touchPoints: 0,
  screen: [1920, 1080, 1920, 1040, 24],
  viewport: [1200, 800, 1210, 900],
  pixelRatio: 1,
  pageScale: null,
  isFramed: false,
  isSecure: true,
  timezoneOffset: -60,
  timezone: null,
  media: [],
  clientHints: null,
  driverGlobals: [],
  chrome: null,
  permission: null,
  natives: [],
  blank: null,
  frame: null,
  worker: null,
  graphics: null,
};
const BEHAVIOUR = {
  v: SIGNALS_VERSION,
  durationMs: 10,
  solveMs: null,
  pointer: [],
  keys: [],
  focus: [],
  visibility: [],
  scroll: [],
  box: null,
  callers: [],
};
const acceptsEnvironment = (change: object): boolean =>
  environmentSignalsSchema.safeParse({ ...ENVIRONMENT, ...change }).success;
const acceptsBehaviour = (change: object): boolean =>
  behaviourSignalsSchema.safeParse({ ...BEHAVIOUR, ...change }).success;

test("takes an environment in which the platform gave nothing (D9)", () => {
  assert.equal(acceptsEnvironment({}), true);
});

test("takes no environment of another version, with a missing or a wrong field (D9)", () => {
  for (const field of Object.keys(ENVIRONMENT)) {
    assert.equal(acceptsEnvironment({ [field]: undefined }), false, field);
    assert.equal(acceptsEnvironment({ [field]: { not: "this" } }), false, field);
  }
  assert.equal(acceptsEnvironment({ v: SIGNALS_VERSION - 1 }), false);
});

test("bounds every text, list and number of an environment (D9)", () => {
  const excesses = {
    userAgent: "u".repeat(1025),
    languages: new Array(33).fill("en"),
    screen: [1, 1, 1, 1, 1e10],
    viewport: [1, 1, 1],
    media: new Array(65).fill("m"),
    driverGlobals: new Array(33).fill("g"),
    chrome: new Array(33).fill("c"),
    natives: [["webdriver", "x".repeat(129)]],
    worker: { ...ENVIRONMENT, userAgent: "u".repeat(1025) },
    graphics: ["g".repeat(257), ""],
    cores: 0,
    timezoneOffset: 1441,
  };
  for (const [field, value] of Object.entries(excesses)) {
    assert.equal(acceptsEnvironment({ [field]: value }), false, field);
  }
});

test("takes every kind and type of pointer sample and nothing outside them (D9)", () => {
  for (const kind of POINTER_KINDS.keys())
    assert.equal(acceptsBehaviour({ pointer: [[1, 2, 3, kind, 0, 0.5, 1]] }), true);
  for (const type of POINTER_TYPES.keys())
    assert.equal(acceptsBehaviour({ pointer: [[1, 2, 3, 0, type, 0.5, 0]] }), true);
  const foreign = [
    [1, 2, 3, POINTER_KINDS.length, 0, 0, 1],
    [1, 2, 3, 0, POINTER_TYPES.length, 0, 1],
    [1, 2, 3, 0.5, 0, 0, 1],
    [1, 2, 3, 0, 0, 1.1, 1],
    [1, 2, 3, 0, 0, 0, 2],
    [-1, 2, 3, 0, 0, 0, 1],
    [1, 2, 3, 0, 0, 0],
    [1, 2, 3, 0, 0, 0, 1, 1e10],
    [1, 2, 3, 0, 0, 0, 1, 4, -4, 0.5],
    [1, 2, 3, 0, 0, 0, 1, 4, -4, 1, 9],
  ];
  for (const sample of foreign) assert.equal(acceptsBehaviour({ pointer: [sample] }), false, JSON.stringify(sample));
});

test("takes the extras of a move and of a press (D9)", () => {
  assert.equal(acceptsBehaviour({ pointer: [[1, 2, 3, 0, 0, 0, 1, 4, -4, 8]] }), true);
  assert.equal(acceptsBehaviour({ pointer: [[1, 2, 3, 1, 0, 0.5, 1, 0.5, -11.25]] }), true);
});

test("bounds the number of samples (D9)", () => {
  assert.equal(acceptsBehaviour({ pointer: new Array(1025).fill([1, 2, 3, 0, 0, 0, 1]) }), false);
  assert.equal(acceptsBehaviour({ callers: new Array(17).fill("at click") }), false);
  for (const field of ["keys", "focus", "visibility", "scroll"]) {
    assert.equal(acceptsBehaviour({ [field]: new Array(513).fill([1, 1]) }), false, field);
    assert.equal(acceptsBehaviour({ [field]: [[1, 2]] }), false, field);
  }
});
