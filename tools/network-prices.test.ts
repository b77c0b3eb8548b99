import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { networkPrices } from "./network-prices.ts";

const page = readFileSync(new URL("../docs/operations/difficulty.md", import.meta.url), "utf8");

test("the page has the prices of a network's tokens that the service asks for now (node tools/network-prices.ts)", async () => {
  assert.ok(page.includes(`${await networkPrices()}\n`));
  assert.match(page, /`node tools\/network-prices\.ts`/);
});
