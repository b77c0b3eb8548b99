import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { checkRate, minuteOf } from "@stile/core/domain/rate-window";
import type { ChallengeLedger } from "@stile/core/ports/challenge/challenge-ledger";
import type { RateLimiter } from "@stile/core/ports/rate-limiter";
import type { Store } from "@stile/core/ports/store";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { LINK_RACES } from "./account/links-contract.ts";
import { MEMBER_RACES } from "./account/members-contract.ts";
import { SESSION_RACES } from "./account/sessions-contract.ts";
import { createWrongAccounts } from "./account/wrong-accounts.ts";
import { CHALLENGE_RACES } from "./challenge/challenge-ledger-contract.ts";
import type { Guarantee } from "./contract-fixtures.ts";
import { LIMIT_RACES } from "./rate-limiter-contract.ts";
import { TOKEN_RACES } from "./token/token-ledger-contract.ts";

// Stores with the usual mistake: they read, let other work run, as any database across a network
// does, and then write.

const keyOf = (id: Uint8Array): string => Buffer.from(id).toString("hex");

function createWrongTokens(): TokenLedger {
  const spent = new Set<string>();
  let count = 0;
  return {
    isSpent: async ({ tokenId }) => spent.has(keyOf(tokenId)),
    redeem: async ({ tokenId, perMinute, nowMs }) => {
      const isUsed = spent.has(keyOf(tokenId));
      const limit = checkRate({ current: count, previous: 0 }, perMinute, nowMs);
      await nextTurn();
      if (isUsed) return { kind: "already_used" };
      if (!limit.isAdmitted) return { kind: "limited", limit };
      spent.add(keyOf(tokenId));
      count += 1;
      return { kind: "spent", atMs: nowMs, limit };
    },
  };
}

function createWrongChallenges(): ChallengeLedger {
  const spent = new Set<string>();
  return {
    spend: async ({ challengeId }) => {
      const isUsed = spent.has(keyOf(challengeId));
      await nextTurn();
      spent.add(keyOf(challengeId));
      return isUsed ? "already_spent" : "spent";
    },
  };
}

function createWrongLimiter(): RateLimiter {
  const counts = new Map<string, number>();
  return {
    consume: async ({ scope, perMinute, nowMs }) => {
      const key = `${minuteOf(nowMs)} ${scope}`;
      const state = checkRate({ current: counts.get(key) ?? 0, previous: 0 }, perMinute, nowMs);
      await nextTurn();
      if (state.isAdmitted) counts.set(key, (counts.get(key) ?? 0) + 1);
      return state;
    },
  };
}

const CASES: readonly { name: string; races: readonly Guarantee[]; create: () => Store }[] = [
  {
    name: "tokens",
    races: TOKEN_RACES,
    create: () => ({ ...createMemoryStore(), tokens: createWrongTokens() }),
  },
  {
    name: "challenges",
    races: CHALLENGE_RACES,
    create: () => ({ ...createMemoryStore(), challenges: createWrongChallenges() }),
  },
  {
    name: "limits",
    races: LIMIT_RACES,
    create: () => ({ ...createMemoryStore(), limiter: createWrongLimiter() }),
  },
  { name: "members", races: MEMBER_RACES, create: createWrongAccounts },
  { name: "links", races: LINK_RACES, create: createWrongAccounts },
  { name: "sessions", races: SESSION_RACES, create: createWrongAccounts },
];

for (const { name, races, create } of CASES) {
  test(`has races to try in the suite of ${name}`, () => {
    assert.ok(races.length > 0);
  });
  for (const race of races) {
    test(`catches a store that reads ${name}, waits and then writes: ${race.name}`, async () => {
      await assert.rejects(race.check(create()), assert.AssertionError);
    });
  }
}
