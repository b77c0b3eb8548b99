import { after, test } from "node:test";
import { openSqliteStore } from "../sqlite/sqlite-store.ts";
import { openThreadedStore } from "../sqlite/threaded-store.ts";
import { keepNodes } from "./kept-nodes.ts";
import { STORE_CONTRACT } from "./store-contract.ts";
import { emptyDatabase, emptyTables } from "./temporary-file.ts";

for (const { name, check } of STORE_CONTRACT) {
  test(`SQLite: ${name}`, async () => {
    const store = await openSqliteStore({ file: await emptyDatabase() });
    try {
      await check(store);
    } finally {
      await store.close();
    }
  });
}

const threaded = keepNodes({
  empty: async (used) => {
    if (used === undefined) return await emptyDatabase();
    await emptyTables(used);
    return used;
  },
  // The clock stands still, so no deadline passes on any machine: the suite tests guarantees, not
  // deadlines.
  open: (file) => openThreadedStore({ file, now: () => 0 }),
});
after(threaded.close);

for (const guarantee of STORE_CONTRACT) {
  test(`SQLite with a writer's thread: ${guarantee.name}`, () => threaded.check(guarantee));
}
