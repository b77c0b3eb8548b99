import assert from "node:assert/strict";
import type { ReleaseVotes } from "@stile/core/domain/layout/agreement";
import type { Guarantee } from "../contract-fixtures.ts";

const DAY_MS = 86_400_000;
const T0 = 20_000 * DAY_MS;

const votes = (release: string, near: number, low = 0): ReleaseVotes => ({
  ...{ release, near, nearShare: near, low, lowShare: low / 2 },
});
const byName = (one: ReleaseVotes, other: ReleaseVotes): number => (one.release < other.release ? -1 : 1);

/** What every store promises about the votes that it keeps. */
export const LAYOUT_VOTE_GUARANTEES: readonly Guarantee[] = [
  {
    name: "adds votes to those of their release, from several nodes at once",
    check: async ({ layoutVotes }) => {
      assert.deepEqual(await layoutVotes.listVotes(T0), []);
      await Promise.all([
        layoutVotes.addVotes([votes("Chromium 156", 7, 1), votes("Firefox 153", 2)], T0),
        layoutVotes.addVotes([votes("Firefox 153", 3), votes("Chromium 156", 1)], T0),
      ]);
      const listed = [...(await layoutVotes.listVotes(T0))].sort(byName);
      assert.deepEqual(listed, [votes("Chromium 156", 8, 1), votes("Firefox 153", 5)]);
    },
  },
  {
    name: "halves a release's votes beyond 400, and keeps 100 releases",
    check: async ({ layoutVotes }) => {
      await layoutVotes.addVotes([votes("Chromium 156", 400)], T0);
      await layoutVotes.addVotes(
        Array.from({ length: 150 }, (_, at) => votes(`Firefox ${at}`, at + 1)),
        T0,
      );
      const kept = await layoutVotes.listVotes(T0);
      assert.equal(kept.length, 100);
      assert.equal(Math.min(...kept.map(({ near }) => near)), 52);
      await layoutVotes.addVotes([votes("Chromium 156", 0, 4)], T0);
      const halved = (await layoutVotes.listVotes(T0)).find(({ release }) => release === "Chromium 156");
      assert.deepEqual(halved, { release: "Chromium 156", near: 200, nearShare: 200, low: 2, lowShare: 1 });
    },
  },
  {
    name: "forgets votes of the releases that are named, and of no other",
    check: async ({ layoutVotes }) => {
      await layoutVotes.addVotes([votes("Chromium 156", 7), votes("Firefox 153", 2)], T0);
      await layoutVotes.forgetVotes(["Firefox 153", "Safari 26"]);
      await layoutVotes.forgetVotes([]);
      assert.deepEqual(await layoutVotes.listVotes(T0), [votes("Chromium 156", 7)]);
    },
  },
  {
    name: "leaves half of a vote after 30 days, whatever is written meanwhile, and forgets what is less",
    check: async ({ layoutVotes }) => {
      await layoutVotes.addVotes([votes("Chromium 156", 8, 4), votes("Firefox 153", 1)], T0);
      assert.deepEqual(await layoutVotes.listVotes(T0 + 30 * DAY_MS), [
        votes("Chromium 156", 4, 2),
        votes("Firefox 153", 0.5),
      ]);
      await layoutVotes.addVotes([votes("Chromium 156", 1)], T0 + 30 * DAY_MS);
      // A node whose clock is behind neither takes votes away nor brings any back.
      await layoutVotes.addVotes([votes("Chromium 156", 1)], T0);
      assert.deepEqual(await layoutVotes.listVotes(T0), [votes("Chromium 156", 6, 2), votes("Firefox 153", 1)]);
      const later = T0 + 60 * DAY_MS;
      assert.deepEqual(await layoutVotes.listVotes(later), [votes("Chromium 156", 3, 1)]);
      await layoutVotes.addVotes([votes("Safari 26", 1)], later);
      await layoutVotes.addVotes([votes("Firefox 153", 1)], later);
      const listed = [...(await layoutVotes.listVotes(later))].sort(byName);
      assert.deepEqual(listed, [votes("Chromium 156", 3, 1), votes("Firefox 153", 1), votes("Safari 26", 1)]);
    },
  },
  {
    name: "has a place for a release that is new, though 100 that somebody made up have more votes",
    check: async ({ layoutVotes }) => {
      await layoutVotes.addVotes(
        Array.from({ length: 100 }, (_, at) => votes(`Chromium ${7000 + at}`, 3)),
        T0,
      );
      await layoutVotes.addVotes([votes("Chromium 157", 1)], T0);
      // Made-up names that arrive later take the places of other names.
      for (let at = 0; at < 90; at++) await layoutVotes.addVotes([votes(`Chromium ${8000 + at}`, 1)], T0);
      await layoutVotes.addVotes([votes("Chromium 157", 1)], T0);
      const kept = await layoutVotes.listVotes(T0);
      assert.equal(kept.length, 100);
      assert.deepEqual(
        kept.find(({ release }) => release === "Chromium 157"),
        votes("Chromium 157", 2),
      );
    },
  },
];
