import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { BUSY_DEADLINE_MS, isBusy, retryWhileBusy, toStoreError } from "./busy.ts";

/** Two connections to one file. The first has the write lock. */
function holderAndRival(context: TestContext): [DatabaseSync, DatabaseSync] {
  const file = temporaryFile();
  const [holder, rival] = [
    new DatabaseSync(file, { timeout: 0 }),
    new DatabaseSync(file, { timeout: 0 }),
  ];
  holder.exec("CREATE TABLE sheep (name TEXT); BEGIN IMMEDIATE");
  context.after(() => {
    holder.close();
    rival.close();
  });
  return [holder, rival];
}

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
}

test("turns the error of a locked database into StoreUnavailable with its cause (D15, outage)", (context) => {
  const [, rival] = holderAndRival(context);
  const error = errorOf(() => rival.exec("BEGIN IMMEDIATE"));
  assert.equal(isBusy(error), true);
  const turned = toStoreError(error);
  assert.ok(turned instanceof StoreUnavailable);
  assert.equal(turned.cause, error);
});

test("treats a full or read-only database as unavailable, but not as busy (D15, outage)", (context) => {
  const [holder] = holderAndRival(context);
  holder.exec("ROLLBACK; PRAGMA max_page_count = 2");
  const full = errorOf(() => holder.exec("INSERT INTO sheep VALUES (zeroblob(100000))"));
  holder.exec("PRAGMA query_only = ON");
  const readOnly = errorOf(() => holder.exec("INSERT INTO sheep VALUES ('Dolly')"));
  for (const error of [full, readOnly]) {
    assert.equal(isBusy(error), false);
    assert.ok(toStoreError(error) instanceof StoreUnavailable);
  }
});

test("leaves mistakes in statements and all other errors unchanged", (context) => {
  const [holder] = holderAndRival(context);
  for (const error of [
    errorOf(() => holder.exec("SELEKT")),
    new Error("other"),
    "no error",
    undefined,
  ]) {
    assert.equal(isBusy(error), false);
    assert.equal(toStoreError(error), error);
  }
});

test("tries again until the database is free, and returns the result of the last try", async (context) => {
  const [holder, rival] = holderAndRival(context);
  let tries = 0;
  const answer = await retryWhileBusy(
    () => {
      tries += 1;
      if (tries === 3) holder.exec("ROLLBACK");
      rival.exec("BEGIN IMMEDIATE");
      return "free";
    },
    () => 0,
  );
  assert.deepEqual([answer, tries], ["free", 3]);
});

test("gives up at the deadline, not before, with StoreUnavailable (D16, operator)", async (context) => {
  const [, rival] = holderAndRival(context);
  const moments = [0, BUSY_DEADLINE_MS - 1, BUSY_DEADLINE_MS];
  let tries = 0;
  const attempt = (): void => {
    tries += 1;
    rival.exec("BEGIN IMMEDIATE");
  };
  await assert.rejects(
    retryWhileBusy(attempt, () => moments.shift() ?? 0),
    StoreUnavailable,
  );
  assert.equal(tries, 2);
});

test("does not try again after an error that is not about a locked database", async () => {
  let tries = 0;
  const attempt = (): void => {
    tries += 1;
    throw new RangeError("broken");
  };
  await assert.rejects(
    retryWhileBusy(attempt, () => 0),
    RangeError,
  );
  assert.equal(tries, 1);
});
