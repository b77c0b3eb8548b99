import { findVisitor } from "@stile/testkit/visits/find-visitor";
import { chromium } from "playwright-core";
import { keys, pressSpace, taps, tapWidget, visitOf } from "./forgers.ts";
import { openRaw } from "./raw-tools.ts";
import type { Surroundings, Tool } from "./tool.ts";

const CHROMIUM = "/usr/bin/chromium";

type Oracle = {
  /** What the service's own script reads from the scenes. */
  readonly layOut: (scenes: string) => Promise<Uint8Array>;
  readonly close: () => Promise<unknown>;
};

/** One browser, kept open on the service's own frame, which lays out whatever it is given. */
async function openOracle(serviceUrl: string): Promise<Oracle> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox"],
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  const page = await browser.newPage();
  await page.goto(`${serviceUrl}/frame`);
  const layOut = async (scenes: string): Promise<Uint8Array> =>
    Uint8Array.from(
      await page.evaluate(async ([reader, text]) => [...(await import(reader)).readLayout(text)] as number[], [
        `${serviceUrl}/read-layout.js`,
        scenes,
      ] as const),
    );
  return { layOut, close: () => browser.close() };
}

const GUISES = [
  ["keys", "Chrome on Windows, mouse", [keys, pressSpace]],
  ["taps", "Chrome on Android", [taps, tapWidget]],
] as const;

/** Forgers that ask one real browser for what they can't compute themselves, and make up the rest. */
export const ORACLES: readonly Tool[] = GUISES.map(([guise, person, hands]) => ({
  name: `forger-oracle-${guise}-clicks`,
  kind: "automation",
  programs: [CHROMIUM],
  open: async (surroundings) => {
    const { layOut, close } = await openOracle(surroundings.testbed.openSession().rawUrl);
    const claim = async (_visit: number, { random }: Surroundings) => ({
      ...visitOf(findVisitor(person), hands, "clicks", random),
      layOut,
    });
    const { visit } = await openRaw(claim, surroundings);
    return { visit, close };
  },
}));
