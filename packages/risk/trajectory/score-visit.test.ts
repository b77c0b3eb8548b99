import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { handPath, steppedPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { scoreVisit } from "./score-visit.ts";
import type { Segment } from "./segment.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const score = (...segments: Segment[]): number | undefined =>
  scoreVisit(decoded({ ...CHROME_VISITOR.behaviour, pointer: toPointer(segments) }))?.logOdds;

test("scores several paths of a visit by the mean of their log-odds", () => {
  const parts = [handPath(COURSE, 1), handPath(COURSE, 2), steppedPath(COURSE)];
  const alone = parts.map((part) => score(part) ?? assert.fail("not scored"));
  const together = score(...parts) ?? assert.fail("not scored");
  assert.ok(Math.abs(together - alone.reduce((sum, one) => sum + one, 0) / 3) < 1e-9);
});

test("scores a program's straight, steady path far more a program's than any synthetic hand's", () => {
  const program = score(steppedPath(COURSE)) ?? assert.fail("not scored");
  for (let seed = 0; seed < 40; seed++)
    assert.ok((score(handPath(COURSE, seed)) ?? 99) < program - 5, `${seed}`);
});

test("returns nothing without a path", () => {
  assert.equal(score(), undefined);
});

test("does not let short moves at the end, which are not scored, hide the path before them", () => {
  const program = steppedPath(COURSE);
  const short = Array.from({ length: 6 }, (_, i) =>
    handPath({ from: [470, 362], to: [503, 374] }, i),
  );
  assert.equal(score(...short), undefined);
  assert.equal(score(program, ...short), score(program));
});
