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

/** Scenes, and this machine's browsers' answers to them: Chromium at ratio 1 and 1.1, and Firefox if installed. */
export type BakedForTest = {
  readonly texts: readonly string[];
  readonly asked: readonly AskedBrowser[];
  readonly scenes: readonly BankScene[];
};

/** Makes the browsers of this machine lay out that many scenes of that seed; `ask` puts them to a browser. */
export async function bakeForTest(seed: number, count: number, ask = askBrowser): Promise<BakedForTest> {
  const texts = createScenes(createRandom(seed), count);
  const reader = readFileSync(READER);
  const asked: AskedBrowser[] = [];
  for (const browser of findBrowsers()) {
    for (const ratio of browser.engine === "blink" ? [1, 1.1] : [1]) {
      const reads = await ask({ browser, ratio, scenes: texts, reader, onProgress: () => {} });
      asked.push({ engine: browser.engine, reads });
    }
  }
  return { texts, asked, scenes: bakeScenes(texts, asked) };
}

/** Gives an installation these scenes as if baked an hour ago; a running server uses them after a restart. */
export async function addScenes(dataDirectory: string, scenes: readonly BankScene[]): Promise<void> {
  const store = await openServiceStore(dataDirectory, "");
  const bakedAtMs = Date.now() - HOUR_MS;
  await store.layoutBanks.addBank({ bakedAtMs, drawnAtMs: bakedAtMs, scenes }).finally(() => store.close());
}
