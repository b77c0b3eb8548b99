import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { API_ERROR_CODES } from "../api-error-codes.ts";
import { REASON_CODES } from "../reason-codes.ts";
import { INTERACTIONS, RECOMMENDATIONS, SITE_MODES, THEMES } from "../site-settings.ts";
import { VERIFY_ERROR_CODES } from "../verify-error-codes.ts";
import {
  challengeAnswerSchema,
  errorAnswerSchema,
  scoreAnswerSchema,
  tokenVerifyAnswerSchema,
  verifyAnswerSchema,
} from "./answers.ts";

const TIME = "2026-06-03T12:00:00.000Z";
const ERROR = { code: "rate_limited", message: "Wait for 12 seconds.", request_id: "r" };
const PASSED = {
  verified: true,
  score: 0.05,
  hostname: "shop.example",
  timestamp: TIME,
  challenge_ts: TIME,
};
const CHALLENGE = {
  challenge: "QUJD",
  algorithm: 1,
  k: 16,
  difficulty: 131_072,
  expires_at: TIME,
  mode: "managed",
  theme: "auto",
  language: "auto",
  interaction: "none",
};

const accepts = (schema: z.ZodType, answer: unknown): boolean => schema.safeParse(answer).success;
const redeemed = (data: object, more: object = {}) =>
  accepts(tokenVerifyAnswerSchema, { success: true, data: { ...PASSED, ...data }, ...more });
const issued = (data: object) =>
  accepts(challengeAnswerSchema, { success: true, data: { ...CHALLENGE, ...data } });
const submitted = (data: object) => accepts(verifyAnswerSchema, { success: true, data });

test("accepts a redemption with the token's action and cdata, and its reason in both places (spec 2.1; D2, redemption)", () => {
  assert.ok(redeemed({ action: "login", cdata: "order 7" }));
  for (const reasonCode of Object.keys(REASON_CODES))
    assert.ok(redeemed({ reasonCode }, { reasonCode }), reasonCode);
  assert.ok(redeemed({ error_codes: Object.keys(VERIFY_ERROR_CODES) }));
  assert.ok(redeemed({ verified: false, error_codes: [] }, { success: false, error: ERROR }));
});

test("refuses a redemption without verdict or score, or with an unknown code (spec 2.1, 7.2)", () => {
  const broken = [
    { verified: undefined },
    { verified: "true" },
    { score: undefined },
    { score: "0.05" },
    { score: -0.01 },
    { score: 1.01 },
    { score: Number.NaN },
    { error_codes: ["timeout"] },
    { error_codes: "bad-request" },
    { reasonCode: "constructor" },
    { timestamp: "yesterday" },
    { timestamp: "2026-06-03T12:00:00+02:00" },
    { challenge_ts: 1_780_000_000 },
  ];
  for (const data of broken) assert.ok(!redeemed(data), JSON.stringify(data));
  assert.ok(!redeemed({}, { success: "true" }));
  assert.ok(!redeemed({}, { error: { ...ERROR, code: "oops" } }));
});

test("accepts a score of 0 to 1 with one of three recommendations, and new flags (spec 2.2, 9.2)", () => {
  const scored = (data: object) =>
    accepts(scoreAnswerSchema, {
      success: true,
      data: { score: 0.3, flags: ["low_evidence"], action: "challenge", ...data },
    });
  for (const action of RECOMMENDATIONS)
    assert.ok(scored({ action, score: 0 }) && scored({ action, score: 1 }), action);
  assert.ok(scored({ flags: [] }) && scored({ flags: ["a_flag_of_tomorrow"] }));
  for (const data of [
    { action: "deny" },
    { action: undefined },
    { score: 1.001 },
    { flags: "x" },
    { flags: [7] },
  ]) {
    assert.ok(!scored(data), JSON.stringify(data));
  }
  assert.ok(
    !accepts(scoreAnswerSchema, {
      success: false,
      data: { score: 0.3, flags: [], action: "allow" },
    }),
  );
});

test("requires each field of a challenge, with the words of the settings (D8, challenge; D13, formats)", () => {
  for (const mode of Object.keys(SITE_MODES)) assert.ok(issued({ mode }), mode);
  for (const theme of THEMES) assert.ok(issued({ theme }), theme);
  for (const interaction of INTERACTIONS) assert.ok(issued({ interaction }), interaction);
  for (const field of Object.keys(CHALLENGE)) assert.ok(!issued({ [field]: undefined }), field);
  for (const data of [
    { k: 16.5 },
    { difficulty: "131072" },
    { mode: "quiet" },
    { expires_at: "soon" },
  ]) {
    assert.ok(!issued(data), JSON.stringify(data));
  }
});

test("accepts a submission's token, or one of three next steps with the fields that each needs (D9, submission)", () => {
  assert.ok(submitted({ verified: true, token: "t", expires_at: TIME }));
  assert.ok(
    submitted({
      verified: false,
      next: "interact",
      challenge: { ...CHALLENGE, interaction: "click" },
    }),
  );
  const broken = [
    { verified: true, token: "t" },
    { verified: true, next: "retry", error_codes: ["invalid_token"] },
    { verified: false, token: "t", expires_at: TIME },
    { verified: false, next: "retry" },
    { verified: false, next: "retry", error_codes: ["timeout-or-duplicate"] },
    { verified: false, next: "interact", challenge: "QUJD" },
    { verified: false, next: "blocked" },
  ];
  for (const data of broken) assert.ok(!submitted(data), JSON.stringify(data));
});

test("removes all parts of a score from a submission's answer, so that the browser learns none (D9, submission)", () => {
  const answer = {
    success: true,
    data: { verified: true, token: "t", expires_at: TIME, score: 0.9, flags: ["x"] },
  };
  assert.deepEqual(verifyAnswerSchema.parse(answer).data, {
    verified: true,
    token: "t",
    expires_at: TIME,
  });
});

test("requires of an error a code of the vocabulary, words and a request id, and no data (D11, errors)", () => {
  const failed = (error: object, more: object = {}) =>
    accepts(errorAnswerSchema, {
      success: false,
      data: {},
      error: { ...ERROR, ...error },
      ...more,
    });
  for (const code of Object.keys(API_ERROR_CODES)) assert.ok(failed({ code }), code);
  for (const field of Object.keys(ERROR)) assert.ok(!failed({ [field]: undefined }), field);
  assert.ok(!failed({ code: "toString" }));
  assert.ok(!failed({}, { success: true }));
  assert.ok(!failed({}, { data: undefined }));
});
