import { TEXT_LIMITS } from "@stile/protocol/limits";
import { type Detector, knownEnvironment, type RiskEvidence, requestUserAgent, shownUserAgents } from "../evidence.ts";

/** Browsers without a window or without a renderer name themselves so. */
const HEADLESS = /Headless|PhantomJS|SlimerJS|HtmlUnit|\bjsdom\b|HappyDOM/i;

/** Command-line tools and HTTP libraries; all put their own name first. */
const TOOLS =
  /^(?:curl|wget|httpie|postmanruntime|insomnia|python|aiohttp|httpx|go-http-client|okhttp|axios|node|undici|got|deno|bun|java|jakarta|apache-httpclient|libwww-perl|lwp|ruby|faraday|php|guzzlehttp|reqwest|scrapy|colly|k6|apachebench|vegeta|wrk|siege)(?=$|[/ _-])/i;

/** Words by which crawlers declare themselves. Phones of the make Cubot carry their name in the user agent. */
const CRAWLERS =
  /(?<!cu)bot(?![a-z])|crawl(?:er|ing)|spider|scraper|slurp|archiver|facebookexternalhit|Lighthouse|Mediapartners-Google|\+https?:\/\//i;

const bounded = (text: string): string => text.slice(0, TEXT_LIMITS.userAgent).trim();

/** Brands of the headers and of the page, as one text. */
function shownBrands(evidence: RiskEvidence): string {
  const ofPage = knownEnvironment(evidence)?.clientHints?.brands.map(([name]) => name) ?? [];
  return [evidence.headers?.["sec-ch-ua"]?.slice(0, 1024) ?? "", ...ofPage].join();
}

/** A user agent or brand of the request, the page or the solver's frame names a headless browser. People have none. */
export const uaHeadless: Detector = (evidence) =>
  shownUserAgents(evidence).some((text) => HEADLESS.test(bounded(text))) || /Headless/i.test(shownBrands(evidence));

/**
 * A user agent declares a script, a library or a crawler. Browsers start with "Mozilla/" or "Opera/" and carry none of
 * the crawlers' words; native apps that call with their library's default name are scripts to a page's defence.
 */
export const uaDeclaredBot: Detector = (evidence) =>
  shownUserAgents(evidence).some((text) => TOOLS.test(bounded(text)) || CRAWLERS.test(bounded(text)));

/**
 * The visitor's request had no user agent. Browsers always send one; only where the request is known to be whole: the
 * visitor called the service himself, or the customer passed an empty one, or passed `accept` without one.
 */
export const uaMissing: Detector = (evidence) => {
  const text = requestUserAgent(evidence);
  if (text !== undefined) return text.trim() === "";
  return evidence.solve !== undefined || evidence.headers?.accept !== undefined;
};
