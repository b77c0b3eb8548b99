import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Site } from "@stile/core/domain/site/site";
import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import { type Answer, errorAnswer, notFound, type RequestContext } from "../http/answer/answer.ts";
import type { HttpRoute } from "../http/http-route.ts";
import type { ApiPorts } from "../http/v1/api-ports.ts";
import { powChallengeRoute } from "../http/v1/pow/challenge/pow-challenge.ts";
import { verifyRoute } from "../http/v1/verify/verify.ts";
import { FAILURES, type Failure } from "./playground-choices.ts";

/** Where the service answers as if its site had another mode, or with a failure; before both their names and an endpoint. */
const PREFIX = "/playground/as/";
/** The mode is left as it is. */
const OWN_MODE = "own";

/** The address of a service whose site is in that mode, undefined for its own, with that failure; no slash at its end. */
export const troubledAddress = (mode: SiteMode | undefined, failure: Failure): string =>
  `${PREFIX}${mode ?? OWN_MODE}/${failure}`;

/** The life of a token that is to expire, s. */
const SHORT_LIFE_SECONDS = 5;
const SLOW_MS = 2_000;
/** So many requests wait at once; whoever makes more waits no longer than elsewhere, and holds nothing here. */
const MAX_WAITING = 32;
const FOREIGN_PAGE = "https://not-listed.example";
const RETRY_AFTER_SECONDS = "30";
/**
 * No browser follows a redirect to such an address: its request fails there as one that nobody answers. A connection that is
 * really ended would make proxies, which count such ends, take every node for dead.
 */
const NOWHERE: Answer = { status: 302, body: undefined, headers: { Location: "data:," }, isUnlogged: true };

/** A file of the widget, as it is named at the service. */
const FILE = /^(\w[\w-]*\.js|frame|languages\/[\w-]+\.json)$/;

type Way = { readonly mode: SiteMode | undefined; readonly failure: Failure; readonly rest: string };

/** `/playground/as/MODE/FAILURE/REST`, or undefined. */
function readWay(url: string): Way | undefined {
  const [mode = "", failure = "", ...rest] = url.replace(/\?.*$/s, "").slice(PREFIX.length).split("/");
  if (mode !== OWN_MODE && !Object.hasOwn(SITE_MODES, mode)) return undefined;
  if (!Object.hasOwn(FAILURES, failure)) return undefined;
  return {
    mode: mode === OWN_MODE ? undefined : (mode as SiteMode),
    failure: failure as Failure,
    rest: rest.join("/"),
  };
}

/**
 * The demo's site as the playground has it: never laxer than it is. A click may be demanded and a life shortened; of the other modes
 * only the widget is told. No other site can be used here.
 */
function portsOf(api: ApiPorts, demoSiteKey: string, { mode, failure }: Way): ApiPorts {
  const change: Partial<Site> = {
    ...(mode === "interactive" && { mode }),
    ...(failure === "expired" && { tokenLifeSeconds: SHORT_LIFE_SECONDS }),
  };
  const { directory } = api;
  const findSite = async (siteKey: string) => {
    const site = siteKey === demoSiteKey ? await directory.findSite(siteKey) : undefined;
    return site && { ...site, ...change };
  };
  return {
    ...api,
    directory: {
      findSite,
      findSiteBySecret: async () => undefined,
      findAccount: (accountId) => directory.findAccount(accountId),
      forget: (siteKey) => directory.forget(siteKey),
    },
  };
}

type Fields = { readonly [name: string]: unknown };

/** A challenge, or an answer with one in it, whose widget is told that mode. */
function inMode(data: Fields, mode: SiteMode | undefined): Fields {
  if (mode === undefined) return data;
  const { challenge } = data;
  if (typeof challenge === "object") return { ...data, challenge: inMode(challenge as Fields, mode) };
  return typeof data.mode === "string" ? { ...data, mode } : data;
}

/** The work that a challenge asks for, where the page can read it beside how long the answer took (Server Timing). */
function tellWork({ k, difficulty }: Fields): Record<string, string> {
  return typeof k === "number" && typeof difficulty === "number"
    ? { "Server-Timing": `work;desc="${k} nonces, about ${difficulty.toLocaleString("en")} hashes"` }
    : {};
}

function told(answer: Answer, { mode }: Way): Answer {
  const { data } = answer.body as { readonly data?: Fields };
  if (answer.status !== 200 || data === undefined) return answer;
  const headers = { ...answer.headers, ...tellWork(data) };
  return { ...answer, headers, body: { ...(answer.body as object), data: inMode(data, mode) } };
}

/** What a failure answers to a challenge or a solution; undefined where the service answers. */
function failInstead(isChallenge: boolean, failure: Failure, context: RequestContext): Answer | undefined {
  if (failure === "rate_limited" && isChallenge) {
    const message = "Too many challenges this minute. Try again after the time in Retry-After.";
    const limited = errorAnswer("rate_limited", context, { message, headers: { "Retry-After": RETRY_AFTER_SECONDS } });
    return { ...limited, isUnlogged: true };
  }
  if (failure !== "blocked" || isChallenge) return undefined;
  const data = { verified: false, next: "blocked", request_id: context.requestId };
  return { status: 200, body: { success: true, data } };
}

/**
 * The addresses of a widget in the playground: its files are those of the service, challenges and solutions those of the demo's site
 * in another mode or with a failure. For pages of the service's own origin: nothing here answers other origins (CORS).
 */
export function createTroubleRoute(api: ApiPorts, demoSiteKey: string): HttpRoute {
  let waiting = 0;
  const wait = async (): Promise<void> => {
    if (waiting >= MAX_WAITING) return;
    waiting += 1;
    await delay(SLOW_MS, undefined, { ref: false }).finally(() => {
      waiting -= 1;
    });
  };

  const answerApi = async (request: IncomingMessage, context: RequestContext, way: Way): Promise<Answer> => {
    const { failure, rest } = way;
    if (failure === "away") return NOWHERE;
    if (failure === "slow") await wait();
    if (failure === "wrong_host") request.headers.origin = FOREIGN_PAGE;
    const isChallenge = rest === "api/v1/pow/challenge";
    const failed = failInstead(isChallenge, failure, context);
    if (failed !== undefined) return failed;
    const ports = portsOf(api, demoSiteKey, way);
    const route = isChallenge ? powChallengeRoute(ports) : verifyRoute(ports);
    return told(await route.handle(request, context), way);
  };

  const handle: HttpRoute["handle"] = (request, context) => {
    const way = readWay(request.url ?? "");
    if (way?.rest === "api/v1/pow/challenge" || way?.rest === "api/v1/verify") return answerApi(request, context, way);
    const isFile = way !== undefined && (request.method === "GET" || request.method === "HEAD") && FILE.test(way.rest);
    if (!isFile) return notFound(context);
    return {
      status: 302,
      body: undefined,
      headers: { Location: `/${way.rest}`, "Cache-Control": "public, max-age=300" },
    };
  };
  return { method: "ALL", path: `${PREFIX}*`, handle };
}
