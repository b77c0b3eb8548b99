import assert from "node:assert/strict";
import { after, test } from "node:test";
import { redemptionOf, seedSite } from "../contract-fixtures.ts";
import { startTemporaryValkey } from "./temporary-valkey.ts";

const engines = await startTemporaryValkey();
after(engines.stop);

test("of a site that is purged nothing stays in the hot store, and of one that may be restored all (D12)", async (context) => {
  const node = await engines.open(await engines.empty());
  context.after(() => node.close());
  const client = await engines.engine.connect();
  const sites = [await seedSite(node)];
  for (const name of ["a", "b"]) {
    const site = { ...(sites[0] ?? assert.fail()), siteKey: `pk_${name}`, name, secretKeys: [] };
    assert.equal(await node.sites.insertSite(site), "stored");
    sites.push(site);
  }
  for (const site of sites) {
    const redemption = redemptionOf(site);
    assert.equal((await node.tokens.redeem(redemption)).kind, "spent");
    await node.housekeeping.sweep(redemption.retainUntilMs + 1_000);
  }
  const [living, purged, restorable] = sites as [(typeof sites)[0], (typeof sites)[0], (typeof sites)[0]];
  await node.sites.replaceSite({ ...purged, revision: 2, deletedAtMs: 1_000 }, 1);
  await node.sites.replaceSite({ ...restorable, revision: 2, deletedAtMs: 9_000 }, 1);
  assert.equal(await node.sites.purgeSites(5_000), 1);
  const left = (await client.keys("stile:{*")).filter((name) => !name.includes(":rate:"));
  assert.deepEqual(left.sort(), [`stile:{${living.siteKey}}`, `stile:{${restorable.siteKey}}`].sort());
  assert.equal((await node.tokens.redeem(redemptionOf(purged))).kind, "site_changed");
  assert.equal(await client.exists(`stile:{${purged.siteKey}}`), 0, "and who asks for it makes nothing anew");
});
