import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { COMMON_PASSWORD_DIGESTS } from "./common-password-digests.ts";
import { isCommonPassword } from "./common-passwords.ts";

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();
const isCommon = (password: string): boolean => isCommonPassword(password, digest);

/** From the top, the middle and the end of the list, and from later lists. */
const COMMON = [
  ...[
    "qwertyuiop",
    "1234567890",
    "q1w2e3r4t5",
    "4815162342",
    "basketball",
    "manchester",
    "christopher",
    "terminator",
  ],
  ...[
    "california",
    "enterprise",
    "poiuytrewq",
    "tinkerbell",
    "playstation",
    "123456654321",
    "1029384756",
    "realmadrid",
  ],
  ...[
    "newfoundland",
    "nationwide",
    "nikolaevich",
    "nokia12345",
    "nellynelly",
    "password123",
    "changeme123",
    "p@ssw0rd123",
  ],
];

test("knows at least the 3,000 most used passwords that are long enough, each once (ASVS 5.0, 6.2.4)", () => {
  const digests = COMMON_PASSWORD_DIGESTS.replaceAll("\n", "").match(/[\w-]{11}/g) ?? [];
  assert.ok(new Set(digests).size >= 3000, `${digests.length}`);
  assert.equal(new Set(digests).size, digests.length);
  for (const password of COMMON) assert.ok(isCommon(password), password);
});

test("a common password is found in any case and width, and between spaces", () => {
  for (const password of ["BasketBall", "  manchester ", "ｂａｓｋｅｔｂａｌｌ", "CHRISTOPHER"])
    assert.ok(isCommon(password), password);
});

test("an uncommon password is not common, even if it is similar to a common one", () => {
  for (const password of [
    "basketballs",
    "basketbal",
    "pale otters count nine lanterns",
    "correct horse battery",
    "",
  ]) {
    assert.equal(isCommon(password), false, password);
  }
});
