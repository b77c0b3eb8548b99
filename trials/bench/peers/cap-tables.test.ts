import assert from "node:assert/strict";
import { test } from "node:test";
import { openCapTables } from "./cap-tables.ts";

const LATER = Date.now() + 600_000;
const CHALLENGE = { c: 50, s: 32, d: 4 };

test("finds challenges and tokens as stored until they are dropped or expire", async () => {
  const { challenges, tokens, close } = openCapTables();
  await challenges.store("a", { challenge: CHALLENGE, expires: LATER });
  await challenges.store("old", { challenge: CHALLENGE, expires: 1 });
  await tokens.store("t", LATER);
  assert.deepEqual(await challenges.read("a"), { challenge: CHALLENGE, expires: LATER });
  assert.equal(await challenges.read("old"), null);
  assert.equal(await tokens.get("t"), LATER);
  await challenges.deleteExpired();
  await tokens.deleteExpired();
  await challenges.delete("a");
  await tokens.delete("t");
  assert.deepEqual([await challenges.read("a"), await tokens.get("t")], [null, null]);
  close();
  await challenges.deleteExpired();
});
