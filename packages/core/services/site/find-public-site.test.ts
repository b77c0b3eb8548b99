import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, referenceTo } from "@stile/testkit/world/world";
import { deleteSite } from "../../use-cases/site/delete-site.ts";
import { findPublicSite } from "./find-public-site.ts";

test("finds a site by the key that its page names, but no deleted one (D8, challenge)", async () => {
  const world = await createWorld();
  const { site } = await world.createSite({ name: "Shop" });
  const { directory } = world.node;
  assert.equal((await findPublicSite(directory, site.siteKey))?.siteKey, site.siteKey);
  await deleteSite(world.node, referenceTo(site));
  directory.forget(site.siteKey);
  assert.equal(await findPublicSite(directory, site.siteKey), undefined);
});

test("never looks up a malformed site key, however long, so that no stranger's text reaches the store", async () => {
  const { directory } = (await createWorld()).node;
  const asked: string[] = [];
  const findSite = (key: string) => {
    asked.push(key);
    return directory.findSite(key);
  };
  const unknown = `pk_${"A".repeat(22)}`;
  for (const key of ["", "pk_", "sk_secret", "x".repeat(100_000), unknown]) {
    assert.equal(
      await findPublicSite({ ...directory, findSite }, key),
      undefined,
      key.slice(0, 30),
    );
  }
  assert.deepEqual(asked, [unknown]);
});
