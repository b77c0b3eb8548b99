import assert from "node:assert/strict";
import { test } from "node:test";
import { readValkeyAddress } from "./valkey-address.ts";
import { ValkeyProblem } from "./valkey-problem.ts";

test("reads where it is, as whom, whether encrypted, and which database", () => {
  const own = { files: {}, username: undefined, password: undefined, database: 0 };
  assert.deepEqual(readValkeyAddress("redis://hot"), { host: "hot", port: 6379, isEncrypted: false, ...own });
  assert.deepEqual(readValkeyAddress("valkeys://stile:p%40ss%2F@[::1]:7000/3"), {
    host: "::1",
    port: 7000,
    isEncrypted: true,
    files: {},
    username: "stile",
    password: "p@ss/",
    database: 3,
  });
  assert.equal(readValkeyAddress("rediss://:secret@hot/").password, "secret");
  assert.deepEqual(readValkeyAddress("rediss://hot/2?sslrootcert=/etc/ca%20of%20ours.pem&sslcert=a&sslkey=b").files, {
    sslrootcert: "/etc/ca of ours.pem",
    sslcert: "a",
    sslkey: "b",
  });
});

test("says what is wrong with an address, and never its password", () => {
  const wrong = [
    "",
    "hot:6379",
    "http://hot",
    "redis://",
    "redis://:secret@hot/x",
    "redis://:secret@hot/1?tls=1",
    "redis://:%zz@hot",
    "redis://:secret@hot/1#2",
    "redis://:secret@hot/?sslrootcert=/ca.pem",
    "rediss://:secret@hot/?sslrootcert=",
    "rediss://:secret@hot/?sslcert=/own.pem",
    "rediss://:secret@hot/?sslkey=/own.key",
    "rediss://:secret@hot/?rejectUnauthorized=false",
    "rediss://stile:p@ss/1?secret@hot/0",
  ];
  for (const text of wrong) {
    assert.throws(
      () => readValkeyAddress(text),
      (fault) =>
        fault instanceof ValkeyProblem && /^STILE_VALKEY_URL /.test(fault.message) && !/secret/.test(fault.message),
      text,
    );
  }
});

test("a password that was written as it is, is told with how to write it", () => {
  for (const sign of ["/", "?", "#", "a@b/", "1?", "1#", "@/"]) {
    const text = `redis://:${sign}secret@hot/0`;
    assert.throws(() => readValkeyAddress(text), /^ValkeyProblem: STILE_VALKEY_URL .*%(2F|3F|23)/, text);
  }
});
