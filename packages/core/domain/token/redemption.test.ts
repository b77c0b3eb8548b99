import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_SETTINGS } from "../site/site-settings.ts";
import { findBindingRefusal, findForeignRefusal, isExpired, type RedemptionCase } from "./redemption.ts";

const SITE_KEY = "pk_0123456789ABCDEFabcdef";
const OTHER_KEY = "pk_ABCDEF0123456789abcdef";

const OWN: RedemptionCase = {
  site: {
    ...DEFAULT_SETTINGS,
    name: "Shop",
    domains: ["example.org"],
    siteKey: SITE_KEY,
    accountId: "acc",
    createdAtMs: 0,
    deletedAtMs: null,
    secretKeys: [],
    revision: 1,
  },
  claimedSiteKey: undefined,
  token: {
    siteKey: SITE_KEY,
    mode: "managed",
    expiresAtMs: 300_000,
    challengeAtMs: 0,
    score: 0.05,
    addressFamily: 4,
    prefixDigest: new Uint8Array(8),
    userAgentDigest: new Uint8Array(8),
    actionName: undefined,
    cdata: undefined,
    hostname: "example.org",
  },
  doesTokenSiteExist: true,
  nowMs: 0,
  differences: [],
};
const FOREIGN: RedemptionCase = { ...OWN, token: { ...OWN.token, siteKey: OTHER_KEY } };
const disabled = (candidate: RedemptionCase): RedemptionCase => ({
  ...candidate,
  site: { ...candidate.site, isEnabled: false },
});

test("a token lives exactly while now < expiry (spec 2.5)", () => {
  assert.equal(isExpired(OWN.token, 299_999), false);
  assert.equal(isExpired(OWN.token, 300_000), true);
});

test("judges in the order of D2: site exists, site key matches, site enabled", () => {
  const reason = (candidate: RedemptionCase) => findForeignRefusal(candidate)?.reasonCode;
  assert.equal(reason(OWN), undefined);
  assert.equal(reason({ ...OWN, claimedSiteKey: SITE_KEY }), undefined);
  assert.equal(reason({ ...disabled(FOREIGN), doesTokenSiteExist: false }), "invalid_site_key");
  assert.equal(reason(disabled(FOREIGN)), "site_key_mismatch");
  assert.equal(reason({ ...disabled(OWN), claimedSiteKey: OTHER_KEY }), "site_key_mismatch");
  assert.equal(reason({ ...OWN, claimedSiteKey: "" }), "site_key_mismatch");
  assert.equal(reason(disabled(OWN)), "site_disabled");
});

test("says score 1 where nothing of the token can be believed, and the token's score for a mismatch (D2)", () => {
  assert.equal(findForeignRefusal(FOREIGN)?.score, 1);
  assert.equal(findForeignRefusal(disabled(OWN))?.score, 1);
  const mismatch = findBindingRefusal({ ...OWN, differences: ["address"] });
  assert.deepEqual(mismatch, { kind: "refused", reasonCode: "binding_mismatch", score: 0.05 });
});

test("another family alone refuses nothing, unless the site asks for one family (D5)", () => {
  const candidate = { ...OWN, differences: ["address_family"] } as const;
  assert.equal(findBindingRefusal(candidate), undefined);
  const site = { ...OWN.site, binding: "strict_family" } as const;
  assert.equal(findBindingRefusal({ ...candidate, site })?.reasonCode, "binding_mismatch");
});
