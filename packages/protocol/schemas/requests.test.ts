import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { SIGNALS_BYTES_LIMIT } from "../limits.ts";
import {
  ACTION_PATTERN,
  challengeQuerySchema,
  scoreRequestSchema,
  tokenVerifyRequestSchema,
  verifyRequestSchema,
} from "./requests.ts";

type Fields = Readonly<Record<string, unknown>>;
type Request = {
  readonly schema: z.ZodType;
  readonly least: Fields;
  /** The longest text of each field. */
  readonly texts: Readonly<Record<string, number>>;
  /** Those fields that may be null, which many client libraries send for "none". */
  readonly nullable: readonly string[];
};

const ADDRESSES = { remoteip: 16_384, ip: 16_384, clientIP: 16_384, client_ip: 16_384 };
const REDEMPTION_TEXTS = {
  ...ADDRESSES,
  user_agent: 16_384,
  userAgent: 16_384,
  site_key: 256,
  siteKey: 256,
};
const SCORE_TEXTS = { ip: 65_536, user_agent: 65_536, url: 65_536, action: 64 };

/** All bodies and queries of the public interface. */
const REQUESTS: Readonly<Record<string, Request>> = {
  "token/verify (D2, redemption)": {
    schema: tokenVerifyRequestSchema,
    least: {},
    texts: { ...REDEMPTION_TEXTS, idempotency_key: 64 },
    nullable: [...Object.keys(REDEMPTION_TEXTS), "idempotency_key"],
  },
  "score (D7, score request)": {
    schema: scoreRequestSchema,
    least: {},
    texts: SCORE_TEXTS,
    nullable: Object.keys(SCORE_TEXTS),
  },
  "pow/challenge (D8, challenge)": {
    schema: challengeQuerySchema,
    least: { site_key: "pk_" },
    texts: { site_key: 256, action: 64 },
    nullable: [],
  },
  "verify (D9, submission)": {
    schema: verifyRequestSchema,
    least: { site_key: "pk_", challenge: "c", solution: "s" },
    texts: { site_key: 256, challenge: 512, solution: 2048, action: 64, cdata: 255 },
    nullable: ["action", "cdata"],
  },
};

for (const [title, { schema, least, texts, nullable }] of Object.entries(REQUESTS)) {
  const accepts = (fields: Fields): boolean => schema.safeParse({ ...least, ...fields }).success;

  test(`${title}: accepts each text up to its length and not beyond`, () => {
    for (const [field, max] of Object.entries(texts)) {
      assert.ok(accepts({ [field]: "x".repeat(max) }), field);
      assert.ok(!accepts({ [field]: "x".repeat(max + 1) }), field);
    }
  });

  test(`${title}: refuses a text of another type; null counts as none if it may be left out`, () => {
    for (const field of Object.keys(texts)) {
      for (const value of [7, true, ["x"], { toString: "x" }])
        assert.ok(!accepts({ [field]: value }), field);
      assert.equal(accepts({ [field]: null }), nullable.includes(field), field);
    }
  });

  test(`${title}: drops unknown fields, including names of prototypes`, () => {
    const body = JSON.parse('{"__proto__":{"a":1},"constructor":{},"isAdmin":true}');
    const parsed = schema.parse({ ...body, ...least });
    assert.deepEqual(parsed, least);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
    for (const none of [undefined, null, [], "{}", 7])
      assert.ok(!schema.safeParse(none).success, String(none));
  });
}

test("token/verify takes pass or fail as the verdict of an old CAPTCHA, or none (D2, redemption)", () => {
  const accepts = (verdict: unknown) =>
    tokenVerifyRequestSchema.safeParse({ vendor_verdict: verdict }).success;
  for (const verdict of ["pass", "fail", null, undefined]) assert.ok(accepts(verdict));
  for (const verdict of ["PASS", "passed", "", true, 1, ["pass"], {}])
    assert.ok(!accepts(verdict), JSON.stringify(verdict));
});

test("pow/challenge asks for less work by exactly fallback=1 (D8, challenge)", () => {
  const accepts = (fallback: unknown) =>
    challengeQuerySchema.safeParse({ site_key: "pk_", fallback }).success;
  assert.deepEqual([undefined, "1"].map(accepts), [true, true]);
  for (const value of ["0", "", "true", "11", " 1", 1, null, ["1"]])
    assert.ok(!accepts(value), String(value));
});

test("verify accepts signals that are withheld, in part or fully, and bounds both strings (D9, submission)", () => {
  const accepts = (signals: unknown) =>
    verifyRequestSchema.safeParse({ site_key: "pk_", challenge: "c", solution: "s", signals })
      .success;
  const longest = "A".repeat(21_846);
  for (const signals of [
    undefined,
    null,
    {},
    { environment: null },
    { environment: longest, behaviour: longest },
  ]) {
    assert.ok(accepts(signals));
  }
  for (const signals of [
    "",
    [],
    7,
    { environment: 7 },
    { environment: `${longest}A` },
    { behaviour: `${longest}A` },
  ]) {
    assert.ok(!accepts(signals));
  }
});

test("the longest signal string fits exactly the largest signals (D9, submission)", () => {
  const largest = Buffer.alloc(SIGNALS_BYTES_LIMIT).toString("base64url");
  const signals = (environment: string) => ({
    site_key: "",
    challenge: "",
    solution: "",
    signals: { environment },
  });
  assert.ok(verifyRequestSchema.safeParse(signals(largest)).success);
  assert.ok(!verifyRequestSchema.safeParse(signals(`${largest}A`)).success);
});

test("token/verify accepts an empty object, nulls and unknown fields (D2, redemption)", () => {
  for (const body of [
    {},
    { token: null, remoteip: null, idempotency_key: null },
    { anything: { at: ["all"] } },
  ]) {
    assert.equal(tokenVerifyRequestSchema.safeParse(body).success, true, JSON.stringify(body));
  }
});

test("token/verify accepts a token of any type, since a wrong one is a verdict and no broken call (D1, status and body; D2, redemption)", () => {
  for (const token of ["", 7, [], {}, true, "x".repeat(16_000)]) {
    assert.equal(
      tokenVerifyRequestSchema.safeParse({ token }).success,
      true,
      JSON.stringify(token).slice(0, 40),
    );
  }
});

test("token/verify accepts an invalid address of any length, which the binding handles (D1, status and body; D5, binding)", () => {
  for (const field of ["remoteip", "ip", "clientIP", "client_ip"]) {
    for (const text of ["", "garbage", "1.2.3.4, 5.6.7.8", "9".repeat(15_000)]) {
      assert.equal(tokenVerifyRequestSchema.safeParse({ [field]: text }).success, true, field);
    }
    assert.equal(tokenVerifyRequestSchema.safeParse({ [field]: 7 }).success, false, field);
  }
});

test("token/verify accepts idempotency keys of 16 to 64 characters (D2, redemption)", () => {
  const accepts = (length: number): boolean =>
    tokenVerifyRequestSchema.safeParse({ idempotency_key: "k".repeat(length) }).success;
  assert.deepEqual([15, 16, 64, 65].map(accepts), [false, true, true, false]);
});

test("score accepts an empty object, headers of any type, and any signals and token from visitors (D7, score request)", () => {
  assert.equal(scoreRequestSchema.safeParse({}).success, true);
  assert.equal(
    scoreRequestSchema.safeParse({ headers: { accept: 7, cookie: ["a"] } }).success,
    true,
  );
  for (const headers of [[], "", null])
    assert.equal(scoreRequestSchema.safeParse({ headers }).success, true);
  for (const any of [7, true, ["x"], { a: "x" }, null]) {
    assert.equal(
      scoreRequestSchema.safeParse({ signals: any, token: any }).success,
      true,
      JSON.stringify(any),
    );
  }
  for (const body of [{ headers: ["accept"] }, { headers: "accept" }, { action: "a".repeat(65) }]) {
    assert.equal(scoreRequestSchema.safeParse(body).success, false, JSON.stringify(body));
  }
});

test("verify requires site key, challenge and solution (D9, submission)", () => {
  const body = { site_key: "pk_", challenge: "c", solution: "s" };
  assert.equal(verifyRequestSchema.safeParse(body).success, true);
  for (const field of Object.keys(body)) {
    assert.equal(
      verifyRequestSchema.safeParse({ ...body, [field]: undefined }).success,
      false,
      field,
    );
    assert.equal(verifyRequestSchema.safeParse({ ...body, [field]: 7 }).success, false, field);
  }
});

test("accepts an action name of 1 to 64 characters of A-Z a-z 0-9 _ . / - (D4, sealed token)", () => {
  for (const name of ["a", "login", "shop/check-out.v2_1", "x".repeat(64)])
    assert.match(name, ACTION_PATTERN);
  for (const name of ["", "x".repeat(65), "log in", "lögin", "a\n", "a<b"])
    assert.doesNotMatch(name, ACTION_PATTERN);
});
