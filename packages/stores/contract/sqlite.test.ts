import { test } from "node:test";
import { openSqliteStore } from "../sqlite/store.ts";
import { STORE_CONTRACT } from "./store-contract.ts";
import { temporaryFile } from "./temporary-file.ts";

for (const { name, check } of STORE_CONTRACT) {
  test(`SQLite: ${name}`, async (context) => {
    const store = await openSqliteStore({ file: temporaryFile(context) });
    try {
      await check(store);
    } finally {
      await store.close();
    }
  });
}
