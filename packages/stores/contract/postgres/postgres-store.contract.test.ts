import assert from "node:assert/strict";
import { after, test } from "node:test";
import { FEED_GUARANTEES } from "../node-feed-contract.ts";
import { STORE_CONTRACT } from "../store-contract.ts";
import { PAIRS } from "../two-nodes.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";

const postgres = await startTemporaryPostgres();
after(postgres.stop);

for (const { name, check } of [...STORE_CONTRACT, ...FEED_GUARANTEES]) {
  test(`PostgreSQL: ${name}`, async () => {
    const store = await postgres.open(await postgres.emptyDatabase());
    try {
      await check(store);
    } finally {
      await store.close();
    }
  });
}

for (const { how, join, guarantees } of PAIRS) {
  test(`there is something to prove of ${how}`, () => assert.ok(guarantees.length > 0));
  for (const { name, check } of guarantees) {
    test(`PostgreSQL, ${how}: ${name}`, async () => {
      const url = await postgres.emptyDatabase();
      const [first, second] = await Promise.all([postgres.open(url), postgres.open(url)]);
      try {
        await check(join(first, second));
      } finally {
        await Promise.all([first.close(), second.close()]);
      }
    });
  }
}
