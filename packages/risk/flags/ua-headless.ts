import { knownEnvironment, type RiskEvidence, shownUserAgents } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { bounded } from "../user-agent.ts";

/** The names that browsers without a window or without a renderer give themselves. */
const HEADLESS = /Headless|PhantomJS|SlimerJS|HtmlUnit|\bjsdom\b|HappyDOM/i;

/** Brands of the headers and of the page, as one text. */
function shownBrands(evidence: RiskEvidence): string {
  const ofPage = knownEnvironment(evidence)?.clientHints?.brands.map(({ name }) => name) ?? [];
  return [evidence.headers?.["sec-ch-ua"]?.slice(0, 1024) ?? "", ...ofPage].join();
}

/**
 * A user agent or brand of the request, the page or the solver's frame names a headless browser,
 * which people do not browse with.
 */
export const uaHeadless = {
  name: "ua_headless",
  group: "environment",
  label: "The browser identifies itself as headless.",
  weight: 4.5,
  detect: (evidence) =>
    shownUserAgents(evidence).some((text) => HEADLESS.test(bounded(text))) ||
    /Headless/i.test(shownBrands(evidence)),
} satisfies FlagRow;
