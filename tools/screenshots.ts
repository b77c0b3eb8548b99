// `npm run screenshots`: takes the pictures of the documentation from the running service, in Chromium.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchVisitorBrowser, newVisitor, openPage, waitForState } from "../e2e/browser.ts";
import { startService } from "../e2e/service.ts";
import { buildStale } from "./build.ts";

const directory = join(import.meta.dirname, "..", "docs", "guide", "images");
mkdirSync(directory, { recursive: true });
await buildStale();
const service = await startService();
const browser = await launchVisitorBrowser();
try {
  for (const colorScheme of ["light", "dark"] as const) {
    const viewport = { width: 760, height: 520 };
    const visitor = await newVisitor(browser, { colorScheme, viewport, deviceScaleFactor: 2 });
    const { page } = await openPage(visitor, `${service.baseUrl}/demo`);
    await page.locator("input").first().focus();
    await waitForState(page, "verified");
    await page.locator("h1").click();
    await page.screenshot({ path: join(directory, `demo-${colorScheme}.png`) });
    await visitor.close();
  }
} finally {
  await browser.close();
  await service.dispose();
}
