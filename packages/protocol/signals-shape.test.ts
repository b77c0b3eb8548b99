import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import fc from "fast-check";
import { decodeBehaviour, decodeEnvironment } from "./decode-signals.ts";
import { behaviourSignalsSchema, environmentSignalsSchema } from "./schemas/signals.ts";
import type { BehaviourSignals, BrowserFacts, EnvironmentSignals } from "./signals.ts";
import { isBehaviourSignals, isEnvironmentSignals } from "./signals-shape.ts";

const FACTS: BrowserFacts = {
  userAgent: "a",
  platform: "b",
  languages: ["en", "de"],
  webdriver: false,
  cores: 4,
};
const ENVIRONMENT: EnvironmentSignals = {
  ...CHROME_VISITOR.environment,
  memory: 8,
  pageScale: 1,
  timezone: "UTC",
  media: ["hover"],
  driverGlobals: ["x"],
  chrome: ["csi"],
  clientHints: { brands: [["Chromium", "156"]], mobile: false, platform: "Linux" },
  permission: ["default", "prompt"],
  natives: [["toString", "x"]],
  graphics: ["Mesa", "llvmpipe"],
  blank: FACTS,
  frame: FACTS,
  worker: { ...FACTS, webdriver: null },
};
const BEHAVIOUR: BehaviourSignals = {
  ...CHROME_VISITOR.behaviour,
  pointer: [
    [1, 2, 3, 0, 0, 0.5, 1, -1, 1, 2],
    [4.5, 2, 3, 1, 0, 0.5, 1, 0, 0.5],
    [9, 2, 3, 2, 0, 0, 1],
  ],
  keys: [[1, 1]],
  focus: [[2, 0]],
  visibility: [[3, 1]],
  scroll: [[4, 0]],
  box: [1, 2, 3, 4],
  callers: ["x"],
};

type Way = readonly (string | number)[];

/** The paths to all values inside a value, including the value itself. */
function waysOf(value: unknown): Way[] {
  if (typeof value !== "object" || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([name, inner]) => waysOf(inner).map((way) => [name, ...way])),
  ];
}

/** A copy with the value at the end of a path changed. */
function change(value: unknown, [name, ...rest]: Way, to: (value: unknown) => unknown): unknown {
  if (name === undefined) return to(value);
  const copy: Record<string | number, unknown> = Array.isArray(value)
    ? ([...value] as never)
    : { ...(value as object) };
  copy[name] = change(copy[name], rest, to);
  return copy;
}

const EDGES = [
  0, -0, 1, 2, 7, 8, 10, 16, 32, 64, 128, 256, 512, 1000, 1024, 1440, 4096, 65_535, 1e9,
];
const number = fc.oneof(
  fc.constantFrom(...EDGES.flatMap((edge) => [edge, -edge, edge + 1, edge + 0.5, edge - 0.5])),
  fc.double(),
);
const text = fc.constantFrom(
  ...[0, 1, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257, 1024, 1025].map((n) => "x".repeat(n)),
);
const leaf = fc.oneof(
  number,
  text,
  fc.constantFrom<unknown>(null, undefined, true, false, {}, [], "2", 2n),
);

/** The values by which an attacker may replace a part of the signals. */
const twist = fc.oneof(
  leaf.map((to) => () => to),
  fc.array(leaf, { maxLength: 6 }).map((to) => () => to),
  fc.constantFrom<(value: unknown) => unknown>(
    (value) => value,
    (value) => [value],
    (value) => (Array.isArray(value) ? value.slice(1) : value),
    (value) => (Array.isArray(value) ? { ...value, length: value.length } : value),
    (value) =>
      typeof value === "object" && !Array.isArray(value) ? { ...value, unknown: 1 } : value,
  ),
  fc.integer({ min: 0, max: 1100 }).map((count) => (value: unknown) => {
    if (!Array.isArray(value) || value.length === 0) return value;
    return Array.from({ length: count }, (_, at) => value[at % value.length]);
  }),
);

test("the hand-written check accepts and refuses the same as the schemas, for any change of honest signals (D9, submission)", () => {
  let [taken, refused] = [0, 0];
  type Comparison = {
    readonly value: unknown;
    readonly isRead: boolean;
    readonly read: unknown;
    readonly decoded: () => unknown;
    readonly expected: () => unknown;
  };
  const compare = (both: Comparison) => {
    assert.equal(
      both.isRead,
      both.read !== undefined,
      JSON.stringify(both.value, (_, it) => (typeof it === "bigint" ? "n" : it)),
    );
    if (both.isRead) assert.deepEqual(both.decoded(), both.expected());
    if (both.isRead) taken++;
    else refused++;
  };
  const [ofBrowser, ofVisit] = [waysOf(ENVIRONMENT), waysOf(BEHAVIOUR)];
  const twists = fc.array(fc.tuple(fc.nat(), twist), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(twists, (all) => {
      let [environment, behaviour]: [unknown, unknown] = [ENVIRONMENT, BEHAVIOUR];
      const [[at, to] = [0, (value: unknown) => value], second] = all;
      environment = change(environment, ofBrowser[at % ofBrowser.length] ?? [], to);
      behaviour = change(behaviour, ofVisit[at % ofVisit.length] ?? [], to);
      // A second change, at the top level, which exists whatever the first change did.
      if (second !== undefined && typeof environment === "object" && environment !== null) {
        environment = {
          ...environment,
          [Object.keys(ENVIRONMENT)[second[0] % 26] ?? "v"]: second[1](FACTS),
        };
      }
      const { data: seen } = environmentSignalsSchema.safeParse(environment);
      const { data: done } = behaviourSignalsSchema.safeParse(behaviour);
      compare({
        value: environment,
        isRead: isEnvironmentSignals(environment),
        read: seen,
        decoded: () => decodeEnvironment(environment as EnvironmentSignals),
        expected: () => seen && decodeEnvironment(seen),
      });
      compare({
        value: behaviour,
        isRead: isBehaviourSignals(behaviour),
        read: done,
        decoded: () => decodeBehaviour(behaviour as BehaviourSignals),
        expected: () => done && decodeBehaviour(done),
      });
    }),
    { numRuns: 4000 },
  );
  assert.ok(taken > 500 && refused > 500, `${taken} taken, ${refused} refused`);
});
