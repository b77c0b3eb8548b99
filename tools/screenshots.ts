// `node tools/screenshots.ts`: takes the documentation's pictures of the running service, in Chromium.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  launchVisitorBrowser,
  newVisitor,
  openPage,
  waitForState,
} from "@stile/testkit/browser/browser";
import { openDashboard } from "@stile/testkit/browser/dashboard";
import { setTestbed } from "@stile/testkit/browser/dashboard-testbed";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { addSite } from "@stile/testkit/service/operator-site";
import { startService } from "@stile/testkit/service/service";
import type { Browser, Page } from "playwright-core";
import { buildPages } from "./build.ts";
import { readOptions, refuseCall } from "./read-options.ts";

const HELP = `Usage: node tools/screenshots.ts [--only NAME] [--out DIR]

Takes the pictures of the documentation from services of its own, in Chromium.

  --only   Only demo, without-javascript or dashboard
  --out    Folder for them (default docs/guide/images)
`;
const COMMAND = { name: "screenshots", help: HELP };
const { only, out: directory } = readOptions(COMMAND, {
  only: { type: "string" },
  out: { type: "string", default: join(import.meta.dirname, "..", "docs", "guide", "images") },
});
const SCHEMES = ["light", "dark"] as const;
/** So that no picture catches an animation halfway, such as a check mark while it is drawn. */
const STILL = { reducedMotion: "reduce" } as const;
/** The largest size of a picture in the guide, bytes. */
const MAX_BYTES = 160_000;

/** Scenes that become pictures, with their names in the guide. */
const PICTURES: Readonly<Record<string, string>> = {
  sites: "sites",
  outcome: "outcome",
  "scores, trying thresholds": "scores",
  "decisions, one explained": "decisions",
  install: "install",
};

async function photograph(page: Page, name: string): Promise<void> {
  const path = join(directory, `${name}.png`);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > MAX_BYTES)
    throw new Error(`${path} has ${size} bytes; a picture of the guide has ${MAX_BYTES} at most`);
}

/** The demo page, with the widget solved. */
async function photographDemo(browser: Browser): Promise<void> {
  const service = await startService();
  try {
    for (const colorScheme of SCHEMES) {
      const viewport = { width: 760, height: 520 };
      const visitor = await newVisitor(browser, {
        ...STILL,
        colorScheme,
        viewport,
        deviceScaleFactor: 2,
      });
      const { page } = await openPage(visitor, `${service.baseUrl}/demo`);
      await pressByHand(page, "#email");
      await waitForState(page, "verified");
      await page.locator("h1").click();
      await page.screenshot({ path: join(directory, `demo-${colorScheme}.png`) });
      await visitor.close();
    }
  } finally {
    await service.dispose();
  }
}

/** The page of a visitor without JavaScript, as it first appears. */
async function photographNoScript(browser: Browser): Promise<void> {
  const service = await startService();
  try {
    const domains = ["example.org"];
    const { siteKey } = await addSite(service.dataDirectory, {
      name: "No script",
      noScript: "wait",
      domains,
    });
    for (const colorScheme of SCHEMES) {
      const viewport = { width: 480, height: 560 };
      const options = {
        colorScheme,
        viewport,
        javaScriptEnabled: false,
        reducedMotion: "reduce",
      } as const;
      const visitor = await newVisitor(browser, options);
      const { page } = await openPage(visitor, `${service.baseUrl}/noscript?sitekey=${siteKey}`);
      await photograph(page, `without-javascript-${colorScheme}`);
      await visitor.close();
    }
  } finally {
    await service.dispose();
  }
}

/** The pages of the dashboard, with the tests' data. */
async function photographDashboard(browser: Browser): Promise<void> {
  const dashboard = await openDashboard(browser);
  try {
    const testbed = await setTestbed(dashboard);
    const lost = Object.keys(PICTURES).filter((name) =>
      testbed.scenes.every((scene) => scene.name !== name),
    );
    if (lost.length > 0) throw new Error(`these scenes do not exist: ${lost.join(", ")}`);
    for (const scene of testbed.scenes) {
      const picture = PICTURES[scene.name];
      if (picture === undefined) continue;
      for (const colorScheme of SCHEMES) {
        const member = testbed.memberFor(scene);
        const viewport = { width: 1280, height: 800 };
        const visit = await dashboard.visit(scene.path, {
          ...STILL,
          colorScheme,
          viewport,
          ...(member !== undefined && { as: member }),
        });
        await scene.prepare(visit.page);
        await photograph(visit.page, `dashboard-${picture}-${colorScheme}`);
        await visit.close();
      }
    }
  } finally {
    await dashboard.dispose();
  }
}

const PARTS: Readonly<Record<string, (browser: Browser) => Promise<void>>> = {
  demo: photographDemo,
  "without-javascript": photographNoScript,
  dashboard: photographDashboard,
};
const chosen = Object.entries(PARTS).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) refuseCall(COMMAND, `there are no pictures of "${only}".`);
mkdirSync(directory, { recursive: true });
await buildPages();
const browser = await launchVisitorBrowser();
try {
  for (const [, photographPart] of chosen) await photographPart(browser);
} finally {
  await browser.close();
}
