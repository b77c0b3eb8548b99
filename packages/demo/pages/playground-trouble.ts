import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Site } from "@stile/core/domain/site/site";
import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import {
  type Answer,
  errorAnswer,
  notFound,
  type RequestContext,
} from "@stile/server/http/answer/answer";
import type { HttpRoute } from "@stile/server/http/http-route";
import type { ApiPorts } from "@stile/server/http/v1/api-ports";
import { powChallengeRoute } from "@stile/server/http/v1/pow/challenge/pow-challenge";
import { verifyRoute } from "@stile/server/http/v1/verify/verify";
import { FAILURES, type Failure } from "./playground-choices.ts";

/**
 * Below this path the service answers with another mode or a failure. The names of both follow,
 * then the endpoint.
 */
const PREFIX = "/playground/as/";
/** Means that the mode is unchanged. */
const OWN_MODE = "own";

/**
 * The address of a service with that mode (undefined: the site's own) and that failure, without a
 * slash at the end.
 */
export const troubledAddress = (mode: SiteMode | undefined, failure: Failure): string =>
  `${PREFIX}${mode ?? OWN_MODE}/${failure}`;

/** The life, in seconds, of a token that is meant to expire. */
const SHORT_LIFE_SECONDS = 5;
const SLOW_MS = 2_000;
/**
 * The most requests that may wait at once. Further ones are answered without delay, so that they
 * use no memory here.
 */
const MAX_WAITING = 32;
const FOREIGN_PAGE = "https://not-listed.example";
const RETRY_AFTER_SECONDS = "30";
/**
 * Browsers do not follow a redirect to such a URL, so the request fails as if the service were
 * down. Closing the connection instead would make proxies mark the node as dead.
 */
const NOWHERE: Answer = {
  status: 302,
  body: undefined,
  headers: { Location: "data:," },
  isUnlogged: true,
};

/** A file of the widget, by its name at the service. */
const FILE = /^(\w[\w-]*\.js|frame|languages\/[\w-]+\.json)$/;

type Way = {
  readonly mode: SiteMode | undefined;
  readonly failure: Failure;
  readonly rest: string;
};

/** Parses `/playground/as/MODE/FAILURE/REST`; undefined for anything else. */
function readWay(url: string): Way | undefined {
  const [mode = "", failure = "", ...rest] = url
    .replace(/\?.*$/s, "")
    .slice(PREFIX.length)
    .split("/");
  if (mode !== OWN_MODE && !Object.hasOwn(SITE_MODES, mode)) return undefined;
  if (!Object.hasOwn(FAILURES, failure)) return undefined;
  return {
    mode: mode === OWN_MODE ? undefined : (mode as SiteMode),
    failure: failure as Failure,
    rest: rest.join("/"),
  };
}

/**
 * The ports of the demo's site with the playground's changes. These are never laxer: they may
 * require a click or shorten a token's life. Any other mode is only reported to the widget. No
 * other site can be used here.
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

type JsonFields = { readonly [name: string]: unknown };

/** The challenge, or an answer that contains one, with the mode that the widget sees. */
function inMode(data: JsonFields, mode: SiteMode | undefined): JsonFields {
  if (mode === undefined) return data;
  const { challenge } = data;
  if (typeof challenge === "object")
    return { ...data, challenge: inMode(challenge as JsonFields, mode) };
  return typeof data.mode === "string" ? { ...data, mode } : data;
}

/**
 * The work that a challenge asks for, in a header that the page can read (Server Timing), next to
 * the time it took.
 */
function workHeader({ k, difficulty }: JsonFields): Record<string, string> {
  return typeof k === "number" && typeof difficulty === "number"
    ? {
        "Server-Timing": `work;desc="${k} nonces, about ${difficulty.toLocaleString("en")} hashes"`,
      }
    : {};
}

function adaptAnswer(answer: Answer, { mode }: Way): Answer {
  const { data } = answer.body as { readonly data?: JsonFields };
  if (answer.status !== 200 || data === undefined) return answer;
  const headers = { ...answer.headers, ...workHeader(data) };
  return { ...answer, headers, body: { ...(answer.body as object), data: inMode(data, mode) } };
}

/** The answer of a failure to a challenge or a solution; undefined if the service answers. */
function failInstead(
  isChallenge: boolean,
  failure: Failure,
  context: RequestContext,
): Answer | undefined {
  if (failure === "rate_limited" && isChallenge) {
    const message =
      "Too many challenges this minute. Try again after the time given in Retry-After.";
    const limited = errorAnswer("rate_limited", context, {
      message,
      headers: { "Retry-After": RETRY_AFTER_SECONDS },
    });
    return { ...limited, isUnlogged: true };
  }
  if (failure !== "blocked" || isChallenge) return undefined;
  const data = { verified: false, next: "blocked", request_id: context.requestId };
  return { status: 200, body: { success: true, data } };
}

/**
 * The addresses of a widget in the playground. The widget's files are the service's own. Challenges
 * and solutions are those of the demo's site, in another mode or with a failure. There is no CORS
 * here, so only pages of the service's own origin can read the answers.
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

  const answerApi = async (
    request: IncomingMessage,
    context: RequestContext,
    way: Way,
  ): Promise<Answer> => {
    const { failure, rest } = way;
    if (failure === "away") return NOWHERE;
    if (failure === "slow") await wait();
    if (failure === "wrong_host") request.headers.origin = FOREIGN_PAGE;
    const isChallenge = rest === "api/v1/pow/challenge";
    const failed = failInstead(isChallenge, failure, context);
    if (failed !== undefined) return failed;
    const ports = portsOf(api, demoSiteKey, way);
    const route = isChallenge ? powChallengeRoute(ports) : verifyRoute(ports);
    return adaptAnswer(await route.handle(request, context), way);
  };

  const handle: HttpRoute["handle"] = (request, context) => {
    const way = readWay(request.url ?? "");
    if (way?.rest === "api/v1/pow/challenge" || way?.rest === "api/v1/verify")
      return answerApi(request, context, way);
    const isFile =
      way !== undefined &&
      (request.method === "GET" || request.method === "HEAD") &&
      FILE.test(way.rest);
    if (!isFile) return notFound(context);
    return {
      status: 302,
      body: undefined,
      headers: { Location: `/${way.rest}`, "Cache-Control": "public, max-age=300" },
    };
  };
  return { method: "ALL", path: `${PREFIX}*`, handle };
}
