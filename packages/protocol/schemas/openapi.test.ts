import assert from "node:assert/strict";
import { test } from "node:test";
import { REASON_CODES } from "../reason-codes.ts";
import { tokenVerifyAnswerSchema, verifyAnswerSchema } from "./answers.ts";
import { createOpenApi, OPERATIONS } from "./openapi.ts";

test("describes the four public endpoints of spec 4 and nothing else: site management is no public interface", () => {
  const { paths } = createOpenApi();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(operations, [
    "POST /api/v1/token/verify",
    "POST /api/v1/score",
    "GET /api/v1/pow/challenge",
    "POST /api/v1/verify",
  ]);
});

test("asks for the secret key on token/verify and score only (spec 5; D7, score request; D8, challenge)", () => {
  const secret = OPERATIONS.filter((operation) => operation.isSecret).map(
    (operation) => operation.path,
  );
  assert.deepEqual(secret, ["/api/v1/token/verify", "/api/v1/score"]);
});

test("can be written as JSON and contains every reason code of spec 7.3", () => {
  const text = JSON.stringify(createOpenApi());
  for (const code of Object.keys(REASON_CODES)) assert.ok(text.includes(`"${code}"`), code);
});

test("accepts a passed and a refused verification as in spec 4.1, and no foreign reason code", () => {
  const data = {
    verified: false,
    score: 1,
    error_codes: ["timeout-or-duplicate"],
    reasonCode: "token_expired",
  };
  assert.equal(
    tokenVerifyAnswerSchema.safeParse({ success: true, data, reasonCode: "token_expired" }).success,
    true,
  );
  assert.equal(
    tokenVerifyAnswerSchema.safeParse({ success: true, data: { ...data, score: 1.01 } }).success,
    false,
  );
  assert.equal(
    tokenVerifyAnswerSchema.safeParse({ success: true, data, reasonCode: "expired" }).success,
    false,
  );
});

test("requires of a verify answer without a token one of the three next steps of D9 (submission)", () => {
  const accepts = (data: object): boolean =>
    verifyAnswerSchema.safeParse({ success: true, data }).success;
  assert.equal(accepts({ verified: false, next: "retry", error_codes: ["invalid_token"] }), true);
  assert.equal(accepts({ verified: false, next: "blocked", request_id: "r" }), true);
  assert.equal(accepts({ verified: false, next: "interact" }), false);
  assert.equal(accepts({ verified: false, next: "again" }), false);
  assert.equal(accepts({ verified: true, expires_at: "2026-01-01T00:00:00.000Z" }), false);
});
