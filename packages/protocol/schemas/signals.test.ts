import assert from "node:assert/strict";
import { test } from "node:test";
import { type EnvironmentSignals, SIGNALS_VERSION } from "../signals.ts";
import { isBehaviourSignals, isEnvironmentSignals } from "../signals-shape.ts";
import { behaviourSignalsSchema, environmentSignalsSchema } from "./signals.ts";

const EMPTY = {
  pointer: [],
  keys: [],
  focus: [],
  visibility: [],
  scroll: [],
  box: null,
  callers: [],
} as const;
/** Reads by the schema and by hand; both must agree. */
function reads(changes: Record<string, unknown>): boolean {
  const value = { v: SIGNALS_VERSION, durationMs: 9, solveMs: null, ...EMPTY, ...changes };
  const { success } = behaviourSignalsSchema.safeParse(value);
  assert.equal(isBehaviourSignals(value), success, JSON.stringify(changes));
  return success;
}

const MOVE = [12.5, -3, 1e9, 0, 0, 0.5, 1, -1, 1, 65_535];

test("reads samples within their bounds, a press with seven numbers and a move with ten", () => {
  assert.ok(
    reads({
      pointer: [MOVE, MOVE.slice(0, 7), MOVE.slice(0, 9)],
      keys: [
        [0, 1],
        [1e9, 0],
      ],
    }),
  );
  assert.ok(
    reads({
      pointer: Array.from({ length: 1024 }, () => MOVE),
      scroll: Array.from({ length: 512 }, () => [1, 1]),
    }),
  );
});

test("refuses behaviour with a sample that is too short, too long, out of bounds or no row of numbers", () => {
  const withNumber = (at: number, value: unknown) =>
    MOVE.map((number, index) => (index === at ? value : number));
  const bad: unknown[] = [
    [],
    MOVE.slice(0, 6),
    [...MOVE, 0],
    null,
    {},
    "1,2,3,4,5,6,7",
    { length: 7 },
    withNumber(0, -1),
    withNumber(1, 1.1e9),
    withNumber(3, 5),
    withNumber(3, 0.5),
    withNumber(4, 4),
    withNumber(5, 1.01),
    withNumber(6, 2),
    withNumber(9, 65_536),
    withNumber(9, 1.5),
    ...[null, "1", true, [1], Number.NaN, Number.POSITIVE_INFINITY].map((value) =>
      withNumber(1, value),
    ),
  ];
  for (const sample of bad) assert.ok(!reads({ pointer: [MOVE, sample] }), JSON.stringify(sample));
  for (const toggle of [[1], [1, 2], [1, 0.5], [-1, 0], [1, 1, 1], 1, null]) {
    assert.ok(!reads({ keys: [toggle] }), JSON.stringify(toggle));
  }
});

test("refuses behaviour with more samples than a widget keeps, or without lists", () => {
  assert.ok(!reads({ pointer: Array.from({ length: 1025 }, () => MOVE) }));
  assert.ok(!reads({ focus: Array.from({ length: 513 }, () => [1, 1]) }));
  for (const value of [undefined, null, {}, "", 0])
    assert.ok(!reads({ pointer: value, keys: value }));
});

test("bounds times, box and callers, and refuses behaviour of another version (D9, submission)", () => {
  for (const changes of [
    { durationMs: 0, solveMs: 1e9 },
    { box: [-1e9, 1e9, 0, 0.5] },
    { callers: Array.from({ length: 16 }, () => "x".repeat(128)) },
  ]) {
    assert.ok(reads(changes), JSON.stringify(changes));
  }
  for (const changes of [
    { v: 1 },
    { v: SIGNALS_VERSION + 1 },
    { v: String(SIGNALS_VERSION) },
    { v: undefined },
    { durationMs: -1 },
    { durationMs: 1e9 + 1 },
    { durationMs: null },
    { solveMs: -0.1 },
    { solveMs: undefined },
    { box: [1, 2, 3] },
    { box: [1, 2, 3, 4, 5] },
    { box: [1, 2, 3, 1e9 + 1] },
    { box: undefined },
    { callers: Array.from({ length: 17 }, () => "x") },
    { callers: ["x".repeat(129)] },
    { callers: [7] },
  ]) {
    assert.ok(!reads(changes), JSON.stringify(changes));
  }
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
  pageScale: null,
  isFramed: false,
  isSecure: true,
  timezoneOffset: -60,
  timezone: null,
  media: [],
  driverGlobals: [],
  chrome: null,
  permission: null,
  natives: [],
  blank: null,
  frame: null,
  worker: null,
  graphics: null,
  screen: [1920, 1080, 1910, 1040, 24],
  viewport: [1280, 953, 1296, 1056],
  clientHints: null,
};
/** Reads by the schema and by hand; both must agree. */
function seen(changes: Record<string, unknown>): boolean {
  const value = { ...ENVIRONMENT, ...changes };
  const { success } = environmentSignalsSchema.safeParse(value);
  assert.equal(isEnvironmentSignals(value), success, JSON.stringify(changes));
  return success;
}
const listOf = (count: number, one: unknown): unknown[] => Array.from({ length: count }, () => one);

/** The values at the limit, and just beyond it, by property. */
const EDGES: Readonly<
  Record<string, readonly [taken: readonly unknown[], refused: readonly unknown[]]>
> = {
  v: [[SIGNALS_VERSION], [1, SIGNALS_VERSION + 1, "2", null]],
  userAgent: [
    ["", "x".repeat(1024)],
    ["x".repeat(1025), null, 7],
  ],
  platform: [["x".repeat(128)], ["x".repeat(129), null]],
  vendor: [["x".repeat(128)], ["x".repeat(129), null]],
  languages: [
    [[], listOf(32, "x".repeat(64))],
    [listOf(33, "en"), ["x".repeat(65)], [null], "en"],
  ],
  webdriver: [
    [true, null],
    [0, "false"],
  ],
  cores: [
    [1, 4096, null],
    [0, 4097, 1.5, "8"],
  ],
  memory: [
    [0, 0.25, 4096, null],
    [-1, 4097, "8"],
  ],
  touchPoints: [
    [0, 256],
    [-1, 257, 0.5, null],
  ],
  screen: [
    [[-1e9, 1e9, 0, 0.5, 30]],
    [[1, 2, 3, 4], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, null], [1, 2, 3, 4, 1.1e9], {}],
  ],
  viewport: [
    [[0, 0, -1e9, 1e9]],
    [
      [1, 2, 3],
      [1, 2, 3, 4, 5],
      [1, 2, 3, "4"],
    ],
  ],
  pixelRatio: [
    [0, 64],
    [-0.1, 64.1, null],
  ],
  pageScale: [
    [0, 1000, null],
    [-0.1, 1000.1, "1"],
  ],
  isFramed: [[true], [0, null]],
  isSecure: [[false], [1, null]],
  timezoneOffset: [
    [-1440, 1440],
    [-1441, 1441, null],
  ],
  timezone: [
    ["x".repeat(64), null],
    ["x".repeat(65), 0],
  ],
  media: [[listOf(64, "x".repeat(64))], [listOf(65, "x"), ["x".repeat(65)]]],
  clientHints: [
    [
      {
        brands: listOf(16, ["x".repeat(128), "y".repeat(32)]),
        mobile: true,
        platform: "z".repeat(64),
      },
    ],
    [
      { brands: listOf(17, ["x", "y"]), mobile: true, platform: "" },
      { brands: [["x".repeat(129), "y"]], mobile: true, platform: "" },
      { brands: [["x", "y".repeat(33)]], mobile: true, platform: "" },
      { brands: [["x"]], mobile: true, platform: "" },
      { brands: [], mobile: null, platform: "" },
      { brands: [], mobile: true, platform: "z".repeat(65) },
    ],
  ],
  driverGlobals: [[listOf(32, "x".repeat(128))], [listOf(33, "x"), ["x".repeat(129)]]],
  chrome: [
    [[], listOf(32, "x".repeat(64))],
    [listOf(33, "x"), ["x".repeat(65)], {}],
  ],
  permission: [[["x".repeat(16), ""]], [["x".repeat(17), ""], ["x"], ["x", "y", "z"], "denied"]],
  natives: [
    [listOf(32, ["x".repeat(64), "y".repeat(128)])],
    [listOf(33, ["x", "y"]), [["x".repeat(65), "y"]], [["x", "y".repeat(129)]], [["x"]], null],
  ],
  ...Object.fromEntries(
    ["blank", "frame", "worker"].map((place) => [
      place,
      [
        [PLACE],
        [
          { ...PLACE, cores: 0 },
          { ...PLACE, userAgent: "x".repeat(1025) },
          { ...PLACE, languages: null },
          [],
        ],
      ],
    ]),
  ),
  graphics: [[["x".repeat(256), ""]], [["x".repeat(257), ""], ["x", "y".repeat(257)], ["x"], "x"]],
};

test("reads every property of the environment up to its bound and not beyond (D9, submission)", () => {
  assert.deepEqual(Object.keys(EDGES).toSorted(), Object.keys(ENVIRONMENT).toSorted());
  for (const [property, [taken, refused]] of Object.entries(EDGES)) {
    for (const value of taken)
      assert.ok(seen({ [property]: value }), `${property} ${JSON.stringify(value)}`);
    for (const value of [...refused, undefined]) {
      assert.ok(!seen({ [property]: value }), `${property} ${JSON.stringify(value)}`);
    }
  }
});

test("drops all other properties of the environment, in every place of the browser (D9, submission)", () => {
  const extra = { verdict: "human", score: 0 };
  const read = environmentSignalsSchema.parse({
    ...ENVIRONMENT,
    ...extra,
    blank: { ...PLACE, ...extra },
  });
  assert.deepEqual(read, { ...ENVIRONMENT, blank: PLACE });
});
