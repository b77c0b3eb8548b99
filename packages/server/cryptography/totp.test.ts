import assert from "node:assert/strict";
import { test } from "node:test";
import { createTotpCodes } from "./totp.ts";

/** Years from every moment below. */
const FAR_OFF_MS = Date.UTC(2096, 0);
const CODES = createTotpCodes(() => FAR_OFF_MS);
/** The secret of RFC 6238, appendix B, and its SHA-1 codes. An app shows their last six digits. */
const RFC_SECRET = new TextEncoder().encode("12345678901234567890");
const RFC_CODES: readonly (readonly [number, string])[] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
];

test("knows the codes of RFC 6238, and the step of each", () => {
  for (const [seconds, code] of RFC_CODES) {
    assert.equal(
      CODES.findStep(RFC_SECRET, code.slice(-6), seconds * 1000),
      Math.floor(seconds / 30),
    );
  }
});

test("takes a code from one step before to one step after its own, to the millisecond, and names its step", () => {
  const [step, code] = [37_037_036, "081804"];
  const startMs = step * 30_000;
  for (const [nowMs, found] of [
    [startMs - 30_001, undefined],
    [startMs - 30_000, step],
    [startMs, step],
    [startMs + 59_999, step],
    [startMs + 60_000, undefined],
  ] as const) {
    assert.equal(CODES.findStep(RFC_SECRET, code, nowMs), found, `${nowMs - startMs}`);
  }
});

test("takes a code by the system's clock too while the service does not follow that clock, and names its step", () => {
  const [step, code] = [37_037_036, "081804"];
  const codes = createTotpCodes(() => step * 30_000);
  for (const apartMs of [86_400_000, -86_400_000]) {
    assert.equal(codes.findStep(RFC_SECRET, code, step * 30_000 + apartMs), step);
    assert.equal(codes.findStep(RFC_SECRET, "081805", step * 30_000 + apartMs), undefined);
  }
  const agreeing = createTotpCodes(() => step * 30_000 + 59_999);
  assert.equal(
    agreeing.findStep(RFC_SECRET, code, step * 30_000 + 60_001),
    undefined,
    "no wider while the two agree",
  );
});

test("takes the spaces that people type, and otherwise only six digits", () => {
  const nowMs = 59_000;
  assert.equal(CODES.findStep(RFC_SECRET, "287 082", nowMs), 1);
  for (const code of [
    "",
    "28708",
    "94287082",
    "2870821",
    "28708a",
    "２８７０８２",
    "-87082",
    "287082\n",
    "1e5   ",
  ]) {
    assert.equal(CODES.findStep(RFC_SECRET, code, nowMs), undefined, JSON.stringify(code));
  }
});

test("makes secrets of 160 bits that differ, and gives an app Base32, URI and QR code", () => {
  const secrets = Array.from({ length: 50 }, () =>
    Buffer.from(CODES.createSecret()).toString("hex"),
  );
  assert.equal(new Set(secrets).size, 50);
  assert.ok(secrets.every((secret) => secret.length === 40));
  const { secret, uri, qr } = CODES.describe(RFC_SECRET, "ada+x@example.org");
  assert.equal(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  const url = new URL(uri);
  assert.equal(url.searchParams.get("secret"), secret);
  assert.equal(decodeURIComponent(url.pathname), "/Stile:ada+x@example.org");
  assert.equal(url.searchParams.get("issuer"), "Stile");
  const finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
  assert.deepEqual(
    qr.slice(0, 7).map((row) => row.slice(0, 7)),
    finder,
    "no border; the page draws it",
  );
});
