import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBehaviour, decodeEnvironment } from "./decode-signals.ts";
import {
  type BehaviourSignals,
  type EnvironmentSignals,
  POINTER_KINDS,
  POINTER_TYPES,
  type PointerSample,
  SIGNALS_VERSION,
} from "./signals.ts";

const behaviourOf = (parts: Partial<BehaviourSignals>): BehaviourSignals => ({
  ...{ v: SIGNALS_VERSION, durationMs: 4200, solveMs: null, callers: ["at work (<anonymous>)"] },
  ...{ pointer: [], keys: [], focus: [], visibility: [], scroll: [], box: null },
  ...parts,
});
const pointerOf = (...pointer: PointerSample[]) => decodeBehaviour(behaviourOf({ pointer })).pointer;

const COMMON = { atMs: 12.5, x: -3, y: 4.25, type: "pen", pressure: 0.5, isTrusted: true } as const;
const NO_MOVE = { movedX: undefined, movedY: undefined, coalesced: undefined } as const;
const NO_PRESS = { offsetX: undefined, offsetY: undefined } as const;

test("a move's last numbers say how it moved, a press's how far it lies from the middle (D9)", () => {
  assert.deepEqual(pointerOf([12.5, -3, 4.25, 0, 2, 0.5, 1, -7, 8, 3], [12.5, -3, 4.25, 1, 2, 0.5, 1, -2.5, 4]), [
    { ...COMMON, ...NO_PRESS, kind: "move", movedX: -7, movedY: 8, coalesced: 3 },
    { ...COMMON, ...NO_MOVE, kind: "down", offsetX: -2.5, offsetY: 4 },
  ]);
});

test("what a sample does not say is undefined, and what its kind has no meaning for is dropped (D9)", () => {
  assert.deepEqual(pointerOf([12.5, -3, 4.25, 0, 2, 0.5, 1], [12.5, -3, 4.25, 4, 2, 0.5, 1, 6, 6, 6]), [
    { ...COMMON, ...NO_MOVE, ...NO_PRESS, kind: "move" },
    { ...COMMON, ...NO_MOVE, ...NO_PRESS, kind: "click" },
  ]);
});

test("every kind and every type of pointer keeps its word, and trust is a word of the browser (D9)", () => {
  const samples = POINTER_KINDS.flatMap((_, kind) =>
    POINTER_TYPES.map((__, type): PointerSample => [1, 2, 3, kind, type, 0, type === 1 ? 0 : 1]),
  );
  assert.deepEqual(
    pointerOf(...samples).map(({ kind, type, isTrusted }) => [kind, type, isTrusted]),
    POINTER_KINDS.flatMap((kind) => POINTER_TYPES.map((type) => [kind, type, type !== "touch"])),
  );
});

test("keys, focus, visibility and scroll keep their times; the box and the lengths keep their numbers (D9)", () => {
  const toggles = {
    keys: [
      [512.1, 1],
      [604.9, 0],
    ],
    focus: [[7, 1]],
    visibility: [[8, 0]],
    scroll: [[9, 1]],
  } as const;
  const { pointer, ...observed } = decodeBehaviour(behaviourOf({ ...toggles, box: [320, 330, 300, 65], solveMs: 310 }));
  assert.deepEqual(pointer, []);
  assert.deepEqual(observed, {
    durationMs: 4200,
    solveMs: 310,
    callers: ["at work (<anonymous>)"],
    keys: [
      { atMs: 512.1, isOn: true },
      { atMs: 604.9, isOn: false },
    ],
    focus: [{ atMs: 7, isOn: true }],
    visibility: [{ atMs: 8, isOn: false }],
    scroll: [{ atMs: 9, isOn: true }],
    box: { left: 320, top: 330, width: 300, height: 65 },
  });
  assert.equal(decodeBehaviour(behaviourOf({})).box, null);
});

const PLACE = { userAgent: "Mozilla/5.0", platform: "Win32", languages: ["en"], webdriver: false, cores: 8 } as const;
const ENVIRONMENT: EnvironmentSignals = {
  ...PLACE,
  ...{ v: SIGNALS_VERSION, vendor: "", memory: null, touchPoints: 0, pixelRatio: 1, pageScale: 1 },
  ...{ isFramed: false, isSecure: true, timezoneOffset: -60, timezone: null, media: ["(hover: hover)"] },
  ...{ driverGlobals: [], chrome: ["csi"], blank: PLACE, frame: null, worker: null },
  screen: [1920, 1080, 1910, 1040, 24],
  viewport: [1280, 953, 1296, 1056],
  clientHints: { brands: [["Chromium", "140"]], mobile: false, platform: "Windows" },
  permission: ["denied", "prompt"],
  natives: [["webdriver", "() => false"]],
  graphics: ["Intel", "ANGLE"],
};

test("sizes, brands, permission, natives and graphics get names, and all else stays as it was said (D9)", () => {
  const { v: _, ...said } = ENVIRONMENT;
  assert.deepEqual(decodeEnvironment(ENVIRONMENT), {
    ...said,
    screen: { width: 1920, height: 1080, availableWidth: 1910, availableHeight: 1040, colourDepth: 24 },
    viewport: { innerWidth: 1280, innerHeight: 953, outerWidth: 1296, outerHeight: 1056 },
    clientHints: { brands: [{ name: "Chromium", version: "140" }], mobile: false, platform: "Windows" },
    permission: { shown: "denied", asked: "prompt" },
    natives: [{ name: "webdriver", found: "() => false" }],
    graphics: { vendor: "Intel", renderer: "ANGLE" },
  });
});

test("what a browser does not say stays null (D9)", () => {
  const { clientHints, permission, graphics } = decodeEnvironment({
    ...ENVIRONMENT,
    ...{ clientHints: null, permission: null, graphics: null },
  });
  assert.deepEqual([clientHints, permission, graphics], [null, null, null]);
});
