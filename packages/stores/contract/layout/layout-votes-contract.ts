import assert from "node:assert/strict";
import type { ReleaseVotes } from "@stile/core/domain/layout/agreement";
import type { Guarantee } from "../contract-fixtures.ts";

const votes = (release: string, near: number, low = 0): ReleaseVotes => ({
  ...{ release, near, nearShare: near, low, lowShare: low / 2 },
});
const byName = (one: ReleaseVotes, other: ReleaseVotes): number => (one.release < other.release ? -1 : 1);

/** What every store promises of the votes that it keeps. */
export const LAYOUT_VOTE_GUARANTEES: readonly Guarantee[] = [
  {
    name: "adds votes to those of their release, from several nodes at once",
    check: async ({ layoutVotes }) => {
      assert.deepEqual(await layoutVotes.listVotes(), []);
      await Promise.all([
        layoutVotes.addVotes([votes("Chromium 156", 7, 1), votes("Firefox 153", 2)]),
        layoutVotes.addVotes([votes("Firefox 153", 3), votes("Chromium 156", 1)]),
      ]);
      const listed = [...(await layoutVotes.listVotes())].sort(byName);
      assert.deepEqual(listed, [{ ...votes("Chromium 156", 8, 1) }, { ...votes("Firefox 153", 5) }]);
    },
  },
  {
    name: "halves a release's votes beyond 400, and keeps the 100 releases with most",
    check: async ({ layoutVotes }) => {
      await layoutVotes.addVotes([votes("Chromium 156", 400)]);
      await layoutVotes.addVotes(Array.from({ length: 150 }, (_, at) => votes(`Firefox ${at}`, at + 1)));
      const kept = await layoutVotes.listVotes();
      assert.equal(kept.length, 100);
      assert.equal(Math.min(...kept.map(({ near }) => near)), 52);
      await layoutVotes.addVotes([votes("Chromium 156", 0, 4)]);
      const halved = (await layoutVotes.listVotes()).find(({ release }) => release === "Chromium 156");
      assert.deepEqual(halved, { release: "Chromium 156", near: 200, nearShare: 200, low: 2, lowShare: 1 });
    },
  },
  {
    name: "forgets votes of the releases that are named, and of no other",
    check: async ({ layoutVotes }) => {
      await layoutVotes.addVotes([votes("Chromium 156", 7), votes("Firefox 153", 2)]);
      await layoutVotes.forgetVotes(["Firefox 153", "Safari 26"]);
      await layoutVotes.forgetVotes([]);
      assert.deepEqual(await layoutVotes.listVotes(), [votes("Chromium 156", 7)]);
    },
  },
];
