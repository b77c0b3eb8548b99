import assert from "node:assert/strict";
import { after, test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract-fixtures.ts";
import { startTemporaryValkey } from "./temporary-valkey.ts";

const engines = await startTemporaryValkey();
after(engines.stop);

test("an engine without memory left spends nothing, and still hears of changes, takes new nodes and is swept (D3, D9, D15)", async (context) => {
  const url = await engines.empty();
  const node = await engines.open(url);
  context.after(() => node.close());
  const client = await engines.engine.connect();
  const site = await seedSite(node);
  const redemption = redemptionOf(site);
  assert.equal((await node.tokens.redeem(redemption)).kind, "spent");
  await node.ping();
  await client.config("SET", "maxmemory", "1mb");

  const isFull = (error: unknown): boolean =>
    error instanceof StoreUnavailable && /no memory left: raise its "maxmemory"/.test(error.message);
  await assert.rejects(node.tokens.redeem(redemptionOf(site)), isFull);
  await assert.rejects(node.challenges.spend(spendOf(site)), isFull);
  await assert.rejects(node.limiter.consume({ scope: "score:x", perMinute: 5, nowMs: T0 }), isFull);
  // The node is not ready, since nothing can be spent.
  await assert.rejects(node.ping(), isFull);
  const next = await engines.open(url);
  context.after(() => next.close());
  assert.equal(await next.tokens.isSpent(redemption), true);
  assert.equal(await next.sites.replaceSite({ ...site, revision: 2 }, 1), "stored");
  assert.equal(await next.housekeeping.sweep(redemption.retainUntilMs + 1_000), 1);

  // No connection was given up because of it: the next call is answered at once.
  await client.config("SET", "maxmemory", "0");
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "site_changed");
  const swept = redemptionOf({ ...site, revision: 2 }, { tokenId: redemption.tokenId });
  assert.equal((await node.tokens.redeem(swept)).kind, "already_used");
});
