import assert from "node:assert/strict";
import { test } from "node:test";
import {
  consumeAll,
  newSecret,
  readMinutes,
  redeemAll,
  redemptionOf,
  seedSite,
  spendAll,
  spendOf,
  T0,
} from "@stile/stores/contract/contract-fixtures";
import { temporaryFile } from "@stile/stores/contract/temporary-file";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import fc from "fast-check";
import type { Store } from "../../ports/store.ts";
import { minuteOf } from "../rate-window.ts";

const PER_MINUTE = 6;

type Step =
  | {
      readonly kind: "redeem";
      readonly tokens: readonly number[];
      readonly repeat: number;
      readonly isExpired: boolean;
    }
  | { readonly kind: "spend"; readonly challenges: readonly number[] }
  | { readonly kind: "consume"; readonly requests: number }
  | { readonly kind: "sweep" }
  | { readonly kind: "jump"; readonly byMs: number };

const few = fc.array(fc.nat(11), { minLength: 1, maxLength: 8 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("redeem" as const),
        tokens: few,
        repeat: fc.nat(2),
        isExpired: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("spend" as const), challenges: few }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("consume" as const),
        requests: fc.integer({ min: 1, max: 9 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("sweep" as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("jump" as const),
        byMs: fc.integer({ min: -400_000, max: 400_000 }),
      }),
    },
  ),
  { maxLength: 40 },
);

/** A store's answers to every step, and its statistics at the end. */
type Run = {
  readonly answers: unknown[];
  readonly spentTokens: number[];
  readonly spentByMinute: Map<number, number>;
};

async function runSteps(store: Store, sequence: readonly Step[]): Promise<Run> {
  const site = await seedSite(store, {
    siteKey: "pk_agreed",
    name: "Agreed",
    secretKeys: [newSecret({ digest: "agreed" })],
  });
  const run: Run = { answers: [], spentTokens: [], spentByMinute: new Map() };
  let nowMs = T0;
  for (const step of sequence) {
    if (step.kind === "jump") nowMs += step.byMs;
    if (step.kind === "sweep") run.answers.push(await store.housekeeping.sweep(nowMs));
    if (step.kind === "consume") {
      const requests = Array.from({ length: step.requests }, () => ({
        scope: "score",
        perMinute: PER_MINUTE,
        nowMs,
      }));
      run.answers.push(await consumeAll(store, requests));
    }
    if (step.kind === "spend") {
      const spends = step.challenges.map((id) =>
        spendOf(site, {
          challengeId: new Uint8Array(16).fill(id),
          retainUntilMs: T0 + id * 20_000,
          nowMs,
        }),
      );
      run.answers.push(await spendAll(store, spends));
    }
    if (step.kind === "redeem") {
      const redemptions = step.tokens.map((id) =>
        redemptionOf(site, {
          tokenId: new Uint8Array(12).fill(id),
          retainUntilMs: T0 + id * 20_000,
          nowMs,
          perMinute: PER_MINUTE,
          repeatDigest: step.repeat === 0 ? undefined : new Uint8Array(32).fill(step.repeat),
          isRepeatOnly: step.isExpired,
        }),
      );
      const outcomes = await redeemAll(store, redemptions);
      run.answers.push(outcomes);
      for (const [at, { kind }] of outcomes.entries()) {
        if (kind !== "spent") continue;
        run.spentTokens.push(step.tokens[at]!);
        run.spentByMinute.set(minuteOf(nowMs), (run.spentByMinute.get(minuteOf(nowMs)) ?? 0) + 1);
      }
    }
  }
  run.answers.push(await readMinutes(store, site.siteKey));
  return run;
}

test("memory and SQLite answer any sequence alike, and spend no token twice, whatever the clock does (D3, single use; D10, limits)", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const memory = await runSteps(createMemoryStore(), sequence);
      const store = await openSqliteStore({ file: `${temporaryFile()}` });
      const sqlite = await runSteps(store, sequence);
      await store.close();
      assert.deepEqual(sqlite.answers, memory.answers);
      assert.equal(new Set(sqlite.spentTokens).size, sqlite.spentTokens.length);
    }),
    { numRuns: 60 },
  );
});

test("no clock minute sees more tokens spent than the limit, whatever the clock does (D2, redemption; D10, limits)", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const withoutSweeps = sequence.filter(({ kind }) => kind !== "sweep");
      const { spentByMinute } = await runSteps(createMemoryStore(), withoutSweeps);
      for (const count of spentByMinute.values()) assert.ok(count <= PER_MINUTE);
    }),
    { numRuns: 500 },
  );
});
