import assert from "node:assert/strict";
import { test } from "node:test";
import type { Gate } from "@stile/core/domain/layout/agreement";
import type { BankScene, LayoutBank } from "@stile/core/domain/layout/layout-bank";
import type { Finding } from "@stile/protocol/dashboard-api";
import { createMemoryStore } from "@stile/stores/memory/memory-store";
import { diagnoseLayouts, diagnoseStoredLayouts } from "./diagnose-layouts.ts";

const DAY_MS = 86_400_000;
const answers = { reads: new Uint8Array(16), kept: 0xffff };
const scene = (engines: BankScene["answers"]): BankScene => ({ text: "<a>", answers: engines });
const bank: LayoutBank = {
  version: 1,
  bakedAtMs: 5 * DAY_MS,
  drawnAtMs: 0,
  scenes: [scene({ blink: answers, gecko: answers }), scene({ blink: answers })],
};

const IN_DASHBOARD = "in the dashboard (System, Proof of browser)";
const MAKE_THEM = `Run: npm run stile -- bake, or make pages ${IN_DASHBOARD}`;

const OPEN: Gate = { isOpen: true, engines: 2, visits: 1204, share: 0.996, fallen: [] };
const gateWith = (change: Partial<Gate>): Finding => {
  const [, finding] = diagnoseLayouts(bank, { ...OPEN, ...change }, 0);
  return finding ?? assert.fail("nothing is said of the gate");
};

test("without a bank it says so, and what makes one; that is no fault", () => {
  const findings = diagnoseLayouts(undefined, { ...OPEN, isOpen: false, engines: 0, visits: 0 }, 0);
  const text = `Proof of browser is not in use: no pages were made for it. ${MAKE_THEM}`;
  assert.deepEqual(findings, [{ level: "ok", text }]);
});

test("whether it counts by itself is said in the words of the dashboard; to wait for visits is no fault", () => {
  const live = "Live: 1,204 visits agree in 99.6 % of their reads.";
  assert.deepEqual(gateWith({}), {
    level: "ok",
    text: `Proof of browser, at sites set to Automatic: ${live}`,
  });
  const waiting = gateWith({ isOpen: false, visits: 120 });
  assert.equal(waiting.level, "ok");
  assert.match(waiting.text, /Shadow: 120 of 200 visits\. It goes live by itself\.$/);
});

test("what does not come by itself is to be mended: an engine, visitors who do not agree, a release that fell", () => {
  const alone = gateWith({ isOpen: false, engines: 1 });
  assert.match(alone.text, /one engine of two/);
  assert.deepEqual(
    [alone.level, alone.fix],
    [
      "warn",
      `Run: npm run stile -- bake, where Chromium and Firefox are installed, or let another browser answer ${IN_DASHBOARD}`,
    ],
  );
  const unlike = gateWith({ isOpen: false, share: 0.9 });
  assert.match(unlike.text, /90 % of their reads/);
  assert.equal(unlike.level, "warn");
  const fallen = gateWith({ fallen: ["Chromium 157"] });
  assert.match(fallen.text, /made anew: Chromium 157\.$/);
  assert.deepEqual([fallen.level, fallen.fix], ["warn", MAKE_THEM]);
});

test("a bank is told by its size, its browsers and its age; from a week on it is old", () => {
  const [fresh] = diagnoseLayouts(bank, OPEN, 7 * DAY_MS - 1);
  assert.deepEqual(fresh, {
    level: "ok",
    text: "Visitors' browsers lay out 2 pages, made 6 days ago and baked by Chromium and Firefox",
  });
  const [old] = diagnoseLayouts(bank, OPEN, 7 * DAY_MS);
  assert.deepEqual([old?.level, old?.fix], ["warn", MAKE_THEM]);
  // If the clock was set back, the bank is still not from the future.
  assert.match(diagnoseLayouts(bank, OPEN, -DAY_MS)[0]?.text ?? "", /made today and baked/);
  assert.match(diagnoseLayouts(bank, OPEN, DAY_MS)[0]?.text ?? "", /made yesterday and baked/);
});

test("what is stored opens the gate for doctor as it does for a server", async () => {
  const store = createMemoryStore();
  assert.equal((await diagnoseStoredLayouts(store, 0)).length, 1);
  const { version: _, ...baked } = bank;
  await store.layoutBanks.addBank(baked);
  const vote = (near: number) => ({ release: "Chromium 156", near, nearShare: near, low: 0, lowShare: 0 });
  await store.layoutVotes.addVotes([vote(199)], 0);
  assert.match((await diagnoseStoredLayouts(store, 0))[1]?.text ?? "", /Shadow: 199 of 200 visits/);
  await store.layoutVotes.addVotes([vote(1)], 0);
  assert.match(
    (await diagnoseStoredLayouts(store, 0))[1]?.text ?? "",
    /Live: 200 visits agree in 100 % of their reads/,
  );
});
