import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { redemptionOf, seedSite } from "../contract/contract-fixtures.ts";
import { temporaryFile } from "../contract/temporary-file.ts";
import { openThreadedStore } from "./threaded-store.ts";

/** A server's store, on which a generation has begun. */
async function openServer(context: TestContext, file: string): Promise<Store> {
  const store = await openThreadedStore({ file });
  context.after(() => store.close().catch(() => {}));
  await store.begin();
  return store;
}

test("a server and another program write to one database without disturbing each other", async (context) => {
  const file = temporaryFile();
  const store = await openServer(context, file);
  const site = await seedSite(store);
  assert.equal((await store.tokens.redeem(redemptionOf(site))).kind, "spent");
  const other = await openThreadedStore({ file });
  context.after(() => other.close());
  assert.equal(await other.sites.replaceSite({ ...site, revision: 2 }, 1), "stored");
  const token = redemptionOf({ ...site, revision: 2 });
  assert.equal((await store.tokens.redeem(token)).kind, "spent");
  await store.housekeeping.sweep(token.retainUntilMs + 1);
  await other.ping();
  assert.equal((await store.tokens.redeem(token)).kind, "already_used");
});
