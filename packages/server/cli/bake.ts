import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gateOf } from "@stile/core/domain/layout/agreement";
import { type AskedBrowser, bakeScenes, createScenes, FEWEST_SCENES } from "@stile/core/domain/layout/bake-bank";
import type { LayoutBank } from "@stile/core/domain/layout/layout-bank";
import type { Store } from "@stile/core/ports/store";
import { askBrowser, BrowserSilent } from "../baking/ask-browser.ts";
import { findBrowsers, type InstalledBrowser } from "../baking/installed-browsers.ts";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { fail } from "./fail.ts";
import { noInstallation } from "./no-installation.ts";
import { hasInstallation, openOperatorStore } from "./operator-ports.ts";

/** How many scenes are made; about a seventh is dropped because engines differ. */
const SCENES = 2500;
/** The pixel ratios at which each engine answers: those of the zooms at which it rounds worst, too (decision 0127). */
const RATIOS = { blink: [1, 1.1, 2 / 3], gecko: [1, 0.9], webkit: [1] } as const;

const READER = join(import.meta.dirname, "..", "..", "widget", "dist", "read-layout.js");

/** Unpredictable numbers in [0, 1): if they could be predicted, so could the scenes. */
const random = (): number => randomBytes(4).readUInt32LE() / 2 ** 32;

/** On a terminal, rewrites one line with the progress; elsewhere, writes the line only when all is done. */
function tell(name: string, answered: number): void {
  const isWhole = answered === SCENES;
  if (!process.stdout.isTTY && !isWhole) return;
  process.stdout.write(
    `${process.stdout.isTTY ? "\r" : ""}${name}: ${answered} of ${SCENES} scenes${isWhole ? "\n" : ""}`,
  );
}

async function askAll(browsers: readonly InstalledBrowser[], scenes: readonly string[]): Promise<AskedBrowser[]> {
  const reader = readFileSync(READER);
  const asked: AskedBrowser[] = [];
  for (const browser of browsers) {
    for (const ratio of RATIOS[browser.engine]) {
      const onProgress = (answered: number): void =>
        tell(`${browser.name} at pixel ratio ${Number(ratio.toFixed(2))}`, answered);
      const reads = await askBrowser({ browser, ratio, scenes, reader, onProgress });
      asked.push({ engine: browser.engine, reads });
    }
  }
  return asked;
}

/** A running server forgets fallen releases when it sees the new bank; one started later can't tell that it is new. */
async function addBank({ layoutBanks, layoutVotes }: Store, bank: Omit<LayoutBank, "version">) {
  const version = await layoutBanks.addBank(bank);
  await layoutVotes.forgetVotes(gateOf(0, await layoutVotes.listVotes(bank.bakedAtMs)).fallen);
  return version;
}

/** Makes scenes, asks this machine's browsers how they lay them out, and replaces the old ones (proof of browser). */
export async function bake(config: Config): Promise<number> {
  const browsers = findBrowsers();
  if (browsers.length === 0) {
    return fail(
      "No browser was found that could be asked: install Chromium or Firefox here, make the pages in the dashboard (System, Proof of " +
        "browser), or run this on a machine that has one and reaches the same database. Nothing was changed.",
    );
  }
  if (!existsSync(READER)) return fail(`${READER} is missing. Start with "npm start", which builds the widget.`);
  const directory = openDataDirectory(config.dataDirectory);
  if (!hasInstallation(config, directory)) throw noInstallation(config);
  try {
    const texts = createScenes(random, SCENES);
    const scenes = bakeScenes(texts, await askAll(browsers, texts));
    if (scenes.length < FEWEST_SCENES) {
      return fail(`The browsers agreed on only ${scenes.length} scenes: update them. Nothing was changed.`);
    }
    const store = await openOperatorStore(config, directory);
    const nowMs = Date.now();
    const bank = { bakedAtMs: nowMs, drawnAtMs: nowMs, scenes };
    const version = await addBank(store, bank).finally(() => store.close());
    process.stdout.write(
      `Bank ${version}: ${scenes.length} scenes, answered by ${browsers.map(({ name }) => name).join(" and ")}.\n`,
    );
    process.stdout.write("A running server takes it within a minute.\n");
    return 0;
  } catch (error) {
    if (error instanceof BrowserSilent) return fail(`${error.message} Nothing was changed.`);
    throw error;
  }
}
