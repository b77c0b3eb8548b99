import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  findPasswordProblems,
  findProfileProblems,
  normalizeEmail,
  normalizeName,
  normalizePassword,
} from "./credentials-rules.ts";

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();

const ADA = { email: "ada@example.org", name: "Ada Lovelace" };

test("emails that differ in case, outer spaces or composition are one", () => {
  assert.equal(normalizeEmail("\t JOSE\u0301@Example.ORG "), "josé@example.org");
  assert.equal(normalizeEmail("josé@example.org"), "josé@example.org");
});

test("accepts real people's emails and names", () => {
  for (const email of [
    "ada@example.org",
    "o'neil+x@sub.example.co",
    "admin@localhost",
    "x@xn--bcher-kva.example",
  ]) {
    assert.deepEqual(findProfileProblems({ email, name: "Ada" }), [], email);
  }
  for (const name of ["A", "李小龍", "O'Neil-Müller", "x".repeat(64), "🐑".repeat(64)]) {
    assert.deepEqual(
      findProfileProblems({ email: ADA.email, name: normalizeName(name) }),
      [],
      name,
    );
  }
});

test("names the field of every invalid email or name", () => {
  const long = `${"x".repeat(64)}@${"y".repeat(190)}`;
  for (const email of [
    "",
    "ada",
    "@example.org",
    "ada@",
    "a@b@c",
    "a b@c.org",
    "a\u0000@c.org",
    "a\u200b@c.org",
    // Each of these looks like an address that somebody else may have.
    "\u0430dmin@example.org",
    "admin@ex\u0430mple.org",
    "adm\u0131n@example.org",
    "admin\u3164@example.org",
    "admin@example\u2024org",
    "a\u0323dmin@example.org",
    long,
  ]) {
    assert.deepEqual(
      findProfileProblems({ email, name: "Ada" }).map(({ field }) => field),
      ["email"],
      email,
    );
  }
  for (const name of [
    "",
    "\u3164",
    "\u2800 \u2800",
    "x".repeat(65),
    "A\nB",
    "A\u2028B",
    "A\u202eB",
  ]) {
    assert.deepEqual(
      findProfileProblems({ email: ADA.email, name }).map(({ field }) => field),
      ["name"],
      name,
    );
  }
});

test("an address refused only for its letters gets the list of allowed ones", () => {
  for (const email of ["jos\u00e9@example.org", "ada@b\u00fccher.example"]) {
    const [problem] = findProfileProblems({ email, name: "Ada" });
    assert.match(problem?.message ?? "", /letters a to z.*xn--/, email);
  }
});

test("a password needs only 10 to 256 characters, as people count them", () => {
  for (const [password, isFine] of [
    ["x".repeat(9), false],
    ["horse pond", true],
    ["🐑".repeat(9), false],
    ["🐑".repeat(10), true],
    ["é".repeat(256), true],
    ["é".repeat(257), false],
  ] as const) {
    assert.equal(
      findPasswordProblems(normalizePassword(password), ADA, digest).length === 0,
      isFine,
      password,
    );
  }
});

test("a password is neither the email, nor the name, nor a common password, in any case", () => {
  for (const password of [
    ADA.email,
    "ADA@EXAMPLE.ORG",
    "ada lovelace",
    "Password123",
    "qwertyuiop",
    "1234567890",
  ]) {
    const problems = findPasswordProblems(password, ADA, digest);
    assert.deepEqual(
      problems.map(({ field }) => field),
      ["password"],
      password,
    );
  }
});

test("a password is the same from every keyboard", () => {
  assert.equal(normalizePassword("cafe\u0301 au lait"), normalizePassword("café au lait"));
});
