import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTION_PATTERN, scoreRequestSchema, tokenVerifyRequestSchema, verifyRequestSchema } from "./requests.ts";

test("token/verify takes an empty object, nulls and unknown fields (D2)", () => {
  for (const body of [{}, { token: null, remoteip: null, idempotency_key: null }, { anything: { at: ["all"] } }]) {
    assert.equal(tokenVerifyRequestSchema.safeParse(body).success, true, JSON.stringify(body));
  }
});

test("token/verify takes a token of any type, since that is a verdict and no broken call (D1, D2)", () => {
  for (const token of ["", 7, [], {}, true, "x".repeat(16_000)]) {
    assert.equal(tokenVerifyRequestSchema.safeParse({ token }).success, true, JSON.stringify(token).slice(0, 40));
  }
});

test("token/verify leaves an address that is none to the binding, however long a visitor made it (D1, D5)", () => {
  for (const field of ["remoteip", "ip", "clientIP", "client_ip"]) {
    for (const text of ["", "garbage", "1.2.3.4, 5.6.7.8", "9".repeat(15_000)]) {
      assert.equal(tokenVerifyRequestSchema.safeParse({ [field]: text }).success, true, field);
    }
    assert.equal(tokenVerifyRequestSchema.safeParse({ [field]: 7 }).success, false, field);
  }
});

test("token/verify takes idempotency keys of 16 to 64 characters (D2)", () => {
  const accepts = (length: number): boolean =>
    tokenVerifyRequestSchema.safeParse({ idempotency_key: "k".repeat(length) }).success;
  assert.deepEqual([15, 16, 64, 65].map(accepts), [false, true, true, false]);
});

test("score takes an empty object, and headers of any type, which are dropped later (D7)", () => {
  assert.equal(scoreRequestSchema.safeParse({}).success, true);
  assert.equal(scoreRequestSchema.safeParse({ headers: { accept: 7, cookie: ["a"] }, token: 7 }).success, true);
  for (const body of [{ headers: [] }, { headers: "accept" }, { signals: 7 }, { action: "a".repeat(65) }]) {
    assert.equal(scoreRequestSchema.safeParse(body).success, false, JSON.stringify(body));
  }
});

test("verify requires site key, challenge and solution (D9)", () => {
  const body = { site_key: "pk_", challenge: "c", solution: "s" };
  assert.equal(verifyRequestSchema.safeParse(body).success, true);
  for (const field of Object.keys(body)) {
    assert.equal(verifyRequestSchema.safeParse({ ...body, [field]: undefined }).success, false, field);
    assert.equal(verifyRequestSchema.safeParse({ ...body, [field]: 7 }).success, false, field);
  }
});

test("an action name is 1 to 64 characters of A-Z a-z 0-9 _ . / - (D4)", () => {
  for (const name of ["a", "login", "shop/check-out.v2_1", "x".repeat(64)]) assert.match(name, ACTION_PATTERN);
  for (const name of ["", "x".repeat(65), "log in", "lögin", "a\n", "a<b"]) assert.doesNotMatch(name, ACTION_PATTERN);
});
