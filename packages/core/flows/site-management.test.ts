import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { isSecretKey, isSiteKey } from "@stile/protocol/key-formats";
import { ACCOUNT_ID, createWorld, NOON_MS } from "../fixtures/world.ts";
import { createSite } from "./create-site.ts";
import { deleteSite } from "./delete-site.ts";
import { listSites } from "./list-sites.ts";
import { restoreSite } from "./restore-site.ts";
import { revokeReplacedSecrets } from "./revoke-replaced-secrets.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { updateSite } from "./update-site.ts";
import { viewStatistics } from "./view-statistics.ts";

async function shop() {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite({ name: "Shop" });
  return { world, site, secretKey, reference: { accountId: ACCOUNT_ID, siteKey: site.siteKey } };
}
const ALL_TIME = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

test("Create Site issues a site key and a secret key, of which only the digest is kept (spec 1, D13)", async () => {
  const { world, site, secretKey } = await shop();
  assert.ok(isSiteKey(site.siteKey));
  assert.ok(isSecretKey(secretKey));
  const stored = await world.store.sites.findSite(site.siteKey);
  assert.deepEqual(stored, site);
  const digest = createHash("sha256").update(secretKey).digest("base64url");
  const lastFour = secretKey.slice(-4);
  assert.deepEqual(stored?.secretKeys, [{ digest, lastFour, createdAtMs: NOON_MS, replacedAtMs: null }]);
  assert.equal(JSON.stringify(stored).includes(secretKey), false);
});

test("Create Site tells every problem and stores nothing; a name is taken once per account (D13)", async () => {
  const { world } = await shop();
  const invalid = await createSite(world.node, ACCOUNT_ID, { name: "", domains: ["https://x"] });
  assert.ok(invalid.kind === "invalid");
  assert.deepEqual(
    invalid.problems.map((problem) => problem.field),
    ["name", "domains"],
  );
  const taken = await createSite(world.node, ACCOUNT_ID, { name: " Shop ", domains: ["a.example"] });
  assert.deepEqual(taken, { kind: "name_taken" });
  assert.equal((await world.store.sites.listSites(ACCOUNT_ID)).length, 1);
});

test("Update Site changes name, domains, mode, theme and language and nothing else (spec 1)", async () => {
  const { world, site, reference } = await shop();
  const change = { name: "New", domains: ["new.example"], mode: "invisible", theme: "dark", language: "de" } as const;
  const updated = await updateSite(world.node, reference, change);
  assert.deepEqual(updated, { kind: "updated", site: { ...site, ...change, revision: 2 } });
  assert.deepEqual(await world.store.sites.findSite(site.siteKey), { ...site, ...change, revision: 2 });
});

test("Update Site refuses invalid settings and a taken name, and changes nothing then (D13)", async () => {
  const { world, site, reference } = await shop();
  await world.createSite({ name: "Other" });
  assert.equal((await updateSite(world.node, reference, { tokenLifeSeconds: 1 })).kind, "invalid");
  assert.equal((await updateSite(world.node, reference, { name: "Other" })).kind, "name_taken");
  assert.deepEqual(await world.store.sites.findSite(site.siteKey), site);
});

test("Rotate Secret Key answers the new key once and keeps the former in grace (spec 1, 5.3)", async () => {
  const { world, secretKey, reference } = await shop();
  world.clock.advance(1000);
  const rotated = await rotateSecret(world.node, reference);
  assert.ok(rotated.kind === "rotated");
  assert.ok(isSecretKey(rotated.secretKey));
  assert.notEqual(rotated.secretKey, secretKey);
  assert.deepEqual(
    rotated.site.secretKeys.map((secret) => secret.replacedAtMs),
    [NOON_MS + 1000, null],
  );
});

test("Delete Site can be undone, unless a living site took its name (D12)", async () => {
  const { world, site, reference } = await shop();
  assert.equal(await deleteSite(world.node, reference), "deleted");
  assert.equal(await deleteSite(world.node, reference), "not_found", "it is deleted already");
  assert.equal((await updateSite(world.node, reference, { name: "X" })).kind, "not_found");
  assert.equal((await rotateSecret(world.node, reference)).kind, "not_found");
  const { site: heir } = await world.createSite({ name: "Shop" });
  assert.equal((await restoreSite(world.node, reference)).kind, "name_taken");
  await updateSite(world.node, { accountId: ACCOUNT_ID, siteKey: heir.siteKey }, { name: "Heir" });
  const restored = await restoreSite(world.node, reference);
  assert.ok(restored.kind === "restored");
  assert.deepEqual([restored.site.siteKey, restored.site.deletedAtMs], [site.siteKey, null]);
  assert.equal((await restoreSite(world.node, reference)).kind, "not_found", "a living site can't be restored");
});

test("another account's site is as good as absent for every operation (T15)", async () => {
  const { world, site } = await shop();
  const foreign = { accountId: "acc_other", siteKey: site.siteKey };
  const answers = [
    (await updateSite(world.node, foreign, { name: "Mine" })).kind,
    (await rotateSecret(world.node, foreign)).kind,
    await revokeReplacedSecrets(world.node, foreign),
    await deleteSite(world.node, foreign),
    (await restoreSite(world.node, foreign)).kind,
  ];
  assert.deepEqual(answers, new Array(5).fill("not_found"));
  assert.equal(await viewStatistics(world.node, foreign, ALL_TIME), undefined);
  assert.deepEqual(await listSites(world.node, "acc_other", ALL_TIME), []);
  assert.deepEqual(await world.store.sites.findSite(site.siteKey), site);
});

test("of two changes made from the same revision one is a conflict, and no rotated key is lost (D12)", async () => {
  const { world, reference } = await shop();
  const kinds = await Promise.all([rotateSecret(world.node, reference), rotateSecret(world.node, reference)]);
  assert.deepEqual(kinds.map((answer) => answer.kind).sort(), ["conflict", "rotated"]);
});

test("List Sites gives the account's sites with sums of the asked time (spec 1)", async () => {
  const { world, site, secretKey } = await shop();
  await world.redeem(secretKey, { token: world.mint(site) });
  world.clock.advance(60_000);
  await world.redeem(secretKey, { token: world.mint(site) });
  await world.redeem(secretKey, { token: "forged" });
  const sumsOf = async (fromMs: number, toMs: number): Promise<object> => {
    const [listed] = await listSites(world.node, ACCOUNT_ID, { fromMs, toMs });
    return Object.fromEntries(listed?.sums ?? []);
  };
  assert.deepEqual(await sumsOf(NOON_MS, NOON_MS + 60_000), { token_redeemed: 1 });
  assert.deepEqual(await sumsOf(NOON_MS, NOON_MS + 120_000), { token_redeemed: 2, "refused:invalid_signature": 1 });
});

test("View Statistics tells minutes, pass rate and score distribution (spec 1)", async () => {
  const { world, site, secretKey, reference } = await shop();
  const before = await viewStatistics(world.node, reference, ALL_TIME);
  assert.deepEqual([before?.passRate, before?.scores.length], [undefined, 101]);
  for (const token of [world.mint(site), world.mint(site), world.mint(site), "forged"]) {
    await world.redeem(secretKey, { token });
  }
  for (const metric of ["score:05", "score:05", "score:100"] as const) {
    world.store.statistics.count({ siteKey: site.siteKey, metric, atMs: NOON_MS });
  }
  const after = await viewStatistics(world.node, reference, ALL_TIME);
  assert.equal(after?.passRate, 0.75);
  assert.deepEqual([after.scores[5], after.scores[100], after.scores[6]], [2, 1, 0]);
  assert.ok(after.minutes.every((minute) => minute.minuteStartMs === NOON_MS));
});
