import assert from "node:assert/strict";
import { copyFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { redemptionOf, seedSite } from "../contract/contract-fixtures.ts";
import { temporaryFile } from "../contract/temporary-file.ts";
import { openThreadedStore } from "./threaded-store.ts";

const isGone = (error: unknown): boolean =>
  error instanceof StoreUnavailable && /moved, replaced or removed/.test(error.message);

for (const [what, take] of [
  ["moved away", (file: string) => renameSync(file, `${file}.away`)],
  [
    "replaced by a copy",
    (file: string) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(file, `${file}.away`);
      renameSync(`${file}.copy`, file);
    },
  ],
] as const) {
  test(`a database that was ${what} under its server takes nothing more, which a later start would not know; put back it does (D3, D15)`, async (context) => {
    const file = temporaryFile();
    const store = await openThreadedStore({ file });
    context.after(() => store.close());
    const site = await seedSite(store);
    take(file);
    await assert.rejects(store.tokens.redeem(redemptionOf(site)), isGone);
    await assert.rejects(store.ping(), isGone);
    rmSync(file, { force: true });
    renameSync(`${file}.away`, file);
    assert.equal((await store.tokens.redeem(redemptionOf(site))).kind, "spent");
  });
}

test("a database whose folder can't be looked at any more is unavailable, and no fault; put back it takes writes again (D15)", async (context) => {
  const file = temporaryFile();
  const store = await openThreadedStore({ file });
  context.after(() => store.close());
  const site = await seedSite(store);
  const folder = dirname(file);
  renameSync(folder, `${folder}-away`);
  // To a superuser, any other folder shows what is in it.
  symlinkSync(folder, folder);
  await assert.rejects(store.tokens.redeem(redemptionOf(site)), StoreUnavailable);
  rmSync(folder);
  renameSync(`${folder}-away`, folder);
  assert.equal((await store.tokens.redeem(redemptionOf(site))).kind, "spent");
});

test("a database that was removed under its server takes nothing more, and the stop says so (D3, D15)", async () => {
  const file = temporaryFile();
  const store = await openThreadedStore({ file });
  const site = await seedSite(store);
  rmSync(file);
  const told = await store.tokens.redeem(redemptionOf(site)).catch((error: unknown) => error);
  const stop = await store.close().catch((error: unknown) => error);
  assert.ok(isGone(told) && isGone(stop));
});

for (const [what, take] of [
  ["removed", (log: string) => rmSync(log)],
  ["moved away", (log: string) => renameSync(log, `${log}.away`)],
] as const) {
  test(`a log that was ${what} under its server takes nothing more, and a stop saves what it held (D3, D15)`, async () => {
    const file = temporaryFile();
    const store = await openThreadedStore({ file });
    const site = await seedSite(store);
    const redemption = redemptionOf(site);
    assert.equal((await store.tokens.redeem(redemption)).kind, "spent");
    take(`${file}-wal`);
    await assert.rejects(
      store.tokens.redeem(redemptionOf(site)),
      /log .*was moved, replaced or removed.* restart the server/,
    );
    await assert.rejects(store.close(), /log .*was moved, replaced or removed/);
    const again = await openThreadedStore({ file });
    assert.equal((await again.tokens.redeem(redemption)).kind, "already_used");
    await again.close();
  });
}
