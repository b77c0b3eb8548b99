import assert from "node:assert/strict";
import { test } from "node:test";
import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";
import fc from "fast-check";
import { lifeOf, parseChallengeAnswer as parseChallenge, parseVerifyAnswer } from "./answers.ts";
import { readRefusal } from "./refusal.ts";

const data = {
  challenge: "QUJD-_09",
  algorithm: 2,
  k: 16,
  difficulty: 524_288,
  expires_at: "2026-11-20T12:05:00.000Z",
  mode: "managed",
  theme: "dark",
  language: "auto",
  interaction: "click",
};
const parseChallengeAnswer = (body: unknown, batch: string) =>
  parseChallenge(body, batch)?.challenge;
const date = "Fri, 20 Nov 2026 12:00:00 GMT";

test("reads a challenge as D8 (challenge) describes it, and keeps fields that this build does not know", () => {
  const later = ["any", 1];
  assert.deepEqual(parseChallengeAnswer({ success: true, data: { ...data, later } }, "9~~"), {
    ...data,
    later,
    isInvisible: false,
    keepsForm: false,
    earlier: undefined,
  });
  const withReceipt = { ...data, receipt: "cmVjZWlwdA" };
  const earlier = { batch: "9~~", receipt: "cmVjZWlwdA" };
  assert.deepEqual(
    parseChallengeAnswer({ success: true, data: withReceipt }, "9~~")?.earlier,
    earlier,
  );
  assert.equal(parseChallengeAnswer({ data: { ...data, receipt: 7 } }, "9~~")?.earlier, undefined);
});

test("falls back to the defaults for settings that this build does not know (D13, formats)", () => {
  const odd = parseChallengeAnswer({ data: { ...data, mode: "dance", on_unavailable: 7 } }, "");
  assert.deepEqual([odd?.isInvisible, odd?.keepsForm], [false, false]);
  const known = parseChallengeAnswer(
    { data: { ...data, mode: "invisible", on_unavailable: "block" } },
    "",
  );
  assert.deepEqual([known?.isInvisible, known?.keepsForm], [true, true]);
});

test("derives the page's own fields, and ignores fields of the same names in the answer (D8, challenge)", () => {
  const claimed = { ...data, isInvisible: true, keepsForm: true, earlier: "any" };
  const read = parseChallengeAnswer({ data: claimed }, "");
  assert.deepEqual([read?.isInvisible, read?.keepsForm, read?.earlier], [false, false, undefined]);
});

for (const [field, values] of Object.entries({
  challenge: [undefined, "", 7, "a b", "AA==", "A".repeat(1025), "<b>"],
  algorithm: [undefined, "2", 1.5, -1],
  k: [undefined, 0, -16, "16", Number.NaN, Number.POSITIVE_INFINITY],
  difficulty: [undefined, 0, "1", 0.5, null],
})) {
  test(`refuses a challenge with an invalid ${field} (D8, challenge)`, () => {
    for (const value of values) {
      assert.equal(
        parseChallengeAnswer({ data: { ...data, [field]: value } }, ""),
        undefined,
        String(value),
      );
    }
  });
}

test("reads a token and its lifetime by the service's own clock (D9, submission)", () => {
  const body = {
    success: true,
    data: { verified: true, token: "abc-_1", expires_at: "2026-11-20T12:05:00.000Z" },
  };
  const farOff = Date.parse("2031-01-01T00:00:00Z");
  assert.deepEqual(parseVerifyAnswer(body, "", date, farOff), {
    type: "verified",
    token: "abc-_1",
    lifeMs: 300_000,
  });
});

test("limits the effect of a wrong device clock on a token's life if the Date header is hidden", () => {
  const at = "2026-11-20T12:05:00.000Z";
  assert.equal(lifeOf(at, null, Date.parse("2001-01-01T00:00:00Z")), TOKEN_LIFE_SECONDS.max * 1000);
  assert.equal(lifeOf(at, null, Date.parse("2040-01-01T00:00:00Z")), 15_000);
  for (const nonsense of [undefined, 7, "soon", null])
    assert.equal(lifeOf(nonsense, date, 0), 15_000);
  assert.equal(lifeOf(at, "not a date", 0), 15_000);
});

test("does not take verified: true without a usable token for a success (D9, submission)", () => {
  for (const token of [undefined, "", 1, "a b", "a".repeat(2049), "<img>"]) {
    assert.equal(
      parseVerifyAnswer({ data: { verified: true, token } }, "", date, 0),
      undefined,
      String(token),
    );
  }
});

test("reads the three ways to continue after a refusal (D9, submission)", () => {
  const refusal = (next: unknown, more: object = {}) =>
    parseVerifyAnswer(
      { data: { verified: false, error_codes: ["invalid_token"], next, ...more } },
      "9~~",
      date,
      0,
    );
  assert.deepEqual(refusal("retry"), { type: "again", challenge: undefined });
  const blocked = (detail?: string) => ({
    type: "failed",
    error: { name: "blocked_by_policy", detail, requestId: "r-1" },
  });
  assert.deepEqual(refusal("blocked", { request_id: "r-1" }), blocked());
  for (const contact of ["mailto:help@shop.example", "é<b>".repeat(100)]) {
    assert.deepEqual(refusal("blocked", { request_id: "r-1", contact }), blocked(contact));
  }
  for (const contact of ["", "x".repeat(401), 7, null, ["https://shop.example"], { text: "x" }]) {
    assert.deepEqual(
      refusal("blocked", { request_id: "r-1", contact }),
      blocked(),
      JSON.stringify(contact),
    );
  }
  const stepUp = refusal("interact", { challenge: { ...data, receipt: "cmVjZWlwdA" } });
  assert.ok(stepUp?.type === "again");
  assert.deepEqual(
    stepUp.challenge?.earlier,
    { batch: "9~~", receipt: "cmVjZWlwdA" },
    "the batch just handed in",
  );
  assert.equal(stepUp.challenge?.interaction, "click");
  assert.deepEqual(refusal("interact", { challenge: { k: "no" } }), {
    type: "again",
    challenge: undefined,
  });
  assert.equal(refusal("dance"), undefined);
});

test("parses any answer without throwing", () => {
  fc.assert(
    fc.property(fc.anything(), fc.option(fc.string()), fc.nat(), (body, header, now) => {
      for (const answer of [
        body,
        { data: body },
        { data: { verified: true, token: body, expires_at: body } },
      ]) {
        parseChallenge(answer, "");
        parseVerifyAnswer(answer, "", header, now);
        const [error] = readRefusal({ error: answer }, header, "host");
        assert.ok(error.requestId === undefined || error.requestId.length <= 64);
      }
    }),
    { numRuns: 2000, seed: 7 },
  );
});
