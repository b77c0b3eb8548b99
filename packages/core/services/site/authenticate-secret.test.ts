import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createWorld, referenceTo, type World, type WorldNode } from "@stile/testkit/world/world";
import { createSecretKey } from "../../domain/site/create-keys.ts";
import { parseIpAddress } from "../../domain/visitor/ip-address.ts";
import { deleteSite } from "../../use-cases/site/delete-site.ts";
import { restoreSite } from "../../use-cases/site/restore-site.ts";
import { revokeReplacedSecrets } from "../../use-cases/site/revoke-replaced-secrets.ts";
import { rotateSecret } from "../../use-cases/site/rotate-secret.ts";
import { authenticateSecret } from "./authenticate-secret.ts";
import type { SiteReference } from "./own-site.ts";

const DAY_MS = 86_400_000;
const HOME = "203.0.113.1";

async function shop() {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  return { world, site, secretKey, reference: referenceTo(site) };
}

async function authenticate(
  node: WorldNode,
  secretKey: string | undefined,
  ip = HOME,
): Promise<string> {
  return (await authenticateSecret(node, { secretKey, address: parseIpAddress(ip) })).kind;
}

async function rotated(world: World, reference: SiteReference): Promise<string> {
  const answer = await rotateSecret(world.node, reference);
  assert.ok(answer.kind === "rotated");
  return answer.secretKey;
}

test("finds the site of its secret, and distinguishes a missing secret from a wrong one (spec 5; D2, redemption)", async () => {
  const { world, site, secretKey } = await shop();
  const answer = await authenticateSecret(world.node, { secretKey, address: undefined });
  assert.ok(answer.kind === "site");
  assert.equal(answer.site.siteKey, site.siteKey);
  assert.equal(await authenticate(world.node, undefined), "missing_secret");
  const foreign = createSecretKey((length) => randomBytes(length));
  for (const wrong of ["", "x", site.siteKey, `${secretKey} `, secretKey.slice(0, -1), foreign]) {
    assert.equal(await authenticate(world.node, wrong), "invalid_secret", wrong);
  }
});

test("60 wrong secrets a minute from one address get 401 and the next 429; others are unaffected (D2, redemption)", async () => {
  const { world, secretKey } = await shop();
  for (let i = 0; i < 60; i++)
    assert.equal(await authenticate(world.node, "wrong"), "invalid_secret");
  assert.equal(await authenticate(world.node, "wrong"), "caller_limited");
  assert.equal(await authenticate(world.node, "wrong", "203.0.113.2"), "invalid_secret");
  assert.equal(
    await authenticate(world.node, secretKey),
    "site",
    "the right secret works from the same address",
  );
  world.clock.advance(120_000);
  assert.equal(await authenticate(world.node, "wrong"), "invalid_secret");
});

test("an IPv6 client is one client with its whole /64 (D10, limits)", async () => {
  const { world } = await shop();
  for (let i = 0; i < 60; i++)
    await authenticate(world.node, "wrong", `2001:db8::${i.toString(16)}`);
  assert.equal(await authenticate(world.node, "wrong", "2001:db8::ffff"), "caller_limited");
  assert.equal(await authenticate(world.node, "wrong", "2001:db8:0:1::1"), "invalid_secret");
});

test("a missing secret does not count as a wrong one, and never limits an address (D2, redemption)", async () => {
  const { world } = await shop();
  for (let i = 0; i < 70; i++)
    assert.equal(await authenticate(world.node, undefined), "missing_secret");
  assert.equal(await authenticate(world.node, "wrong"), "invalid_secret");
});

test("after a rotation the former secret works at 23:59:59.999 and not at 24:00:00.000 (spec 5.3; D12, states)", async () => {
  const { world, secretKey, reference } = await shop();
  const rotatedAtMs = world.clock.nowMs();
  const fresh = await rotated(world, reference);
  world.clock.setTo(rotatedAtMs + DAY_MS - 1);
  assert.equal(await authenticate(world.node, secretKey), "site");
  assert.equal(await authenticate(world.node, fresh), "site");
  world.clock.setTo(rotatedAtMs + DAY_MS);
  assert.equal(await authenticate(world.node, secretKey), "invalid_secret");
  assert.equal(await authenticate(world.node, fresh), "site");
});

test("revoke now ends the grace at once (D12, states)", async () => {
  const { world, secretKey, reference } = await shop();
  const fresh = await rotated(world, reference);
  assert.equal(await authenticate(world.node, secretKey), "site");
  assert.equal(await revokeReplacedSecrets(world.node, reference), "revoked");
  assert.equal(await authenticate(world.node, secretKey), "invalid_secret");
  assert.equal(await authenticate(world.node, fresh), "site");
});

test("deleting kills every secret at once; restoring brings a new one and leaves the old ones dead (D12, states)", async () => {
  const { world, secretKey, reference } = await shop();
  const second = await rotated(world, reference);
  assert.equal(await deleteSite(world.node, reference), "deleted");
  assert.equal(await authenticate(world.node, secretKey), "invalid_secret");
  assert.equal(await authenticate(world.node, second), "invalid_secret");
  const restored = await restoreSite(world.node, reference);
  assert.ok(restored.kind === "restored");
  assert.equal(await authenticate(world.node, restored.secretKey), "site");
  assert.equal(await authenticate(world.node, secretKey), "invalid_secret");
  assert.equal(await authenticate(world.node, second), "invalid_secret");
});

test("a revoked secret spends no token on another node either, even if its caches still hold it (D3, single use)", async () => {
  const { world, site, secretKey, reference } = await shop();
  const [a, b] = [world.node, await world.createNode()];
  const spare = world.mint(site);
  assert.equal((await world.redeem(secretKey, { token: world.mint(site) }, b)).kind, "verified");
  await rotated(world, reference);
  await revokeReplacedSecrets(a, reference);
  assert.equal(await authenticate(b, secretKey), "site", "b has not heard of it yet");
  assert.equal((await world.redeem(secretKey, { token: spare }, b)).kind, "invalid_secret");
});

test("a deleted or disabled site redeems nothing on another node, even if its caches still hold it (D3, single use; D12, states)", async () => {
  const { world, site, secretKey, reference } = await shop();
  const b = await world.createNode();
  const spare = world.mint(site);
  assert.equal((await world.redeem(secretKey, { token: world.mint(site) }, b)).kind, "verified");
  await deleteSite(world.node, reference);
  assert.equal((await world.redeem(secretKey, { token: spare }, b)).kind, "invalid_secret");
});
