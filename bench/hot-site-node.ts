// A node of `npm run bench -- hot-site`, as a separate process: redeems fresh tokens of one site as fast as its store
// accepts them.
import { once } from "node:events";
import { redemptionOf } from "@stile/stores/contract/contract-fixtures";
import { leaseBlock } from "@stile/stores/postgres/engine/limit-leases";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import { median } from "./rows.ts";

/** What a node is started with, as JSON in its first argument. */
export type NodePlan = {
  readonly url: string;
  readonly siteKey: string;
  readonly areLimitsLeased: boolean;
  readonly perMinute: number;
  readonly callers: number;
  readonly seconds: number;
};

/** What it did, and how long (ms) a commit of one row took afterwards, without any other load. */
export type NodeReport = { readonly spent: number; readonly batches: number; readonly commitMs: number };

const SIX_MINUTES_MS = 360_000;
const COMMITS = 40;

async function measureCommit(commit: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  while (times.length < COMMITS) {
    const startMs = performance.now();
    await commit();
    times.push(performance.now() - startMs);
  }
  return median(times);
}

async function main({ url, siteKey, areLimitsLeased, perMinute, callers, seconds }: NodePlan): Promise<void> {
  let batches = 0;
  const onSent = (): void => {
    batches += 1;
  };
  const observer = { onSent, onWritten: () => {}, onLate: () => {} };
  const store = await openPostgresStore({ url, observer, leaseBlock: areLimitsLeased ? leaseBlock : undefined });
  process.send?.("ready");
  await once(process, "message");
  const endMs = Date.now() + 1000 * seconds;
  let spent = 0;
  const call = async (): Promise<void> => {
    for (let nowMs = Date.now(); nowMs < endMs; nowMs = Date.now()) {
      const one = redemptionOf({ siteKey, revision: 1 }, { nowMs, perMinute, retainUntilMs: nowMs + SIX_MINUTES_MS });
      const { kind } = await store.tokens.redeem({ ...one, onSpent: ["token_redeemed", "verified_score:05"] });
      if (kind !== "spent") throw new Error(`a redemption was ${kind}`);
      spent += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const commitMs = await measureCommit(() => store.ping());
  await store.close();
  process.send?.({ spent, batches, commitMs } satisfies NodeReport);
  process.disconnect?.();
}

await main(JSON.parse(process.argv[2] ?? "") as NodePlan);
