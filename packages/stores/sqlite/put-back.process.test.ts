import assert from "node:assert/strict";
import { backup, DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { redemptionOf, seedSite, spendOf, T0 } from "../contract/contract-fixtures.ts";
import { temporaryFile } from "../contract/temporary-file.ts";
import { openThreadedStore } from "./threaded-store.ts";

const isPutBack = (error: unknown): boolean =>
  error instanceof StoreUnavailable && /put back, or what was spent removed/.test(error.message);

/** A server's store, on which a generation has begun. */
async function openServer(context: TestContext, file: string): Promise<Store> {
  const store = await openThreadedStore({ file });
  context.after(() => store.close().catch(() => {}));
  await store.begin();
  return store;
}

/**
 * Copies one database into another, as `sqlite3 FILE ".restore COPY"` does, also while it is open
 * elsewhere.
 */
async function copyInto(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from);
  await backup(source, to);
  source.close();
}

const remove = (file: string): void => {
  const database = new DatabaseSync(file);
  database.exec("DELETE FROM token_marks; DELETE FROM challenge_marks");
  database.close();
};

const LOSSES: readonly {
  readonly name: string;
  readonly isEarlierRun: boolean;
  readonly lose: typeof copyInto;
}[] = [
  { name: "an older copy is put back into it", isEarlierRun: false, lose: copyInto },
  { name: "a copy of an earlier run is put back into it", isEarlierRun: true, lose: copyInto },
  {
    name: "what was spent is removed from it",
    isEarlierRun: false,
    lose: async (_, file) => remove(file),
  },
];

for (const { name, isEarlierRun, lose } of LOSSES) {
  test(`while a server runs on the database, ${name}: nothing more is spent, and the next start retires what was issued (D3, D15)`, async (context) => {
    const file = temporaryFile();
    const copy = temporaryFile();
    let store = await openServer(context, file);
    const site = await seedSite(store);
    await store.serviceKeys.insertServiceKey({
      keyId: 1,
      createdAtMs: T0,
      wrapped: Uint8Array.of(1),
    });
    await copyInto(file, copy);
    if (isEarlierRun) {
      await store.close();
      store = await openServer(context, file);
    }
    const [token, challenge] = [redemptionOf(site), spendOf(site)];
    assert.equal((await store.tokens.redeem(token)).kind, "spent");
    assert.equal(await store.challenges.spend(challenge), "spent");
    await lose(copy, file);
    for (let time = 0; time < 2; time++) {
      await assert.rejects(store.tokens.redeem(token), isPutBack);
      await assert.rejects(store.challenges.spend(challenge), isPutBack);
      await assert.rejects(store.ping(), isPutBack);
    }
    await assert.rejects(store.close(), isPutBack);
    const next = await openThreadedStore({ file });
    context.after(() => next.close());
    assert.equal(await next.begin(), "retired");
  });
}

test("what another program writes besides disturbs nobody", async (context) => {
  const file = temporaryFile();
  const store = await openServer(context, file);
  const site = await seedSite(store);
  assert.equal((await store.tokens.redeem(redemptionOf(site))).kind, "spent");
  const other = await openThreadedStore({ file });
  context.after(() => other.close());
  assert.equal(await other.sites.replaceSite({ ...site, revision: 2 }, 1), "stored");
  const token = redemptionOf({ ...site, revision: 2 });
  assert.equal((await store.tokens.redeem(token)).kind, "spent");
  await store.housekeeping.sweep(token.retainUntilMs + 1);
  await other.ping();
  assert.equal((await store.tokens.redeem(token)).kind, "already_used");
});
