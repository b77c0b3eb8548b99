import type { BrowserFacts } from "@stile/protocol/signals";
import { clip, fieldsOf, numberOr } from "../untrusted.ts";

/** The properties by which the places of a browser are compared, as found: not checked yet. */
export type FoundFacts = {
  readonly [K in
    | "userAgent"
    | "platform"
    | "languages"
    | "webdriver"
    | "hardwareConcurrency"]?: unknown;
};

/** Reads them from the navigator of a window or of a worker. */
export function readNavigator(navigator: FoundFacts): FoundFacts {
  const { userAgent, platform, languages, webdriver, hardwareConcurrency } = navigator;
  return { userAgent, platform, languages, webdriver, hardwareConcurrency };
}

/**
 * Turns any value into facts of bounded size; values of an unexpected type become null or empty.
 */
export function factsOf(found: unknown, maxUserAgent = 512): BrowserFacts {
  const { userAgent, platform, languages, webdriver, hardwareConcurrency } = fieldsOf(found);
  const names: readonly unknown[] = Array.isArray(languages) ? languages : [];
  return {
    userAgent: clip(userAgent, maxUserAgent),
    platform: clip(platform, 64),
    languages: names.slice(0, 8).map((name) => clip(name, 32)),
    webdriver: typeof webdriver === "boolean" ? webdriver : null,
    cores: numberOr(Number.isInteger(hardwareConcurrency) && hardwareConcurrency, 1, 4096),
  };
}
