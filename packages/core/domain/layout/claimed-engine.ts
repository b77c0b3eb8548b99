import type { Engine } from "./layout-bank.ts";

/** What lays out the pages of the browser that a user agent claims. */
export type ClaimedEngine = {
  /** Undefined for what is no known browser. */
  readonly engine: Engine | undefined;
  /** Its major version; 0 where it cannot be told. */
  readonly version: number;
  /** Whether it is too old for what scenes are made of; false where the version cannot be told. */
  readonly isOld: boolean;
};

/** What people call the browsers of each family. */
export const ENGINE_NAMES: Readonly<Record<Engine, string>> = { blink: "Chromium", gecko: "Firefox", webkit: "Safari" };

/** Versions from which on all of the grammar works: container queries, layers, `:has`, constructed style sheets. */
const OLDEST = { blink: 105, gecko: 121, webkit: 16 } as const;

const VERSION_OF: readonly (readonly [Engine, RegExp])[] = [
  // All browsers of iOS are WebKit, whatever they call themselves; those without a version of Safari name the system's.
  ["webkit", /(?:iPhone|iPad|iPod).*? OS (\d{1,3})_/],
  ["blink", /Chrom(?:e|ium)\/(\d{1,4})/],
  ["gecko", /Firefox\/(\d{1,4})/],
  ["webkit", /Version\/(\d{1,3}).*Safari\//],
];

/** The engine behind an untrusted user agent, read no further than 1024 characters. */
export function claimedEngine(userAgent: string): ClaimedEngine {
  const text = userAgent.slice(0, 1024);
  for (const [engine, pattern] of VERSION_OF) {
    const major = pattern.exec(text)?.[1];
    if (major !== undefined) return { engine, version: Number(major), isOld: Number(major) < OLDEST[engine] };
  }
  return { engine: undefined, version: 0, isOld: false };
}

/** The browser in words, such as "Firefox 153"; undefined for one that cannot answer. */
export function browserName({ engine, version, isOld }: ClaimedEngine): string | undefined {
  return engine === undefined || isOld ? undefined : `${ENGINE_NAMES[engine]} ${version}`;
}
