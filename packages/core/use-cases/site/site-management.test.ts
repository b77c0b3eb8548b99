import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { isSecretKey, isSiteKey } from "@stile/protocol/key-formats";
import { MOST_SITES } from "@stile/protocol/limits";
import { ACCOUNT_ID, createWorld, NOON_MS, referenceTo } from "@stile/testkit/world/world";
import { OPERATOR } from "../../domain/account/audit.ts";
import { createSite } from "./create-site.ts";
import { deleteSite } from "./delete-site.ts";
import { restoreSite } from "./restore-site.ts";
import { revokeReplacedSecrets } from "./revoke-replaced-secrets.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { updateSite } from "./update-site.ts";

async function shop() {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite({ name: "Shop" });
  return { world, site, secretKey, reference: referenceTo(site) };
}

test("Create Site issues a site key and a secret key, of which only the digest is kept (spec 1; D13, formats)", async () => {
  const { world, site, secretKey } = await shop();
  assert.ok(isSiteKey(site.siteKey));
  assert.ok(isSecretKey(secretKey));
  const stored = await world.store.sites.findSite(site.siteKey);
  assert.deepEqual(stored, site);
  const digest = createHash("sha256").update(secretKey).digest("base64url");
  const lastFour = secretKey.slice(-4);
  assert.deepEqual(stored?.secretKeys, [
    { digest, lastFour, createdAtMs: NOON_MS, replacedAtMs: null },
  ]);
  assert.equal(JSON.stringify(stored).includes(secretKey), false);
});

test("Create Site reports every problem and stores nothing; a name is taken once per account (D13, formats)", async () => {
  const { world } = await shop();
  const invalid = await createSite(
    world.node,
    { accountId: ACCOUNT_ID, actor: OPERATOR },
    { name: "", domains: ["https://x"] },
  );
  assert.ok(invalid.kind === "invalid");
  assert.deepEqual(
    invalid.problems.map((problem) => problem.field),
    ["name", "domains"],
  );
  const taken = await createSite(
    world.node,
    { accountId: ACCOUNT_ID, actor: OPERATOR },
    { name: " Shop ", domains: ["a.example"] },
  );
  assert.deepEqual(taken, { kind: "name_taken" });
  assert.equal((await world.store.sites.listSites(ACCOUNT_ID)).length, 1);
});

test("Create Site ends at 1,000 sites of an account, deleted ones included, and stores nothing more (D13, formats)", async () => {
  const { world, site, reference } = await shop();
  for (let at = 1; at < MOST_SITES; at++) {
    const other = { siteKey: `${site.siteKey} ${at}`, name: `Site ${at}`, secretKeys: [] };
    await world.store.sites.insertSite({ ...site, ...other });
  }
  assert.equal(await deleteSite(world.node, reference), "deleted");
  const owner = { accountId: ACCOUNT_ID, actor: OPERATOR };
  const refused = await createSite(world.node, owner, { name: "One more", domains: ["a.example"] });
  assert.deepEqual(refused, { kind: "too_many_sites" });
  assert.equal((await world.store.sites.listSites(ACCOUNT_ID)).length, MOST_SITES);
  assert.equal((await restoreSite(world.node, reference)).kind, "restored");
});

test("Update Site changes name, domains, mode, theme and language and nothing else (spec 1)", async () => {
  const { world, site, reference } = await shop();
  const change = {
    name: "New",
    domains: ["new.example"],
    mode: "invisible",
    theme: "dark",
    language: "de",
  } as const;
  const updated = await updateSite(world.node, reference, change);
  assert.deepEqual(updated, { kind: "updated", site: { ...site, ...change, revision: 2 } });
  assert.deepEqual(await world.store.sites.findSite(site.siteKey), {
    ...site,
    ...change,
    revision: 2,
  });
});

test("Update Site refuses invalid settings and a taken name, and changes nothing then (D13, formats)", async () => {
  const { world, site, reference } = await shop();
  await world.createSite({ name: "Other" });
  assert.equal((await updateSite(world.node, reference, { tokenLifeSeconds: 1 })).kind, "invalid");
  assert.equal((await updateSite(world.node, reference, { name: "Other" })).kind, "name_taken");
  assert.deepEqual(await world.store.sites.findSite(site.siteKey), site);
});

test("Update Site keeps a language from before the list existed, and accepts no other unlisted one (D13, formats)", async () => {
  const { world, site, reference } = await shop();
  await world.store.sites.replaceSite({ ...site, language: "la", revision: 2 }, 1);
  const kept = await updateSite(world.node, reference, { name: "Taberna", language: "la" });
  assert.ok(kept.kind === "updated" && kept.site.language === "la");
  assert.equal((await updateSite(world.node, reference, { language: "grc" })).kind, "invalid");
  assert.equal((await updateSite(world.node, reference, { language: "auto" })).kind, "updated");
  assert.equal((await updateSite(world.node, reference, { language: "la" })).kind, "invalid");
});

test("Rotate Secret Key returns the new key once and keeps the former in grace (spec 1, 5.3)", async () => {
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

test("at most 20 secret keys of a site work at once; expired and revoked ones free their place (D12, states)", async () => {
  const { world, reference } = await shop();
  const rotate = async () => (await rotateSecret(world.node, reference)).kind;
  const living = async () =>
    (await world.store.sites.findSite(reference.siteKey))?.secretKeys.length;
  assert.equal(await rotate(), "rotated");
  world.clock.advance(60_000);
  for (let keys = 2; keys < 20; keys++) assert.equal(await rotate(), "rotated");
  assert.deepEqual([await rotate(), await living()], ["too_many_keys", 20]);
  world.clock.advance(86_400_000 - 60_000);
  assert.deepEqual(
    [await rotate(), await rotate(), await living()],
    ["rotated", "too_many_keys", 20],
  );
  assert.equal(await revokeReplacedSecrets(world.node, reference), "revoked");
  assert.deepEqual([await rotate(), await living()], ["rotated", 2]);
});

test("Delete Site can be undone, unless another site took its name (D12, states)", async () => {
  const { world, site, reference } = await shop();
  assert.equal(await deleteSite(world.node, reference), "deleted");
  assert.equal(await deleteSite(world.node, reference), "not_found", "it is deleted already");
  assert.equal((await updateSite(world.node, reference, { name: "X" })).kind, "not_found");
  assert.equal((await rotateSecret(world.node, reference)).kind, "not_found");
  const { site: heir } = await world.createSite({ name: "Shop" });
  assert.equal((await restoreSite(world.node, reference)).kind, "name_taken");
  await updateSite(world.node, referenceTo(heir), { name: "Heir" });
  const restored = await restoreSite(world.node, reference);
  assert.ok(restored.kind === "restored");
  assert.deepEqual([restored.site.siteKey, restored.site.deletedAtMs], [site.siteKey, null]);
  assert.equal(
    (await restoreSite(world.node, reference)).kind,
    "not_found",
    "a living site can't be restored",
  );
});

test("another account's site counts as absent for every operation", async () => {
  const { world, site } = await shop();
  const foreign = { ...referenceTo(site), accountId: "acc_other" };
  const answers = [
    (await updateSite(world.node, foreign, { name: "Mine" })).kind,
    (await rotateSecret(world.node, foreign)).kind,
    await revokeReplacedSecrets(world.node, foreign),
    await deleteSite(world.node, foreign),
    (await restoreSite(world.node, foreign)).kind,
  ];
  assert.deepEqual(answers, new Array(5).fill("not_found"));
  assert.deepEqual(await world.store.sites.findSite(site.siteKey), site);
});

test("two changes made from the same revision end in one conflict, and no rotated key is lost (D12, states)", async () => {
  const { world, reference } = await shop();
  const kinds = await Promise.all([
    rotateSecret(world.node, reference),
    rotateSecret(world.node, reference),
  ]);
  assert.deepEqual(kinds.map((answer) => answer.kind).sort(), ["conflict", "rotated"]);
});

test("every change of a site writes an audit entry: actor, action, and settings before and after", async () => {
  const { world, site, reference } = await shop();
  const actor = { userId: "usr_1", name: "ada@example.org" };
  const byAda = { ...reference, actor };
  await updateSite(world.node, byAda, {
    name: "Store",
    thresholds: { challenge: 0.2, block: 0.6 },
  });
  const rotated = await rotateSecret(world.node, byAda);
  await revokeReplacedSecrets(world.node, byAda);
  await deleteSite(world.node, byAda);
  const restored = await restoreSite(world.node, byAda);
  const entries = await world.store.auditLog.list(ACCOUNT_ID, { limit: 10 });
  assert.deepEqual(
    entries.map(({ action, subject, changes }) => [action, subject, changes.length]).reverse(),
    [
      ["site_created", "Shop", 0],
      ["site_updated", "Store", 2],
      ["secret_rotated", "Store", 0],
      ["secrets_revoked", "Store", 0],
      ["site_deleted", "Store", 0],
      ["site_restored", "Store", 0],
    ],
  );
  const updated = entries.find(({ action }) => action === "site_updated");
  assert.deepEqual(
    [updated?.actor, updated?.siteKey, updated?.atMs],
    [actor, site.siteKey, NOON_MS],
  );
  assert.deepEqual(updated?.changes, [
    {
      field: "thresholds",
      before: { challenge: 0.3, block: 0.6 },
      after: { challenge: 0.2, block: 0.6 },
    },
    { field: "name", before: "Shop", after: "Store" },
  ]);
  assert.ok(rotated.kind === "rotated" && restored.kind === "restored");
  const text = JSON.stringify(entries);
  for (const { digest } of [...rotated.site.secretKeys, ...restored.site.secretKeys])
    assert.ok(!text.includes(digest));
  for (const { secretKey } of [rotated, restored]) assert.ok(!text.includes(secretKey));
});

test("a refused change writes no audit entry", async () => {
  const { world, reference } = await shop();
  await updateSite(world.node, reference, { name: "" });
  await updateSite(world.node, reference, { name: "New" }, { expectedRevision: 7 });
  await restoreSite(world.node, reference);
  await deleteSite(world.node, { ...reference, accountId: "acc_other" });
  const entries = await world.store.auditLog.list(ACCOUNT_ID, { limit: 10 });
  assert.deepEqual(
    entries.map(({ action }) => action),
    ["site_created"],
  );
});

test("an empty change writes no audit entry and no new revision", async () => {
  const { world, site, reference } = await shop();
  const { block, challenge } = site.thresholds;
  for (const change of [
    {},
    { name: ` ${site.name} `, domains: [...site.domains, ...site.domains] },
    {
      mode: site.mode,
      isEnabled: site.isEnabled,
      contact: site.contact,
      thresholds: { block, challenge },
    },
  ]) {
    assert.deepEqual(
      await updateSite(world.node, reference, change),
      { kind: "updated", site },
      JSON.stringify(change),
    );
  }
  assert.equal(await revokeReplacedSecrets(world.node, reference), "revoked");
  assert.deepEqual(await world.store.sites.findSite(site.siteKey), site);
  const entries = await world.store.auditLog.list(ACCOUNT_ID, { limit: 10 });
  assert.deepEqual(
    entries.map(({ action }) => action),
    ["site_created"],
  );
});

test("Update Site changes only the site that its caller saw", async () => {
  const { world, reference } = await shop();
  assert.equal(
    (await updateSite(world.node, reference, { theme: "dark" }, { expectedRevision: 1 })).kind,
    "updated",
  );
  assert.equal(
    (await updateSite(world.node, reference, { theme: "light" }, { expectedRevision: 1 })).kind,
    "conflict",
  );
  assert.equal(
    (await updateSite(world.node, reference, { theme: "light" }, { expectedRevision: 2 })).kind,
    "updated",
  );
});
