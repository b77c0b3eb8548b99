import assert from "node:assert/strict";
import type { BankScene, LayoutBank } from "@stile/core/domain/layout/layout-bank";
import { type Guarantee, T0 } from "../contract-fixtures.ts";

const SCENE: BankScene = {
  text: "<a<b>>\nh00 rlb\n.a{width:4px}",
  answers: {
    blink: { reads: Uint8Array.from([0, 255, ...Array.from({ length: 14 }, (_, index) => index)]), kept: 0xfffe },
    gecko: { reads: new Uint8Array(16).fill(7), kept: 0 },
  },
};
const bankOf = (bakedAtMs: number, count: number): Omit<LayoutBank, "version"> => ({
  bakedAtMs,
  drawnAtMs: bakedAtMs - 5,
  scenes: Array.from({ length: count }, (_, index) => ({ ...SCENE, text: `${SCENE.text}${index}` })),
});

/** What every store promises about the banks of scenes that it keeps. */
export const LAYOUT_GUARANTEES: readonly Guarantee[] = [
  {
    name: "has no scenes at first",
    check: async (store) => {
      assert.deepEqual(await store.layoutBanks.listBanks(), []);
      assert.equal(await store.layoutBanks.newestVersion(), undefined);
    },
  },
  {
    name: "gives scenes back as they were added, with each engine's answers, however many they are",
    check: async (store) => {
      const bank = bankOf(T0, 2000);
      const version = await store.layoutBanks.addBank(bank);
      assert.deepEqual(await store.layoutBanks.listBanks(), [{ ...bank, version }]);
    },
  },
  {
    name: "keeps the newest bank and the one before, each with a version of its own, and names the newest",
    check: async (store) => {
      const versions: (number | undefined)[] = [];
      for (const bakedAtMs of [T0 + 2, T0 + 1, T0 + 3]) {
        versions.push(await store.layoutBanks.addBank(bankOf(bakedAtMs, 1)));
        assert.equal(await store.layoutBanks.newestVersion(), versions.at(-1));
      }
      assert.equal(new Set(versions).size, 3);
      const kept = await store.layoutBanks.listBanks();
      assert.deepEqual(
        kept.map(({ version, bakedAtMs }) => [version, bakedAtMs]),
        [
          [versions[2], T0 + 3],
          [versions[1], T0 + 1],
        ],
      );
    },
  },
  {
    name: "adds a bank after the one that it was made from, and no other",
    check: async ({ layoutBanks }) => {
      assert.equal(await layoutBanks.addBank(bankOf(T0, 1), 7), undefined);
      const first = await layoutBanks.addBank(bankOf(T0, 1), 0);
      assert.equal(await layoutBanks.addBank(bankOf(T0 + 1, 1), 0), undefined);
      const both = await Promise.all([1, 2].map((at) => layoutBanks.addBank(bankOf(T0 + at, 1), first)));
      assert.equal(both.filter((version) => version !== undefined).length, 1);
      assert.deepEqual(
        (await layoutBanks.listBanks()).map(({ version }) => version),
        [both[0] ?? both[1], first],
      );
    },
  },
  {
    name: "of banks that are added at once each gets a version of its own",
    check: async (store) => {
      const versions = await Promise.all([1, 2, 3, 4].map((index) => store.layoutBanks.addBank(bankOf(T0 + index, 1))));
      assert.equal(new Set(versions).size, 4);
    },
  },
];
