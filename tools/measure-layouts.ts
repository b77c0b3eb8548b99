// `node tools/measure-layouts.ts BROWSER... -- BROWSER...`: how far browsers agree with a bank that others baked. The ones
// before `--` bake, the ones after it visit. A browser is ENGINE:RATIO:FILE, such as gecko:0.9:/usr/bin/firefox-esr; FILE may be a
// script that starts a browser with the arguments it gets, the last of which is the page's address.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AskedBrowser, bakeScenes, createScenes } from "@stile/core/domain/layout/bake-bank";
import { READS_PER_SCENE } from "@stile/core/domain/layout/create-scene";
import { judgeLayout } from "@stile/core/domain/layout/judge-layout";
import { type BankScene, ENGINES, SCENES_PER_CHALLENGE } from "@stile/core/domain/layout/layout-bank";
import { createRandom } from "@stile/risk/seeded-random";
import { askBrowser } from "@stile/server/baking/ask-browser";

const SCENES = 1500;
const VISITS = 20_000;
const LIMITS = [1, 0.95, 0.85, 0.7, 0.4, 0.25];
const READER = readFileSync(join(import.meta.dirname, "../packages/widget/dist/read-layout.js"));

const texts = createScenes(createRandom(777), SCENES);
const numberOf = new Map(texts.map((text, number) => [text, number]));

async function ask(name: string): Promise<AskedBrowser> {
  const [family, ratio, ...rest] = name.split(":");
  const engine = ENGINES.find((one) => one === family);
  if (engine === undefined || rest.length === 0) throw new Error(`${name}: not ENGINE:RATIO:FILE`);
  const browser = { engine, name, file: rest.join(":") };
  const asking = { browser, ratio: Number(ratio), scenes: texts, reader: READER, onProgress: () => {} };
  return { engine, reads: await askBrowser(asking) };
}

/** The share of right reads in each of many visits with three scenes. */
function visitsOf(bank: readonly BankScene[], { engine, reads }: AskedBrowser): number[] {
  const compared = bank.map((scene) => {
    const at = READS_PER_SCENE * (numberOf.get(scene.text) ?? 0);
    return judgeLayout([scene], reads.subarray(at, at + READS_PER_SCENE), scene.answers[engine] && engine);
  });
  const random = createRandom(5);
  return Array.from({ length: VISITS }, () => {
    const sum = { kept: 0, right: 0 };
    for (let drawn = 0; drawn < SCENES_PER_CHALLENGE; drawn++) {
      const { kept = 0, right = 0 } = compared[Math.floor(random() * compared.length)] ?? {};
      sum.kept += kept;
      sum.right += right;
    }
    return sum.right / sum.kept;
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(3)} %`;

const names = process.argv.slice(2);
const bakers: AskedBrowser[] = [];
for (const name of names.slice(0, names.indexOf("--"))) bakers.push(await ask(name));
const bank = bakeScenes(texts, bakers);
console.log(`${bank.length} of ${SCENES} scenes kept. Of ${VISITS} visits, those whose share of right reads is below`);
for (const name of names.slice(names.indexOf("--") + 1)) {
  const shares = visitsOf(bank, await ask(name));
  const below = LIMITS.map((limit) => `${limit}: ${percent(shares.filter((share) => share < limit).length / VISITS)}`);
  const worst = shares.reduce((lowest, share) => Math.min(lowest, share));
  console.log(`${name}  ${below.join("  ")}  worst: ${worst.toFixed(2)}`);
}
