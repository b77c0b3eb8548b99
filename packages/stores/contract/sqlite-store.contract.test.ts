import { test } from "node:test";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { openThreadedStore } from "../sqlite/threaded-store.ts";
import { STORE_CONTRACT } from "./store-contract.ts";
import { emptyDatabase } from "./temporary-file.ts";

const ENGINES = [
  { engine: "SQLite", open: openSqliteStore },
  // The clock stands still, so no deadline passes however slow the machine: the suite tests guarantees, not deadlines.
  {
    engine: "SQLite with a writer's thread",
    open: ({ file }: { readonly file: string }) => openThreadedStore({ file, now: () => 0 }),
  },
];

for (const { engine, open } of ENGINES) {
  for (const { name, check } of STORE_CONTRACT) {
    test(`${engine}: ${name}`, async () => {
      const store = await open({ file: await emptyDatabase() });
      try {
        await check(store);
      } finally {
        await store.close();
      }
    });
  }
}
