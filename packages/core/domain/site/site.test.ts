import assert from "node:assert/strict";
import { test } from "node:test";
import type { SecretKeyRecord } from "./secret-key.ts";
import {
  asDeleted,
  asRestored,
  hasLiveSecret,
  type Site,
  withoutReplacedSecrets,
  withRotatedSecret,
  withSettings,
} from "./site.ts";
import { DEFAULT_SETTINGS } from "./site-settings.ts";

const DAY_MS = 86_400_000;

function secret(
  digest: string,
  createdAtMs: number,
  replacedAtMs: number | null = null,
): SecretKeyRecord {
  return { digest, lastFour: digest, createdAtMs, replacedAtMs };
}

const SITE: Site = {
  ...DEFAULT_SETTINGS,
  name: "Shop",
  domains: ["example.org"],
  siteKey: "pk_0123456789ABCDEFabcdef",
  accountId: "acc",
  createdAtMs: 0,
  deletedAtMs: null,
  secretKeys: [secret("first", 0)],
  revision: 1,
};

const liveAt = (site: Site, nowMs: number): string[] =>
  ["first", "second", "third"].filter((digest) => hasLiveSecret(site, digest, nowMs));

test("a rotation leaves the new key active and the former one in its own 24 h of grace (D12, states)", () => {
  const rotated = withRotatedSecret(SITE, secret("second", 1000), 1000);
  assert.deepEqual(liveAt(rotated, 1000 + DAY_MS - 1), ["first", "second"]);
  assert.deepEqual(liveAt(rotated, 1000 + DAY_MS), ["second"]);
  assert.equal(rotated.revision, 2);
  assert.deepEqual(liveAt(SITE, 1000), ["first"], "the original site is unchanged");
});

test("a second rotation neither shortens nor prolongs the grace of the first key (D12, states)", () => {
  const once = withRotatedSecret(SITE, secret("second", 1000), 1000);
  const twice = withRotatedSecret(once, secret("third", 5000), 5000);
  assert.deepEqual(liveAt(twice, 1000 + DAY_MS - 1), ["first", "second", "third"]);
  assert.deepEqual(liveAt(twice, 1000 + DAY_MS), ["second", "third"]);
  assert.deepEqual(liveAt(twice, 5000 + DAY_MS), ["third"]);
});

test("a rotation drops dead keys, so that they do not pile up", () => {
  const once = withRotatedSecret(SITE, secret("second", 1000), 1000);
  const later = withRotatedSecret(once, secret("third", 1000 + DAY_MS), 1000 + DAY_MS);
  assert.deepEqual(
    later.secretKeys.map((key) => key.digest),
    ["second", "third"],
  );
});

test("revoke now ends every grace at once and keeps the current key (D12, states)", () => {
  const twice = withRotatedSecret(
    withRotatedSecret(SITE, secret("second", 1), 1),
    secret("third", 2),
    2,
  );
  assert.deepEqual(liveAt(withoutReplacedSecrets(twice), 3), ["third"]);
});

test("deleting a site kills all its keys at once, and restoring brings only the new one (D12, states)", () => {
  const deleted = asDeleted(withRotatedSecret(SITE, secret("second", 1000), 1000), 2000);
  assert.deepEqual(liveAt(deleted, 2000), []);
  assert.deepEqual([deleted.deletedAtMs, deleted.secretKeys, deleted.revision], [2000, [], 3]);
  const restored = asRestored(deleted, secret("third", 3000));
  assert.deepEqual(liveAt(restored, 3000), ["third"]);
  assert.deepEqual([restored.deletedAtMs, restored.revision], [null, 4]);
});

test("no key of a deleted site authenticates, even if one were left (D12, states)", () => {
  assert.equal(hasLiveSecret({ ...SITE, deletedAtMs: 5 }, "first", 5), false);
});

test("every change makes a new revision, which spending compares (D3, single use)", () => {
  const changed = withSettings(SITE, { isEnabled: false });
  assert.deepEqual(
    [changed.isEnabled, changed.revision, changed.siteKey],
    [false, 2, SITE.siteKey],
  );
  assert.deepEqual(SITE.isEnabled, true);
});
