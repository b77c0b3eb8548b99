import { type Stile, startStile } from "../index.ts";

/**
 * A fixture of Playwright's workers: `base.extend<object, { stile: Stile }>({ stile: stileFixture })`
 * gives each test the service of its worker.
 */
export const stileFixture: [
  (none: object, use: (stile: Stile) => Promise<void>) => Promise<void>,
  { scope: "worker" },
] = [
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here.
  async ({}, use) => {
    const stile = await startStile();
    await use(stile);
    await stile.stop();
  },
  { scope: "worker" },
];
