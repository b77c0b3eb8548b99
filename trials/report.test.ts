import assert from "node:assert/strict";
import { test } from "node:test";
import { countBroken, toJson, toText } from "./report.ts";

const RESULTS = [
  {
    name: "flood",
    tries: "asks too often",
    figures: [
      { name: "honest served", value: 95, unit: "%", bound: { kind: "at_least", value: 95 } },
      { name: "CPU ratio", value: 3.004, unit: "x", bound: { kind: "at_most", value: 3 } },
      { name: "requests", value: 200, unit: "" },
      { name: "from afar", skipped: "there is no network" },
    ],
  },
] as const;

test("passes a figure at its bound, fails one past it, and never fails one without a bound", () => {
  assert.equal(countBroken(RESULTS), 1);
  assert.match(toText(RESULTS), /ok {6}honest served: 95% {2}\(>= 95\)/);
  assert.match(toText(RESULTS), /BROKEN {2}CPU ratio: 3\.00 x {2}\(<= 3\)/);
  assert.match(toText(RESULTS), /ok {6}requests: 200\n/);
  assert.match(toText(RESULTS), /skip {4}from afar: there is no network\n/);
  assert.match(toText(RESULTS), /1 bound is broken; 1 could not be tried here/);
});

test("states in JSON whether each figure keeps its bound", () => {
  const parsed = JSON.parse(toJson("attacks", RESULTS)) as {
    broken: number;
    attacks: { figures: { holds?: boolean }[] }[];
  };
  assert.equal(parsed.broken, 1);
  assert.deepEqual(
    parsed.attacks[0]?.figures.map((figure) => figure.holds),
    [true, false, true, undefined],
  );
});
