import assert from "node:assert/strict";
import { test } from "node:test";
import { API_ERROR_CODES } from "./api-error-codes.ts";
import { isRiskHeader } from "./headers.ts";
import * as limits from "./limits.ts";
import { REASON_CODES } from "./reason-codes.ts";
import { RISK_FLAGS } from "./risk-flags.ts";
import { RISK_GROUPS } from "./risk-groups.ts";
import { BINDINGS, RECOMMENDATIONS, SITE_MODES, THEMES } from "./site-settings.ts";
import { VERIFY_ERROR_CODES } from "./verify-error-codes.ts";

test("knows exactly the reason codes of spec 7.3, each with the error codes of D2 (redemption)", () => {
  const table = Object.fromEntries(
    Object.entries(REASON_CODES).map(([code, reason]) => [code, reason.errorCodes]),
  );
  assert.deepEqual(table, {
    missing_token: ["missing-input-response"],
    invalid_signature: ["invalid-input-response"],
    token_expired: ["timeout-or-duplicate"],
    token_already_used: ["timeout-or-duplicate"],
    invalid_site_key: ["invalid-input-response"],
    invalid_secret: ["invalid-input-secret"],
    site_key_mismatch: ["invalid-input-response"],
    site_disabled: ["invalid-input-secret"],
    binding_mismatch: ["invalid-input-response"],
    internal_error: [],
  });
});

test("gives every reason code the meaning of spec 7.3", () => {
  assert.deepEqual(
    Object.values(REASON_CODES).map((reason) => reason.meaning),
    [
      "No token was supplied.",
      "Token signature did not verify.",
      "Token is past its expiry time.",
      "Single-use token already redeemed.",
      "Site key not recognized.",
      "Secret key did not match the site.",
      "Token was issued for a different site key.",
      "The site is disabled.",
      "Token binding (IP / user agent) did not match.",
      "Server-side error during verification.",
    ],
  );
});

test("knows exactly the error_codes of spec 7.2, with their meanings", () => {
  assert.deepEqual(VERIFY_ERROR_CODES, {
    "missing-input-secret": "Secret key not provided.",
    "invalid-input-secret": "Secret key is invalid.",
    "missing-input-response": "Token not provided.",
    "invalid-input-response": "Token is invalid or malformed.",
    "timeout-or-duplicate": "Token expired or already used.",
    "bad-request": "Request was malformed.",
  });
});

test("knows exactly the codes of spec 7.1 and D11 (errors), each under the status of D8 (challenge) and D11", () => {
  const table = Object.fromEntries(
    Object.entries(API_ERROR_CODES).map(([code, error]) => [code, error.status]),
  );
  assert.deepEqual(table, {
    invalid_token: 200,
    invalid_site_key: 404,
    domain_mismatch: 403,
    rate_limited: 429,
    internal_error: 500,
    missing_secret: 401,
    invalid_secret: 401,
    site_disabled: 403,
    bad_request: 400,
    not_found: 404,
    method_not_allowed: 405,
    unsupported_media_type: 415,
    payload_too_large: 413,
  });
});

test("publishes the limits of spec 8 and the numbers of the contract's second part", () => {
  assert.deepEqual(limits.RATE_LIMITS, {
    verify: { perMinute: 1000, scope: "site" },
    score: { perMinute: 500, scope: "site" },
    challenge: { perMinute: 100, scope: "account" },
    challengeTotal: { perMinute: 10_000, scope: "account" },
    wrongSecret: { perMinute: 60, scope: "address" },
    delay: { perMinute: 5, scope: "network" },
    delayBusy: { perMinute: 2, scope: "network" },
    delayTotal: { perMinute: 60, scope: "site" },
  });
  const { tokenVerify, score, verify } = limits.BODY_LIMITS;
  assert.deepEqual(
    [tokenVerify.bytes, score.bytes, verify.bytes],
    [16 * 1024, 64 * 1024, 64 * 1024],
  );
  const { tokenAccepted, tokenIssued, actionName, cdata, hostname } = limits.TEXT_LIMITS;
  assert.deepEqual(
    [tokenAccepted, tokenIssued, actionName, cdata, hostname],
    [2048, 1024, 64, 255, 253],
  );
  assert.deepEqual(
    [limits.TEXT_LIMITS.idempotencyKeyMin, limits.TEXT_LIMITS.idempotencyKeyMax],
    [16, 64],
  );
  assert.deepEqual(limits.TOKEN_LIFE_SECONDS, { default: 300, min: 30, max: 900 });
  assert.deepEqual(limits.DEFAULT_THRESHOLDS, { challenge: 0.3, block: 0.6 });
  assert.deepEqual(
    [limits.GRACE_SECONDS, limits.REPEAT_SECONDS, limits.RESTORE_DAYS],
    [24 * 3600, 60, 7],
  );
  assert.equal(limits.JSON_DEPTH_LIMIT, 8);
  assert.deepEqual(limits.DELAY_SECONDS, { wait: 30, life: 600, tokenLife: 300 });
});

test("offers exactly the settings of D13 (formats) and D5 (binding), and the recommendations of spec 2.2", () => {
  assert.deepEqual(Object.keys(SITE_MODES), [
    "managed",
    "non_interactive",
    "invisible",
    "interactive",
  ]);
  assert.deepEqual(THEMES, ["auto", "light", "dark", "contrast"]);
  assert.deepEqual(Object.keys(BINDINGS), ["strict_family", "strict", "flag", "off"]);
  assert.deepEqual(RECOMMENDATIONS, ["allow", "challenge", "block"]);
});

test("every risk flag is in snake case, of a known group, and describes its meaning in a sentence (spec 2.2)", () => {
  for (const [name, { group, label }] of Object.entries(RISK_FLAGS)) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(RISK_GROUPS.includes(group), name);
    assert.match(label, /^[A-Z].*\.$/, name);
  }
});

test("lets the score use accept*, sec-ch-ua*, sec-fetch-* and user-agent, and no other header (D7, score request)", () => {
  const seen = [
    "accept",
    "accept-language",
    "sec-ch-ua",
    "sec-ch-ua-mobile",
    "sec-fetch-site",
    "user-agent",
  ];
  assert.deepEqual(seen.filter(isRiskHeader), seen);
  const unseen = [
    "cookie",
    "authorization",
    "x-forwarded-for",
    "user-agent-x",
    "x-accept",
    "sec-gpc",
    "referer",
    "",
  ];
  assert.deepEqual(unseen.filter(isRiskHeader), []);
});
