import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AskedBrowser, bakeScenes, createScenes } from "@stile/core/domain/layout/bake-bank";
import type { BankScene } from "@stile/core/domain/layout/layout-bank";
import { createRandom } from "@stile/risk/seeded-random";
import { askBrowser } from "@stile/server/baking/ask-browser";
import { findBrowsers } from "@stile/server/baking/installed-browsers";
import { openServiceStore } from "../service/service-store.ts";

const READER = join(import.meta.dirname, "..", "..", "widget", "dist", "read-layout.js");
const HOUR_MS = 3_600_000;

/** Scenes of that seed with the answers of this machine's browsers: Chromium at ratio 1 and 1.1, and Firefox if installed. */
export async function bakeForTest(seed: number, count: number): Promise<readonly BankScene[]> {
  const texts = createScenes(createRandom(seed), count);
  const reader = readFileSync(READER);
  const asked: AskedBrowser[] = [];
  for (const browser of findBrowsers()) {
    for (const ratio of browser.engine === "blink" ? [1, 1.1] : [1]) {
      const reads = await askBrowser({ browser, ratio, scenes: texts, reader, onProgress: () => {} });
      asked.push({ engine: browser.engine, reads });
    }
  }
  return bakeScenes(texts, asked);
}

/** Gives an installation these scenes as if baked an hour ago; a running server uses them after a restart. */
export async function addScenes(dataDirectory: string, scenes: readonly BankScene[]): Promise<void> {
  const store = await openServiceStore(dataDirectory, "");
  const bakedAtMs = Date.now() - HOUR_MS;
  await store.layoutBanks.addBank({ bakedAtMs, drawnAtMs: bakedAtMs, scenes }).finally(() => store.close());
}
