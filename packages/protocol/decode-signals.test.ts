import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeBehaviour, decodeEnvironment } from "./decode-signals.ts";
import { behaviourSignalsSchema, environmentSignalsSchema } from "./schemas/signals.ts";
import {
  type BehaviourSignals,
  type EnvironmentSignals,
  POINTER_KINDS,
  POINTER_TYPES,
  type PointerSample,
  SIGNALS_VERSION,
} from "./signals.ts";

const behaviourOf = (parts: Partial<BehaviourSignals>): BehaviourSignals => ({
  v: SIGNALS_VERSION,
  durationMs: 4200,
  solveMs: null,
  callers: ["at work (<anonymous>)"],
  pointer: [],
  keys: [],
  focus: [],
  visibility: [],
  scroll: [],
  box: null,
  ...parts,
});
const pointerOf = (...pointer: PointerSample[]) =>
  decodeBehaviour(behaviourOf({ pointer })).pointer;

const COMMON = { atMs: 12.5, x: -3, y: 4.25, type: "pen", pressure: 0.5, isTrusted: true } as const;
const NO_MOVE = { movedX: undefined, movedY: undefined, coalesced: undefined } as const;
const NO_PRESS = { offsetX: undefined, offsetY: undefined } as const;

test("decodes the last numbers of a move as its movement, and of a press or click as the distance from the centre (D9, submission)", () => {
  const move: PointerSample = [12.5, -3, 4.25, 0, 2, 0.5, 1, -7, 8, 3];
  const placed = [1, 4].map((kind): PointerSample => [12.5, -3, 4.25, kind, 2, 0.5, 1, -2.5, 4]);
  assert.deepEqual(pointerOf(move, ...placed), [
    { ...COMMON, ...NO_PRESS, kind: "move", movedX: -7, movedY: 8, coalesced: 3 },
    { ...COMMON, ...NO_MOVE, kind: "down", offsetX: -2.5, offsetY: 4 },
    { ...COMMON, ...NO_MOVE, kind: "click", offsetX: -2.5, offsetY: 4 },
  ]);
});

test("reads missing numbers as undefined, and drops those without meaning for the kind (D9, submission)", () => {
  assert.deepEqual(
    pointerOf([12.5, -3, 4.25, 0, 2, 0.5, 1], [12.5, -3, 4.25, 2, 2, 0.5, 1, 6, 6, 6]),
    [
      { ...COMMON, ...NO_MOVE, ...NO_PRESS, kind: "move" },
      { ...COMMON, ...NO_MOVE, ...NO_PRESS, kind: "up" },
    ],
  );
});

test("keeps the word of every kind and type of pointer, and whether the browser trusts it (D9, submission)", () => {
  const samples = POINTER_KINDS.flatMap((_, kind) =>
    POINTER_TYPES.map((__, type): PointerSample => [1, 2, 3, kind, type, 0, type === 1 ? 0 : 1]),
  );
  assert.deepEqual(
    pointerOf(...samples).map(({ kind, type, isTrusted }) => [kind, type, isTrusted]),
    POINTER_KINDS.flatMap((kind) => POINTER_TYPES.map((type) => [kind, type, type !== "touch"])),
  );
});

test("keeps the times of keys, focus, visibility and scroll, and the numbers of box and lengths (D9, submission)", () => {
  const toggles = {
    keys: [
      [512.1, 1],
      [604.9, 0],
    ],
    focus: [[7, 1]],
    visibility: [[8, 0]],
    scroll: [[9, 1]],
  } as const;
  const { pointer, ...observed } = decodeBehaviour(
    behaviourOf({ ...toggles, box: [320, 330, 300, 65], solveMs: 310 }),
  );
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

const PLACE = {
  userAgent: "Mozilla/5.0",
  platform: "Win32",
  languages: ["en"],
  webdriver: false,
  cores: 8,
} as const;
const ENVIRONMENT: EnvironmentSignals = {
  ...PLACE,
  v: SIGNALS_VERSION,
  vendor: "",
  memory: null,
  touchPoints: 0,
  pixelRatio: 1,
  pageScale: 1,
  isFramed: false,
  isSecure: true,
  timezoneOffset: -60,
  timezone: null,
  media: ["(hover: hover)"],
  driverGlobals: [],
  chrome: ["csi"],
  blank: PLACE,
  frame: null,
  worker: null,
  screen: [1920, 1080, 1910, 1040, 24],
  viewport: [1280, 953, 1296, 1056],
  clientHints: { brands: [["Chromium", "140"]], mobile: false, platform: "Windows" },
  permission: ["denied", "prompt"],
  natives: [["webdriver", "() => false"]],
  graphics: ["Intel", "ANGLE"],
};

test("names sizes, brands, permission, natives and graphics, and keeps all other values as reported (D9, submission)", () => {
  const { v: _, ...said } = ENVIRONMENT;
  assert.deepEqual(decodeEnvironment(ENVIRONMENT), {
    ...said,
    screen: {
      width: 1920,
      height: 1080,
      availableWidth: 1910,
      availableHeight: 1040,
      colourDepth: 24,
    },
    viewport: { innerWidth: 1280, innerHeight: 953, outerWidth: 1296, outerHeight: 1056 },
    clientHints: {
      brands: [{ name: "Chromium", version: "140" }],
      mobile: false,
      platform: "Windows",
    },
    permission: { shown: "denied", asked: "prompt" },
    natives: [{ name: "webdriver", found: "() => false" }],
    graphics: { vendor: "Intel", renderer: "ANGLE" },
  });
});

test("keeps null for values that a browser does not report (D9, submission)", () => {
  const { clientHints, permission, graphics } = decodeEnvironment({
    ...ENVIRONMENT,
    clientHints: null,
    permission: null,
    graphics: null,
  });
  assert.deepEqual([clientHints, permission, graphics], [null, null, null]);
});

const wireTime = fc.double({ min: 0, max: 1e9, noNaN: true });
const wirePlace = fc.double({ min: -1e9, max: 1e9, noNaN: true });
const bit = fc.constantFrom(0 as const, 1 as const);
const wirePointer = fc
  .tuple(
    ...([
      wireTime,
      wirePlace,
      wirePlace,
      fc.nat(POINTER_KINDS.length - 1),
      fc.nat(POINTER_TYPES.length - 1),
    ] as const),
    ...([
      fc.double({ min: 0, max: 1, noNaN: true }),
      bit,
      wirePlace,
      wirePlace,
      fc.nat(65_535),
    ] as const),
  )
  .chain((sample) => fc.integer({ min: 7, max: 10 }).map((length) => sample.slice(0, length)));
const wireToggles = fc.array(fc.tuple(wireTime, bit), { maxLength: 20 });
const wireBehaviour = fc.record({
  v: fc.constant(SIGNALS_VERSION),
  durationMs: wireTime,
  solveMs: fc.option(wireTime),
  pointer: fc.array(wirePointer, { maxLength: 40 }),
  keys: wireToggles,
  focus: wireToggles,
  visibility: wireToggles,
  scroll: wireToggles,
  box: fc.option(fc.tuple(wirePlace, wirePlace, wirePlace, wirePlace)),
  callers: fc.array(fc.string({ maxLength: 128 }), { maxLength: 16 }),
});

test("decodes each row of valid behaviour into one with names, in order, and loses no number (D9, submission)", () => {
  fc.assert(
    fc.property(wireBehaviour, (wire) => {
      const signals = behaviourSignalsSchema.parse(JSON.parse(JSON.stringify(wire)));
      const observed = decodeBehaviour(signals);
      assert.equal(observed.pointer.length, signals.pointer.length);
      observed.pointer.forEach((row, at) => {
        const sample = signals.pointer[at] ?? assert.fail();
        const { kind, type, isTrusted } = row;
        const words = [
          POINTER_KINDS.indexOf(kind),
          POINTER_TYPES.indexOf(type),
          row.pressure,
          isTrusted ? 1 : 0,
        ];
        assert.deepEqual([row.atMs, row.x, row.y, ...words], sample.slice(0, 7));
        const extras =
          kind === "move" ? [row.movedX, row.movedY, row.coalesced] : [row.offsetX, row.offsetY];
        const told = kind === "move" ? 3 : kind === "down" || kind === "click" ? 2 : 0;
        assert.deepEqual(
          extras.slice(0, told),
          Array.from({ length: told }, (_, extra) => sample[7 + extra]),
        );
        assert.deepEqual(
          extras.slice(told).filter((extra) => extra !== undefined),
          [],
        );
      });
      for (const stream of ["keys", "focus", "visibility", "scroll"] as const) {
        const rows = observed[stream].map(({ atMs, isOn }) => [atMs, isOn ? 1 : 0]);
        assert.deepEqual(rows, signals[stream]);
      }
      const { box } = observed;
      assert.deepEqual(box && [box.left, box.top, box.width, box.height], signals.box);
    }),
    { seed: 29 },
  );
});

test("decodes no behaviour with a row of another length, or a number out of its column's bounds (D9, submission)", () => {
  const change = fc.constantFrom<(row: unknown[]) => unknown>(
    (row) => row.slice(0, 6),
    (row) => [...row, 0, 0, 0, 0],
    (row) => row.with(3, POINTER_KINDS.length),
    (row) => row.with(4, POINTER_TYPES.length),
    (row) => row.with(6, 2),
    (row) => row.with(0, -1),
    (row) => row.with(1, String(row[1])),
    (row) => row.with(5, null),
    (row) => ({ ...row }),
  );
  fc.assert(
    fc.property(wireBehaviour, wirePointer, change, fc.nat(), (wire, row, spoil, place) => {
      const at = place % (wire.pointer.length + 1);
      const pointer: unknown[] = [
        ...wire.pointer.slice(0, at),
        spoil(row),
        ...wire.pointer.slice(at),
      ];
      assert.equal(behaviourSignalsSchema.safeParse({ ...wire, pointer }).success, false);
    }),
    { seed: 31 },
  );
});

test("keeps every place of the browser under its own name (D9, submission)", () => {
  const text = fc.string({ maxLength: 60 });
  const place = fc.record(
    {
      userAgent: text,
      platform: text,
      languages: fc.array(text, { maxLength: 3 }),
      webdriver: fc.option(fc.boolean()),
      cores: fc.option(fc.integer({ min: 1, max: 4096 })),
    },
    { noNullPrototype: true },
  );
  const parts = fc.record(
    { own: place, blank: place, frame: fc.option(place), worker: fc.option(place) },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(parts, ({ own, ...places }) => {
      const wire = environmentSignalsSchema.parse({ ...ENVIRONMENT, ...own, ...places });
      const { blank, frame, worker, userAgent, platform, languages, webdriver, cores } =
        decodeEnvironment(wire);
      assert.deepEqual({ blank, frame, worker }, places);
      assert.deepEqual({ userAgent, platform, languages, webdriver, cores }, own);
    }),
    { seed: 37 },
  );
});
