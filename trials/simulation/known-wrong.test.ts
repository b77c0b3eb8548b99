import assert from "node:assert/strict";
import { test } from "node:test";
import type { Redemption } from "@stile/core/domain/token/single-use";
import type { ChallengeLedger } from "@stile/core/ports/challenge/challenge-ledger";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import { createBufferedCounts } from "@stile/stores/buffers/buffered-counts";
import { WRITE_DEADLINE_MS } from "@stile/stores/sqlite/engine/writer-thread/batch-sender";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { PARTS, runCampaign, shrink } from "./campaign.ts";
import { createMemoryEngine } from "./service/memory-engine.ts";
import type { SimulationParts } from "./world/simulate.ts";

// A deliberate fault must be detected within this many steps, or the simulation is blind.
const WITHIN_STEPS = 20_000;

type Pause = () => Promise<void>;

const keyOf = (id: Uint8Array): string => Buffer.from(id).toString("hex");
/** Makes an id that no store holds, so that nothing looks spent. */
const unmarked = (id: Uint8Array): Uint8Array => crypto.getRandomValues(new Uint8Array(id.length));

/** Parts with that store instead of the memory store. */
function withStore(change: (store: Store, pause: Pause) => Partial<Store>): SimulationParts {
  return {
    ...PARTS.memory,
    openEngine: (pause) =>
      createMemoryEngine({
        createStore: () => {
          const store = createMemoryStore();
          return { ...store, ...change(store, pause) };
        },
      }),
  };
}

const redeemingAs = (change: (redemption: Redemption) => Redemption): SimulationParts =>
  withStore(({ tokens }) => ({
    tokens: { ...tokens, redeem: (redemption) => tokens.redeem(change(redemption)) },
  }));

/** Checks whether the token is spent, lets others work, and then writes. */
function slowTokens(tokens: TokenLedger, pause: Pause): TokenLedger {
  const spent = new Set<string>();
  return {
    isSpent: async ({ tokenId }) => spent.has(keyOf(tokenId)),
    redeem: async (redemption) => {
      if (redemption.isRepeatOnly) return tokens.redeem(redemption);
      if (spent.has(keyOf(redemption.tokenId))) return { kind: "already_used" };
      await pause();
      const outcome = await tokens.redeem({ ...redemption, tokenId: unmarked(redemption.tokenId) });
      if (outcome.kind === "spent") spent.add(keyOf(redemption.tokenId));
      return outcome;
    },
  };
}

function slowChallenges(challenges: ChallengeLedger, pause: Pause): ChallengeLedger {
  const spent = new Set<string>();
  return {
    spend: async (spend) => {
      const isUsed = spent.has(keyOf(spend.challengeId));
      await pause();
      spent.add(keyOf(spend.challengeId));
      if (isUsed) return "already_spent";
      return challenges.spend({ ...spend, challengeId: unmarked(spend.challengeId) });
    },
  };
}

const believing: SimulationParts = {
  ...PARTS.memory,
  createClock: ({ wallMs }) => ({
    nowMs: () => Math.floor(wallMs()),
    state: () => ({ kind: "agrees", apartMs: 0 }),
  }),
};

/** Takes a late write for a lost one: the counts are buffered again, and then written twice. */
const hasty: SimulationParts = {
  ...PARTS.memory,
  holdCounts: (add, pause) =>
    createBufferedCounts((batch) => {
      const tooLate = pause(WRITE_DEADLINE_MS).then(() =>
        Promise.reject(new StoreUnavailable("the disk is late")),
      );
      return Promise.race([add(batch), tooLate]);
    }),
};

const CASES: readonly {
  readonly name: string;
  readonly parts: SimulationParts;
  readonly rule: RegExp;
}[] = [
  {
    name: "a store that checks whether a token is spent and then writes",
    parts: withStore(({ tokens }, pause) => ({ tokens: slowTokens(tokens, pause) })),
    rule: /spent twice|verified twice|exact repeat was refused/,
  },
  {
    name: "a store that checks whether a challenge is spent and then writes",
    parts: withStore(({ challenges }, pause) => ({
      challenges: slowChallenges(challenges, pause),
    })),
    rule: /a challenge was spent twice|two tokens/,
  },
  {
    name: "a sweep that forgets spent tokens before they end",
    parts: redeemingAs((redemption) => ({ ...redemption, retainUntilMs: redemption.nowMs + 1 })),
    rule: /spent twice|exact repeat was refused/,
  },
  {
    name: "a clock that believes any jump",
    parts: believing,
    rule: /the clock went back|the clock followed a jump/,
  },
  {
    name: "a repeat that is not compared with the call that spent",
    parts: redeemingAs((redemption) => ({ ...redemption, repeatDigest: new Uint8Array(32) })),
    rule: /repeated for another call/,
  },
  {
    name: "a start that never retires keys whose spends a copy may lack",
    parts: { ...PARTS.memory, openEngine: () => createMemoryEngine({ retires: false }) },
    rule: /a token was spent twice|a challenge was spent twice|outlived a restore/,
  },
  {
    name: "a limit that admits one too many",
    parts: redeemingAs((redemption) => ({ ...redemption, perMinute: redemption.perMinute + 1 })),
    rule: /more was admitted than the limit/,
  },
  {
    name: "a redemption that is not counted",
    parts: redeemingAs((redemption) => ({ ...redemption, onSpent: [] })),
    rule: /statistics are not exact/,
  },
  {
    name: "a site's revision that is not compared (D3, single use)",
    parts: withStore(({ tokens, sites }) => ({
      tokens: {
        ...tokens,
        redeem: async (redemption) => {
          const site = await sites.findSite(redemption.siteKey);
          return tokens.redeem({ ...redemption, siteRevision: site?.revision ?? 0 });
        },
      },
    })),
    rule: /spent for a dead or disabled site/,
  },
  {
    name: "statistics that are removed early",
    parts: withStore(({ statistics }) => ({
      statistics: { ...statistics, prune: (nowMs) => statistics.prune(nowMs + 2 * 86_400_000) },
    })),
    rule: /statistics are not exact/,
  },
  {
    name: "a flush that repeats a write that the disk takes late (D15, outage)",
    parts: hasty,
    rule: /counted more often than it happened/,
  },
  {
    name: "a store that fails with another error than StoreUnavailable",
    parts: withStore(({ challenges }) => ({
      challenges: {
        spend: (spend) =>
          (spend.challengeId[0] ?? 0) < 8
            ? Promise.reject(new TypeError("disk"))
            : challenges.spend(spend),
      },
    })),
    rule: /a use case threw/,
  },
];

for (const { name, parts, rule } of CASES) {
  test(`detects ${name}`, async () => {
    const { violation, seed, steps } = await runCampaign({
      parts,
      firstSeed: 1,
      steps: WITHIN_STEPS,
    });
    assert.match(violation?.rule ?? "nothing was seen", rule, `seed ${seed}, step ${steps}`);
  });
}

test("shortens a failing run: leaves out clients that are not needed, and still breaks the same rule", async () => {
  const failed = await runCampaign({ parts: believing, firstSeed: 2, steps: WITHIN_STEPS });
  const shortest = await shrink(believing, failed);
  assert.equal(shortest.violation?.rule, failed.violation?.rule);
  assert.ok(
    shortest.started - shortest.without.size <= failed.started / 4,
    `${shortest.without.size} of ${failed.started}`,
  );
});
