import assert from "node:assert/strict";
import { test } from "node:test";
import {
  foldRecoveryCode,
  RECOVERY_CODE_BYTES,
  recoveryCodeData,
  toRecoveryCode,
} from "./recovery-codes.ts";

test("a code carries every one of its 80 bits", () => {
  assert.equal(toRecoveryCode(new Uint8Array(RECOVERY_CODE_BYTES)), "0000-0000-0000-0000");
  assert.equal(
    toRecoveryCode(new Uint8Array(RECOVERY_CODE_BYTES).fill(255)),
    "zzzz-zzzz-zzzz-zzzz",
  );
  const seen = new Set<string>();
  for (let bit = 0; bit < RECOVERY_CODE_BYTES * 8; bit++) {
    const bytes = new Uint8Array(RECOVERY_CODE_BYTES);
    bytes[bit >> 3] = 1 << (bit & 7);
    seen.add(toRecoveryCode(bytes));
  }
  assert.equal(seen.size, 80);
});

test("grouping, case and misread characters do not change a code", () => {
  for (const typed of [
    "01ab-cdef-ghjk-mnpq",
    "01ABCDEFGHJKMNPQ",
    " oi ab cdef\tghjkmnpq ",
    "Olab-CDEF-ghjk-mnpq",
  ]) {
    assert.equal(foldRecoveryCode(typed), "01abcdefghjkmnpq", typed);
  }
});

test("rejects text that is no code", () => {
  for (const typed of [
    "",
    "123456",
    "0000-0000-0000-000",
    "0000-0000-0000-00000",
    "uuuu-uuuu-uuuu-uuuu",
    "é".repeat(16),
  ]) {
    assert.equal(foldRecoveryCode(typed), undefined, typed);
  }
});

test("the same code of two members has two digests", () => {
  const code = "0".repeat(16);
  assert.notDeepEqual(recoveryCodeData("usr_1", code), recoveryCodeData("usr_2", code));
});
