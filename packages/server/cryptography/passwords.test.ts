import assert from "node:assert/strict";
import { argon2Sync } from "node:crypto";
import { test } from "node:test";
import { createPasswords } from "./passwords.ts";

const PASSWORD = "correct horse battery";

test("hashes a password by argon2id with 19 MiB, two passes and a fresh salt, in PHC form", async () => {
  const passwords = createPasswords();
  const [first, second] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
  assert.ok(first && second);
  assert.notEqual(first, second);
  const [, , version, cost, salt, tag] = first.split("$");
  assert.deepEqual([version, cost], ["v=19", "m=19456,t=2,p=1"]);
  const expected = argon2Sync("argon2id", {
    message: PASSWORD,
    nonce: Buffer.from(salt ?? "", "base64"),
    tagLength: 32,
    memory: 19_456,
    passes: 2,
    parallelism: 1,
  });
  assert.equal(Buffer.from(tag ?? "", "base64").toString("hex"), expected.toString("hex"));
  assert.equal(Buffer.from(salt ?? "", "base64").length, 16);
});

test("accepts the right password and no other, with any characters", async () => {
  const passwords = createPasswords();
  for (const password of [PASSWORD, "pässwörter 🐑\0 and more", " ", "x".repeat(256)]) {
    const hash = (await passwords.hash(password)) ?? null;
    assert.equal(await passwords.verify(password, hash), true);
    for (const wrong of [
      `${password} `,
      password.toUpperCase().concat("x"),
      password.slice(1),
      "",
    ]) {
      assert.equal(await passwords.verify(wrong, hash), false, JSON.stringify(wrong));
    }
  }
});

test("never accepts a password without a member, though it does the work", async () => {
  const passwords = createPasswords();
  for (const password of ["", PASSWORD, "\0".repeat(32)])
    assert.equal(await passwords.verify(password, null), false);
});

test("accepts a hash of an earlier cost, so that the cost can be raised", async () => {
  const salt = Buffer.alloc(16, 7);
  const cost = { memory: 8192, passes: 1, parallelism: 1 };
  const tag = argon2Sync("argon2id", { ...cost, message: PASSWORD, nonce: salt, tagLength: 32 });
  const [saltText, tagText] = [salt, tag].map((bytes) =>
    bytes.toString("base64").replaceAll("=", ""),
  );
  const hash = `$argon2id$v=19$m=8192,t=1,p=1$${saltText}$${tagText}`;
  assert.equal(await createPasswords().verify(PASSWORD, hash), true);
});

test("throws on a stored hash that can't be read, instead of answering yes or no", async () => {
  const passwords = createPasswords();
  const hash = (await passwords.hash(PASSWORD)) ?? "";
  for (const broken of [
    "",
    "plain",
    hash.slice(0, -30),
    hash.replace("argon2id", "argon2i"),
    `${hash} `,
  ]) {
    await assert.rejects(passwords.verify(PASSWORD, broken), /can't be read/, broken);
  }
  assert.equal(await passwords.verify(PASSWORD, hash), true, "a fault frees its place");
});

test("throws before computing a stored hash that would take a machine's memory or an hour", async () => {
  const passwords = createPasswords();
  const hash = (await passwords.hash(PASSWORD)) ?? "";
  for (const cost of [
    "m=9999999,t=2,p=1",
    "m=19456,t=99,p=1",
    "m=19456,t=2,p=99",
    "m=262145,t=1,p=1",
  ]) {
    await assert.rejects(
      passwords.verify(PASSWORD, hash.replace("m=19456,t=2,p=1", cost)),
      /can't be read/,
      cost,
    );
  }
});

test("runs one hash per queue, lets few wait, refuses the rest at once, and frees places again", async () => {
  const passwords = createPasswords();
  const hash = (await passwords.hash(PASSWORD)) ?? null;
  const strangers = Array.from({ length: 50 }, () => passwords.verify(PASSWORD, hash, "stranger"));
  const members = Array.from({ length: 50 }, () => passwords.verify(PASSWORD, hash));
  const admitted = async (attempts: readonly Promise<boolean | undefined>[]): Promise<number> =>
    (await Promise.all(attempts)).filter((isRight) => isRight === true).length;
  assert.deepEqual([await admitted(strangers), await admitted(members)], [9, 33]);
  assert.deepEqual(
    [await passwords.verify(PASSWORD, hash), await passwords.verify(PASSWORD, hash, "stranger")],
    [true, true],
  );
});

test("delays no member's hash for strangers, however many there are", async () => {
  const passwords = createPasswords();
  const hash = (await passwords.hash(PASSWORD)) ?? null;
  const done: string[] = [];
  const strangers = Array.from({ length: 9 }, async () => {
    await passwords.verify(PASSWORD, hash, "stranger");
    done.push("stranger");
  });
  await passwords.verify(PASSWORD, hash);
  assert.ok(done.length <= 3, `${done.length} strangers were served before the member`);
  await Promise.all(strangers);
  assert.equal(done.length, 9);
});
