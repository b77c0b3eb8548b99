import assert from "node:assert/strict";
import { after, test } from "node:test";
import { keepNodes } from "../kept-nodes.ts";
import { FEED_GUARANTEES } from "../node-feed-contract.ts";
import { STORE_CONTRACT } from "../store-contract.ts";
import { PAIRS } from "../two-nodes.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";

const postgres = await startTemporaryPostgres();
const nodes = keepNodes({ empty: postgres.emptyDatabase, open: (url) => postgres.open(url) });
after(async () => {
  await nodes.close();
  await postgres.stop();
});

for (const guarantee of [...STORE_CONTRACT, ...FEED_GUARANTEES]) {
  test(`PostgreSQL: ${guarantee.name}`, () => nodes.check(guarantee));
}

for (const { how, join, guarantees } of PAIRS) {
  test(`has guarantees to check with ${how}`, () => assert.ok(guarantees.length > 0));
  for (const guarantee of guarantees) {
    test(`PostgreSQL, ${how}: ${guarantee.name}`, () => nodes.check(guarantee, join));
  }
}
