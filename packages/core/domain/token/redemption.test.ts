import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_SETTINGS } from "../site/site-settings.ts";
import {
  findRefusal,
  isExpired,
  type RedemptionCase,
  recommendForToken,
  retainSpentUntilMs,
} from "./redemption.ts";

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
    isScriptless: false,
  },
  doesTokenSiteExist: true,
  hasExpired: false,
  hasIdempotencyKey: false,
  nowMs: 0,
  differences: [],
};
const FOREIGN: RedemptionCase = { ...OWN, token: { ...OWN.token, siteKey: OTHER_KEY } };
const disabled = (candidate: RedemptionCase): RedemptionCase => ({
  ...candidate,
  site: { ...candidate.site, isEnabled: false },
});

test("a token lives exactly while now < expiry, and not under a retired key (spec 2.5; D3, single use)", () => {
  assert.equal(isExpired(OWN.token, false, 299_999), false);
  assert.equal(isExpired(OWN.token, false, 300_000), true);
  assert.equal(isExpired(OWN.token, true, 0), true);
});

const reason = (candidate: RedemptionCase) => findRefusal(candidate)?.reasonCode;

test("checks in the order of D2 (redemption): site exists, site key matches, site enabled, expiry, binding", () => {
  const expired: RedemptionCase = { ...OWN, hasExpired: true, differences: ["address"] };
  assert.equal(reason(OWN), undefined);
  assert.equal(reason({ ...OWN, claimedSiteKey: SITE_KEY }), undefined);
  assert.equal(reason({ ...disabled(FOREIGN), doesTokenSiteExist: false }), "invalid_site_key");
  assert.equal(reason(disabled(FOREIGN)), "site_key_mismatch");
  assert.equal(reason({ ...disabled(OWN), claimedSiteKey: OTHER_KEY }), "site_key_mismatch");
  assert.equal(reason({ ...OWN, claimedSiteKey: "" }), "site_key_mismatch");
  assert.equal(reason(disabled(expired)), "site_disabled");
  assert.equal(reason(expired), "token_expired");
  assert.equal(reason({ ...expired, hasExpired: false }), "binding_mismatch");
});

test("leaves an expired token to the ledger only if the call may be the one that spent it (D2, redemption)", () => {
  const untilMs = retainSpentUntilMs(OWN.token);
  assert.equal(untilMs, 360_000);
  const mayRepeat: RedemptionCase = {
    ...OWN,
    hasExpired: true,
    hasIdempotencyKey: true,
    nowMs: untilMs - 1,
  };
  assert.equal(reason(mayRepeat), undefined);
  assert.equal(reason({ ...mayRepeat, nowMs: untilMs }), "token_expired");
  assert.equal(reason({ ...mayRepeat, hasIdempotencyKey: false }), "token_expired");
  assert.equal(reason({ ...mayRepeat, differences: ["address"] }), "token_expired");
});

test("returns score 1 if no part of the token is authentic, and else the token's score (D2, redemption)", () => {
  assert.equal(findRefusal(FOREIGN)?.score, 1);
  assert.equal(findRefusal(disabled(OWN))?.score, 1);
  assert.equal(findRefusal({ ...OWN, hasExpired: true })?.score, 0.05);
  const mismatch = findRefusal({ ...OWN, differences: ["address"] });
  assert.deepEqual(mismatch, { kind: "refused", reasonCode: "binding_mismatch", score: 0.05 });
});

test("another family alone refuses nothing, unless the site requires one family (D5, binding)", () => {
  const candidate = { ...OWN, differences: ["address_family"] } as const;
  assert.equal(findRefusal(candidate), undefined);
  const site = { ...OWN.site, binding: "strict_family" } as const;
  assert.equal(findRefusal({ ...candidate, site })?.reasonCode, "binding_mismatch");
});

test("recommends to allow a token below the block threshold in modes that ask for a press (D6, scores)", () => {
  for (const mode of ["managed", "interactive"] as const) {
    const recommendations = [0.29, 0.3, 0.59, 0.6].map((score) =>
      recommendForToken({ mode }, score, OWN.site),
    );
    assert.deepEqual(recommendations, ["allow", "allow", "allow", "block"], mode);
  }
});

test("recommends a challenge for a doubtful token in modes that cannot ask (D6, scores)", () => {
  for (const mode of ["invisible", "non_interactive"] as const) {
    const recommendations = [0.29, 0.3, 0.59, 0.6].map((score) =>
      recommendForToken({ mode }, score, OWN.site),
    );
    assert.deepEqual(recommendations, ["allow", "challenge", "challenge", "block"], mode);
  }
});
