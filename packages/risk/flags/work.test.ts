import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR, withBehaviour, withEnvironment } from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import { powFallback } from "./pow-fallback.ts";
import { solveTimeImplausible } from "./solve-time-implausible.ts";

const SOLVE = CHROME_VISITOR.solve!;
const solved = (
  elapsedMs: number,
  difficulty: number,
  algorithm: number,
  cores: number | null = 12,
) =>
  raises(solveTimeImplausible, {
    ...withEnvironment(CHROME_VISITOR, { cores }),
    solve: { ...SOLVE, elapsedMs, difficulty, algorithm },
  });

test("pow_fallback: raised by the reduced work (proof of work, fallback)", () => {
  assert.ok(raises(powFallback, { solve: { ...SOLVE, isFallback: true } }));
});

test("pow_fallback: shown and not scored for the first few of a network that took an interpreter's time", () => {
  const [patient, hurried] = [true, false].map((isFallbackExcused) =>
    assessVisit({ ...CHROME_VISITOR, solve: { ...SOLVE, isFallback: true, isFallbackExcused } }),
  );
  assert.deepEqual(patient?.flags, []);
  assert.deepEqual(patient?.contributions, [{ flag: "pow_fallback", weight: 0 }]);
  assert.deepEqual([hurried?.flags, hurried?.score], [["pow_fallback"], 0.3]);
});

test("pow_fallback: silent on full work and without a solve", () => {
  assert.ok(!raises(powFallback, { solve: SOLVE }));
  assert.ok(!raises(powFallback, {}));
});

test("solve_time_implausible: raised by work done sooner than four workers at the fastest rate can", () => {
  assert.ok(solved(30, 2 ** 24, 2), "sixteen million hashes of SHA-256 in 30 ms");
  assert.ok(solved(5, 2 ** 20, 1), "a million of HashWX in 5 ms");
  assert.ok(solved(0, 2 ** 17, 1), "in no time at all");
});

test("solve_time_implausible: counts the claimed cores, up to the four that work", () => {
  assert.ok(solved(100, 2 ** 24, 2, 1), "one claimed core");
  assert.ok(!solved(100, 2 ** 24, 2, 4));
  assert.equal(solved(34, 2 ** 24, 2, 4), solved(34, 2 ** 24, 2, 128));
});

test("solve_time_implausible: silent on the fastest honest browsers, lucky ones included", () => {
  for (const cores of [1, 2, 4, 12]) {
    const workers = Math.min(cores, 4);
    const lucky = 0.4;
    assert.ok(
      !solved((lucky * 2 ** 24) / (25_000 * workers), 2 ** 24, 2, cores),
      `SHA-256, ${cores} cores`,
    );
    assert.ok(
      !solved((lucky * 2 ** 20) / (3_000 * workers), 2 ** 20, 1, cores),
      `HashWX, ${cores} cores`,
    );
  }
});

test("solve_time_implausible: silent on slow answers, unknown cores, unknown algorithms and without a solve", () => {
  assert.ok(!solved(250_000, 2 ** 20, 2));
  assert.ok(!solved(60, 2 ** 24, 2, null), "Safari may not tell its cores: four are granted");
  assert.ok(!solved(0, 2 ** 24, 3));
  assert.ok(!solved(Number.NaN, 2 ** 24, 2));
  assert.ok(!raises(solveTimeImplausible, { environment: CHROME_VISITOR.environment }));
});

test("solve_time_implausible: raised by a page that claims to have worked for longer than has passed", () => {
  const claimed = (solveMs: number | null) =>
    raises(solveTimeImplausible, {
      ...withBehaviour(CHROME_VISITOR, { solveMs }),
      solve: { ...SOLVE, elapsedMs: 3_000 },
    });
  assert.ok(claimed(60_000));
  assert.ok(!claimed(2_950), "an honest page");
  assert.ok(!claimed(4_000), "the service's clock was set");
  assert.ok(!claimed(null), "not measured");
});
