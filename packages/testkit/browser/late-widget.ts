import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { visitPage } from "./visit-page.ts";

/** The effects on a page when the widget's script arrives after the page is visible. */
export type LateWidget = {
  /** Cumulative layout shift, which should be 0. */
  readonly shift: number;
  /** Height of the element in CSS pixels, before its definition and after. */
  readonly heights: readonly [before: number, after: number];
};

/** Waits two frames: then the whole layout is painted. */
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/**
 * Shows a page with that head and body, above much text, and only then adds the widget's script
 * from `baseUrl`.
 */
export async function watchLateWidget(
  browser: Browser,
  baseUrl: string,
  head: string,
  body: string,
): Promise<LateWidget> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(`<!doctype html><title>Shop</title>${head}${body}<p>${"Terms. ".repeat(200)}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  try {
    return await visitPage(
      browser,
      `http://localhost:${(server.address() as AddressInfo).port}/`,
      async ({ page }) => {
        const measure = (): Promise<number> =>
          page.locator("stile-captcha").evaluate((widget) => widget.getBoundingClientRect().height);
        await page.evaluate(painted);
        const before = await measure();
        await page.evaluate(() => {
          const shifts: number[] = [];
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              shifts.push((entry as PerformanceEntry & { value: number }).value);
          }).observe({ type: "layout-shift", buffered: true });
          Object.assign(globalThis, { shifts });
        });
        await page.addScriptTag({ url: `${baseUrl}/stile.js` });
        await page.evaluate(() =>
          customElements.whenDefined("stile-captcha").then(() => undefined),
        );
        await page.evaluate(painted);
        const shift = await page.evaluate(() =>
          (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0),
        );
        return { shift, heights: [before, await measure()] };
      },
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
