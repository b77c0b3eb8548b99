import assert from "node:assert/strict";
import { test } from "node:test";
import { startPostgres } from "./throw-away-postgres.ts";

test("a stopped engine leaves no exit listener, since a process may start many engines", async () => {
  const before = process.listenerCount("exit");
  const engine = await startPostgres({ isDurable: false });
  assert.equal(engine.runSql("postgres", "SELECT 1"), "1");
  await engine.stop();
  assert.equal(process.listenerCount("exit"), before);
});
