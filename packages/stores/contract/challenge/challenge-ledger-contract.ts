import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  ChallengeSpend,
  ChallengeSpendOutcome,
} from "@stile/core/domain/challenge/challenge-spend";
import type { Store } from "@stile/core/ports/store";
import {
  type Guarantee,
  readMinutes,
  redemptionOf,
  seedSite,
  spendAll,
  spendOf,
  T0,
} from "../contract-fixtures.ts";

function spend(store: Store, attempt: ChallengeSpend): Promise<ChallengeSpendOutcome> {
  return store.challenges.spend(attempt);
}

function countSpent(outcomes: readonly ChallengeSpendOutcome[]): number {
  return outcomes.filter((outcome) => outcome === "spent").length;
}

/**
 * Guarantees for simultaneous calls. A store that reads, waits and then writes breaks each of them.
 */
export const CHALLENGE_RACES: readonly Guarantee[] = [
  {
    name: "spends a challenge once in 100 simultaneous submissions (D9, submission)",
    check: async (store) => {
      const attempt = spendOf(await seedSite(store));
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => spend(store, attempt)));
      assert.equal(countSpent(outcomes), 1);
    },
  },
  {
    name: "spends a challenge once when it is submitted twice at once over several turns of the event loop (D9, submission)",
    check: async (store) => {
      const attempt = spendOf(await seedSite(store));
      const late = async (turns: number): Promise<readonly ChallengeSpendOutcome[]> => {
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        return await spendAll(store, [attempt, attempt]);
      };
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) => late(index % 10)),
      );
      assert.equal(countSpent(outcomes.flat()), 1);
    },
  },
];

/** The guarantees of every ledger of challenges. */
export const CHALLENGE_GUARANTEES: readonly Guarantee[] = [
  ...CHALLENGE_RACES,
  {
    name: "keeps a spent challenge spent, and leaves others alone (D9, submission)",
    check: async (store) => {
      const site = await seedSite(store);
      const [first, second] = [spendOf(site), spendOf(site)];
      assert.deepEqual(await spendAll(store, [first, second, first]), [
        "spent",
        "spent",
        "already_spent",
      ]);
      assert.equal(await spend(store, { ...first, nowMs: T0 + 299_999 }), "already_spent");
      assert.equal(await spend(store, { ...first, nowMs: T0 + 86_400_000 }), "already_spent");
    },
  },
  {
    name: "spends and counts nothing for another revision or an unknown site (D3, single use; D9, submission)",
    check: async (store) => {
      const site = await seedSite(store);
      const attempt = spendOf(site);
      assert.equal(await spend(store, { ...attempt, siteRevision: 2 }), "site_changed");
      assert.equal(await spend(store, { ...attempt, siteKey: "pk_unknown" }), "site_changed");
      assert.deepEqual(await readMinutes(store, site.siteKey), []);
      assert.equal(await spend(store, attempt), "spent");
    },
  },
  {
    name: "separates a challenge and a token with the same id (D4, sealed token)",
    check: async (store) => {
      const site = await seedSite(store);
      const id = new Uint8Array(12).fill(9);
      assert.equal(await spend(store, spendOf(site, { challengeId: id })), "spent");
      const outcome = await store.tokens.redeem(redemptionOf(site, { tokenId: id }));
      assert.equal(outcome.kind, "spent");
    },
  },
];
