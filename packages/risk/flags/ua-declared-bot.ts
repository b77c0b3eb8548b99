import { createIsbotFromList, list } from "isbot";
import { shownUserAgents } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { bounded } from "../user-agent.ts";

/** Command-line tools and HTTP libraries; all put their own name first. */
const TOOLS =
  /^(?:curl|wget|httpie|postmanruntime|insomnia|python|aiohttp|httpx|go-http-client|okhttp|axios|node|undici|got|deno|bun|java|jakarta|apache-httpclient|libwww-perl|lwp|ruby|faraday|php|guzzlehttp|reqwest|scrapy|colly|k6|apachebench|vegeta|wrk|siege)(?=$|[/ _-])/i;

/**
 * Texts that declare nothing: synthetic apps with plain names, as apps set them for their views,
 * and headless browsers, which have a flag of their own. A pattern that matches one of them matches
 * a shape, not a name.
 */
const DECLARES_NOTHING = [
  "Zyxo",
  "Zyxo/3",
  "Zyxo/3.1",
  "Zyxo/1.0",
  "Zyxo 3.1",
  "Zyxo/3.1 (Android)",
  "Zyxo/3.1 (a@b)",
  "zyxo".repeat(16),
  "Mozilla/5.0 Zyxo",
  "Mozilla/5.0 (Zyxo 3.1)",
  "Mozilla/5.0 (Linux; zyxo;",
  "Zyxo/1.0; Android",
  "HeadlessChrome/140.0.0.0 Safari",
  "PhantomJS/2.1.1 Safari",
];

/**
 * Names by which crawlers, monitors and tools declare themselves: the list of the library isbot,
 * without its shapes.
 */
function namesOfBots(): ReturnType<typeof createIsbotFromList> {
  const isName = (pattern: string): boolean => {
    const expression = new RegExp(pattern, "i");
    return !DECLARES_NOTHING.some((text) => expression.test(text));
  };
  return createIsbotFromList(list.filter(isName));
}

/** Built at the first visit: hundreds of expressions take a twentieth of the service's start. */
let isNamedAmong: ReturnType<typeof createIsbotFromList> | undefined;

function isNamed(text: string): boolean {
  isNamedAmong ??= namesOfBots();
  return isNamedAmong(text);
}

/**
 * A user agent declares a script, a library, a crawler or a monitor (isbot 5, and the names that
 * HTTP libraries give themselves). A native app with its library's default name counts as a script.
 */
export const uaDeclaredBot = {
  name: "ua_declared_bot",
  group: "environment",
  label: "The client identifies itself as a bot or a script.",
  weight: 4.5,
  detect: (evidence) =>
    shownUserAgents(evidence).some((text) => TOOLS.test(bounded(text)) || isNamed(bounded(text))),
} satisfies FlagRow;
