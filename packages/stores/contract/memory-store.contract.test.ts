import { test } from "node:test";
import { createMemoryStore } from "../memory/memory-store.ts";
import { STORE_CONTRACT } from "./store-contract.ts";

for (const { name, check } of STORE_CONTRACT) {
  test(`memory: ${name}`, async () => {
    const store = createMemoryStore();
    await check(store);
    await store.close();
  });
}
