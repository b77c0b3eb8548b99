import { test } from "node:test";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { FEED_GUARANTEES } from "./node-feed-contract.ts";
import { STORE_CONTRACT } from "./store-contract.ts";

for (const { name, check } of [...STORE_CONTRACT, ...FEED_GUARANTEES]) {
  test(`memory: ${name}`, async () => {
    const store = createMemoryStore();
    await check(store);
    await store.close();
  });
}
