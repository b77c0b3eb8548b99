import assert from "node:assert/strict";
import { copyFileSync, cpSync, renameSync, rmSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Store } from "@stile/core/ports/store";
import { redemptionOf, seedSite, spendOf, T0 } from "../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";

/** A store on which a server ran, spent a token and a challenge, and stopped cleanly. */
async function stoppedStore() {
  const file = temporaryFile();
  const store = await openSqliteStore({ file });
  const site = await seedSite(store);
  await store.begin();
  await store.serviceKeys.insertServiceKey({
    keyId: 1,
    createdAtMs: T0,
    wrapped: Uint8Array.of(1),
  });
  await store.challenges.spend(spendOf(site));
  await store.tokens.redeem(redemptionOf(site));
  await store.close();
  return { file, site };
}

/** Begins a generation on the file and ends it cleanly; `use` runs in between. */
async function beginOn(
  file: string,
  use: (store: Store) => Promise<void> = async () => {},
): Promise<string> {
  const store = await openSqliteStore({ file });
  try {
    const before = await store.serviceKeys.listServiceKeys();
    const begun = await store.begin();
    const expected =
      begun === "retired" ? before.map((key) => ({ ...key, isRetired: true })) : before;
    assert.deepEqual(await store.serviceKeys.listServiceKeys(), expected);
    await use(store);
    return begun;
  } finally {
    await store.close();
  }
}

/** Copies the files of a running server. A killed server leaves the same files. */
function copyFiles(file: string, to: string): void {
  for (const suffix of ["", "-wal", "-shm"]) {
    rmSync(`${to}${suffix}`, { force: true });
    try {
      copyFileSync(`${file}${suffix}`, `${to}${suffix}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

test("starts after clean stops retire no keys, however many there are (D3, single use)", async () => {
  const { file } = await stoppedStore();
  for (let i = 0; i < 3; i++) assert.equal(await beginOn(file), "continued");
});

test("a command that opens the store next to a server neither begins nor ends a generation (D16, operator)", async () => {
  const { file } = await stoppedStore();
  await beginOn(file, async () => {
    const beside = await openSqliteStore({ file });
    await beside.sites.listAccounts();
    await beside.close();
  });
  assert.equal(await beginOn(file), "continued");
});

test("a moved directory continues its generation, a copied one retires its keys (D3, single use)", async (context) => {
  const { file } = await stoppedStore();
  const [moved, copied] = [`${dirname(file)}-moved`, `${dirname(file)}-copied`];
  context.after(() =>
    [moved, copied].map((path) => rmSync(path, { recursive: true, force: true })),
  );
  renameSync(dirname(file), moved);
  assert.equal(await beginOn(join(moved, basename(file))), "continued");
  cpSync(moved, copied, { recursive: true, preserveTimestamps: true });
  assert.equal(await beginOn(join(copied, basename(file))), "retired");
  assert.equal(
    await beginOn(join(copied, basename(file))),
    "continued",
    "the copy is an installation of its own from then on",
  );
});

test("retires the keys if the generation file is missing, damaged or has its old time", async () => {
  for (const harm of [
    (path: string) => rmSync(path),
    (path: string) => copyFileSync(import.meta.filename, path),
    (path: string) => utimesSync(path, 1, 1),
  ]) {
    const { file } = await stoppedStore();
    harm(`${file}-generation`);
    assert.equal(await beginOn(file), "retired");
  }
});

type Spend = (store: Store, site: { siteKey: string; revision: number }) => Promise<unknown>;

/**
 * The result of `begin` on the database of a killed server. `kept`: as the server left it. `older`:
 * as it was before the last spend.
 */
async function beginAfterKill(spend: Spend, which: "kept" | "older"): Promise<string> {
  const { file, site } = await stoppedStore();
  const copies = { kept: `${temporaryFile()}-kept`, older: `${temporaryFile()}-older` };
  const store = await openSqliteStore({ file });
  assert.equal(await store.begin(), "continued");
  copyFiles(file, copies.older);
  await spend(store, site);
  copyFiles(file, copies.kept);
  // Closing writes only to this database, which is now replaced by the copy.
  await store.close();
  copyFiles(copies[which], file);
  return await beginOn(file);
}

const SPENDINGS: Readonly<Record<string, Spend>> = {
  "a token": (store, site) => store.tokens.redeem(redemptionOf(site)),
  "a challenge": (store, site) => store.challenges.spend(spendOf(site)),
};

for (const [what, spend] of Object.entries(SPENDINGS)) {
  test(`continues on a killed server's database, and retires the keys if ${what} is missing from it (D3, single use)`, async () => {
    assert.equal(await beginAfterKill(spend, "kept"), "continued");
    assert.equal(await beginAfterKill(spend, "older"), "retired");
  });
}

test("retires the keys after a reboot, whether or not the server had stopped cleanly", async () => {
  for (const [isStopped, bootId, expected] of [
    [0, "another boot", "retired"],
    [1, "another boot", "retired"],
    [0, null, "retired"],
  ] as const) {
    const { file } = await stoppedStore();
    const database = new DatabaseSync(file);
    database.prepare("UPDATE generations SET is_stopped = ?, boot_id = ?").run(isStopped, bootId);
    database.close();
    assert.equal(await beginOn(file), expected);
  }
});

test("continues if the last spent token has since been swept", async (context) => {
  const { file } = await stoppedStore();
  const store = await openSqliteStore({ file });
  await store.begin();
  const [account] = await store.sites.listAccounts();
  const [site] = await store.sites.listSites(account?.accountId ?? "");
  assert.ok(site !== undefined);
  await store.tokens.redeem(redemptionOf(site, { retainUntilMs: T0 + 1000 }));
  await store.housekeeping.sweep(T0 + 2000);
  const database = new DatabaseSync(file);
  context.after(() => database.close());
  const rival = await openSqliteStore({ file });
  assert.equal(
    await rival.begin(),
    "continued",
    "a second server on the file sees what a start after a kill sees",
  );
  await rival.close();
  await store.close();
});

test("retires the keys if spent tokens were deleted from a cleanly stopped database", async () => {
  for (const [table, expected] of [
    ["token_marks", "retired"],
    ["rate_counts", "continued"],
  ] as const) {
    const { file } = await stoppedStore();
    const database = new DatabaseSync(file);
    database.exec(`DELETE FROM ${table}`);
    database.close();
    assert.equal(await beginOn(file), expected, table);
  }
});

test("retires the keys if a killed server lost the record of its last spend", async () => {
  const { file } = await stoppedStore();
  const database = new DatabaseSync(file);
  database.exec("UPDATE generations SET is_stopped = 0");
  database.close();
  rmSync(`${file}-last-spent`);
  assert.equal(await beginOn(file), "retired");
});
