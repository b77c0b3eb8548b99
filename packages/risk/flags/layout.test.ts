import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import type { Assessment } from "../assess.ts";
import type { LayoutEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { layoutEngineMismatch } from "./layout-engine-mismatch.ts";
import { layoutMissing } from "./layout-missing.ts";
import { layoutUncertain } from "./layout-uncertain.ts";
import { layoutUnsupported } from "./layout-unsupported.ts";
import { layoutWrong } from "./layout-wrong.ts";

// e2e/scenarios/visitor/layout.e2e.ts shows which real browsers raise these flags, and that a client without one does.

const BROWSER: LayoutEvidence = { isLive: true, share: 1, isEngineKnown: true, isOtherEngine: false, isOld: false };
const LAYOUT_ROWS = [layoutUncertain, layoutWrong, layoutMissing, layoutEngineMismatch, layoutUnsupported];

/** The assessment of an honest visitor with that layout. */
const judged = (layout: Partial<LayoutEvidence> | undefined): Assessment =>
  assessVisit({ ...CHROME_VISITOR, layout: layout && { ...BROWSER, ...layout } });
const before = judged(undefined);

/** Asserts that of the layout flags only this one is raised, and what it adds both live and as a shadow flag. */
function assertRaised(row: FlagRow, layouts: readonly Partial<LayoutEvidence>[]): void {
  for (const layout of layouts) {
    const raised = LAYOUT_ROWS.filter((one) => raises(one, { layout: { ...BROWSER, ...layout } }));
    assert.deepEqual(raised, [row], JSON.stringify(layout));
    const { score, flags } = judged(layout);
    assert.deepEqual(flags, [...before.flags, row.name]);
    assert.ok(score > before.score && score >= (row.floor ?? 0), `score ${score}`);
    const shadowed = judged({ ...layout, isLive: false });
    assert.deepEqual([shadowed.score, shadowed.flags], [before.score, before.flags]);
    assert.deepEqual(shadowed.contributions.at(-1), { flag: row.name, weight: 0 });
  }
}

test("what is right makes nobody safer, and neither does what was not asked", () => {
  for (const layout of [{}, { share: 0.85 }, { share: 0.9, isOld: true }, { share: 0.7, isEngineKnown: false }]) {
    assert.deepEqual(judged(layout), before);
  }
});

test("layout_uncertain: raised by more wrong reads than odd pixel ratios give; alone it asks for nothing", () => {
  assertRaised(layoutUncertain, [{ share: 0.84 }, { share: 0.7 }, { share: 0.4, isEngineKnown: false }]);
  assert.ok(judged({ share: 0.7 }).score < 0.3);
});

test("layout_wrong: raised by guesses, which are right in one read of ten", () => {
  assertRaised(layoutWrong, [{ share: 0.11 }, { share: 0 }, { share: 0.69 }, { share: 0.39, isEngineKnown: false }]);
});

test("layout_missing: raised by a client that says nothing of what it was asked", () => {
  assertRaised(layoutMissing, [{ share: undefined }]);
});

test("layout_engine_mismatch: raised by the layouts of another engine than the claimed one", () => {
  assertRaised(layoutEngineMismatch, [{ share: 0.9, isOtherEngine: true }]);
});

test("layout_unsupported: raised by who claims an old browser and lays out nothing, or wrongly", () => {
  assertRaised(layoutUnsupported, [
    { share: undefined, isOld: true },
    { share: 0.1, isOld: true },
  ]);
});
