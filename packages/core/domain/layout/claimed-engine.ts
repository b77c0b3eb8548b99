import type { Engine } from "./layout-bank.ts";

/** The layout engine of the browser that a user agent claims to be. */
export type ClaimedEngine = {
  /** Undefined for anything but a known browser. */
  readonly engine: Engine | undefined;
  /** Its major version; 0 if unknown. */
  readonly version: number;
  /** Whether it is too old for the features that scenes use; false if the version is unknown. */
  readonly isOld: boolean;
};

/** The popular name of each engine family's browsers. */
export const ENGINE_NAMES: Readonly<Record<Engine, string>> = { blink: "Chromium", gecko: "Firefox", webkit: "Safari" };

/** The first versions with all that scenes use: container queries, layers, `:has`, constructed style sheets. */
const OLDEST = { blink: 105, gecko: 121, webkit: 16 } as const;

const VERSION_OF: readonly (readonly [Engine, RegExp])[] = [
  // All browsers on iOS are WebKit, whatever they call themselves. Those without a Safari version name the system's.
  ["webkit", /(?:iPhone|iPad|iPod).*? OS (\d{1,3})_/],
  ["blink", /Chrom(?:e|ium)\/(\d{1,4})/],
  ["gecko", /Firefox\/(\d{1,4})/],
  ["webkit", /Version\/(\d{1,3}).*Safari\//],
];

/** The engine behind an untrusted user agent, of which only the first 1024 characters are read. */
export function claimedEngine(userAgent: string): ClaimedEngine {
  const text = userAgent.slice(0, 1024);
  for (const [engine, pattern] of VERSION_OF) {
    const major = pattern.exec(text)?.[1];
    if (major !== undefined) return { engine, version: Number(major), isOld: Number(major) < OLDEST[engine] };
  }
  return { engine: undefined, version: 0, isOld: false };
}

/** The browser in words, such as "Firefox 153"; undefined for one that cannot answer scenes. */
export function browserName({ engine, version, isOld }: ClaimedEngine): string | undefined {
  return engine === undefined || isOld ? undefined : `${ENGINE_NAMES[engine]} ${version}`;
}
