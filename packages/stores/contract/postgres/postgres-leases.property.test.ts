import assert from "node:assert/strict";
import { after, test } from "node:test";
import { checkRate, type LimitState, MINUTE_MS, minuteOf } from "@stile/core/domain/rate-window";
import type { Site } from "@stile/core/domain/site/site";
import type { Store } from "@stile/core/ports/store";
import type { Redemption, RedemptionOutcome } from "@stile/core/ports/token/token-ledger";
import fc from "fast-check";
import { newAccount, newSite, redeemAll, redemptionOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";

const postgres = await startTemporaryPostgres();

const NODES = 3;
const RUNS = Number(process.env.STILE_PROPERTY_RUNS ?? 40);

/** What happens next. After some time a node dies and comes back, or redeems so many fresh tokens of both sites. */
type Step =
  | { readonly kind: "death"; readonly node: number }
  | {
      readonly kind: "redeem";
      readonly node: number;
      readonly laterMs: number;
      readonly behindMs: number;
      readonly counts: readonly number[];
    }
  /** All nodes redeem at the same moment. */
  | { readonly kind: "race"; readonly laterMs: number; readonly count: number }
  /** The token that was redeemed last is redeemed once more, at another node. */
  | { readonly kind: "replay"; readonly node: number }
  /** The caller who was refused last waits as long as it was told, and asks once more. */
  | { readonly kind: "patience" };

const node = fc.nat({ max: NODES - 1 });
const laterMs = fc.oneof(fc.constantFrom(0, 0, 0, 1, 1000, 20_000, 59_999, MINUTE_MS), fc.nat({ max: MINUTE_MS }));
/** How far a node's clock is behind, or for how long its redemption was under way. */
const behindMs = fc.constantFrom(0, 0, 0, 0, 0, 1, 10, 2000, 45_000);
const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 30 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("death" as const), node }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("redeem" as const),
      node,
      laterMs,
      behindMs,
      counts: fc.tuple(count, count),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("race" as const), laterMs, count }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("replay" as const), node }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("patience" as const) }) },
);
const plans = fc.record({
  perMinute: fc.integer({ min: 1, max: 40 }),
  block: fc.integer({ min: 1, max: 12 }),
  steps: fc.array(step, { minLength: 1, maxLength: 30, size: "max" }),
});

/** What was admitted for a site, counted by the exact rule. */
type Ledger = { readonly site: Site; readonly spent: Map<number, number>; deaths: number };

type Asked = { readonly ledger: Ledger };

function exactly({ spent }: Ledger, perMinute: number, nowMs: number, more = 0): LimitState {
  const minute = minuteOf(nowMs);
  return checkRate(
    { current: (spent.get(minute) ?? 0) + more, previous: spent.get(minute - 1) ?? 0 },
    perMinute,
    nowMs,
  );
}

/** What redemptions are held against; `slack` is how much of the limit nodes may have leased and not used. */
type Moment = { readonly ledger: Ledger; readonly perMinute: number; readonly nowMs: number; readonly slack: number };

/** Holds outcomes of one moment against the exact rule, and unless nodes raced also the reported remaining limit. */
function hold(
  { ledger, perMinute, nowMs, slack }: Moment,
  outcomes: readonly RedemptionOutcome[],
  isAlone = true,
): void {
  const minute = minuteOf(nowMs);
  const told: number[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind !== "spent") continue;
    assert.ok(exactly(ledger, perMinute, nowMs).isAdmitted, "over the limit");
    assert.ok(outcome.limit.isAdmitted);
    ledger.spent.set(minute, (ledger.spent.get(minute) ?? 0) + 1);
    told.push(outcome.limit.remaining);
  }
  const now = exactly(ledger, perMinute, nowMs);
  if (told.length > 0 && isAlone) {
    const [least, left] = [Math.min(...told), now.remaining + (now.isAdmitted ? 1 : 0)];
    assert.ok(least <= left && least >= left - slack, `told that ${least} remain, and ${left} do`);
  }
  for (const outcome of outcomes) {
    if (outcome.kind === "spent") continue;
    assert.equal(outcome.kind, "limited");
    assert.ok(
      !exactly(ledger, perMinute, nowMs, slack).isAdmitted,
      "under the limit by more than a block for each node",
    );
  }
}

const url = await postgres.emptyDatabase();
/** How many requests the nodes lease at a time; each run sets it. */
let block = 1;
const openNode = (): Promise<Store> => postgres.open(url, () => block);
const nodes = await Promise.all(Array.from({ length: NODES }, openNode));
after(async () => {
  await Promise.all(nodes.map((store) => store.close()));
  await postgres.stop();
});
const nodeOf = (index: number): Store => nodes[index] ?? assert.fail();
await nodeOf(0).sites.insertAccount(newAccount());

let made = 0;

/** Each run has sites of its own, so that runs can share the nodes. */
async function newLedger(): Promise<Ledger> {
  const site = newSite({ siteKey: `pk_${++made}`, name: `Site ${made}` });
  await nodeOf(0).sites.insertSite(site);
  return { site, spent: new Map(), deaths: 0 };
}

type Plan = { readonly perMinute: number; readonly block: number; readonly steps: readonly Step[] };

async function play({ perMinute, block: size, steps }: Plan): Promise<void> {
  block = size;
  const ledgers = [await newLedger(), await newLedger()];
  let nowMs = T0;
  let lastSpent: readonly Redemption[] = [];
  let lastRefused: { index: number; ledger: Ledger; untilMs: number } | undefined;

  const redeem = async (index: number, asked: readonly Asked[], nowMs: number): Promise<void> => {
    const all = asked.map(({ ledger }) => redemptionOf(ledger.site, { nowMs, perMinute }));
    const outcomes = await redeemAll(nodeOf(index), all);
    const judged = asked.map(({ ledger }, at) => ({ ledger, outcome: outcomes[at] ?? assert.fail() }));
    lastSpent = all.filter((_, at) => outcomes[at]?.kind === "spent");
    lastRefused = undefined;
    for (const ledger of ledgers) {
      const own = judged.filter((one) => one.ledger === ledger).map(({ outcome }) => outcome);
      hold({ ledger, perMinute, nowMs, slack: block * (NODES + ledger.deaths) }, own);
    }
    for (const { ledger, outcome } of judged) {
      // A clock that is behind can't take into account what others spent in a minute that it has not reached.
      const isAhead = [...ledger.spent.keys()].some((minute) => minute > minuteOf(nowMs));
      if (outcome.kind === "limited" && !isAhead)
        lastRefused = { index, ledger, untilMs: nowMs + outcome.limit.resetsInMs };
    }
  };

  for (const step of steps) {
    if ("laterMs" in step) nowMs += step.laterMs;
    if (step.kind === "death") {
      await nodeOf(step.node).close();
      nodes[step.node] = await openNode();
      for (const ledger of ledgers) ledger.deaths += 1;
    } else if (step.kind === "redeem") {
      await redeem(
        step.node,
        ledgers.flatMap((ledger, at) => Array.from({ length: step.counts[at] ?? 0 }, () => ({ ledger }))),
        nowMs - step.behindMs,
      );
    } else if (step.kind === "replay") {
      const outcomes = await redeemAll(nodeOf(step.node), lastSpent);
      for (const { kind } of outcomes) assert.equal(kind, "already_used");
      // Nothing is counted for it, but its node may lease a block: to whoever waits that is a request of somebody else.
      lastRefused = undefined;
    } else if (step.kind === "patience" && lastRefused !== undefined && lastRefused.untilMs > nowMs) {
      const { index, ledger, untilMs } = lastRefused;
      nowMs = untilMs;
      await redeem(index, [{ ledger }], nowMs);
      assert.equal(lastRefused, undefined, "refused once more after the wait that was told");
    } else if (step.kind === "race") {
      const [ledger] = ledgers as [Ledger];
      const batch = () => Array.from({ length: step.count }, () => redemptionOf(ledger.site, { nowMs, perMinute }));
      const outcomes = (await Promise.all(nodes.map((store) => redeemAll(store, batch())))).flat();
      lastRefused = undefined;
      hold({ ledger, perMinute, nowMs, slack: block * (NODES + ledger.deaths) }, outcomes, false);
    }
  }
  for (const { spent } of ledgers) for (const sum of spent.values()) assert.ok(sum <= perMinute);
}

test("nodes that lease blocks are together never over the limit, and under it by at most a block for each node and death (D10, decision 0040)", async () => {
  await fc.assert(fc.asyncProperty(plans, play), { numRuns: RUNS });
});
