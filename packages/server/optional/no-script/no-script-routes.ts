import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { SiteInWords } from "@stile/core/no-script/delay-request";
import { type DelayAnswer, issueDelay } from "@stile/core/no-script/issue-delay";
import { type DelaySubmissionAnswer, submitDelay } from "@stile/core/no-script/submit-delay";
import type { Answer, RequestContext } from "../../http/answer/answer.ts";
import { retryAfter } from "../../http/answer/limit-headers.ts";
import { pageStyle } from "../../http/pages/page-style.ts";
import type { ApiPorts } from "../../http/v1/api-ports.ts";
import type { RouteSet } from "../../sockets/route-set.ts";
import { earlyPage, tokenPage, waitingPage } from "./no-script-pages.ts";
import {
  type NoScriptForm,
  type NoScriptQuery,
  readForm,
  readNoScriptQuery,
} from "./no-script-request.ts";
import { badRequest, failed, page, refuse, wrongMethod } from "./no-script-trouble.ts";
import { type FindWords, loadWords, type Words } from "./words.ts";

function toWaitingPage(
  answer: DelayAnswer,
  query: NoScriptQuery,
  context: RequestContext,
  words: Words,
): Answer {
  if (answer.kind !== "waiting") return refuse(answer, query, context, words);
  return page(
    200,
    words,
    waitingPage(words, { ...query, host: answer.host }, answer.delay, answer.waitMs),
  );
}

function toTokenPage(
  answer: DelaySubmissionAnswer,
  form: NoScriptForm,
  context: RequestContext,
  { words, nowMs }: { readonly words: Words; readonly nowMs: number },
): Answer {
  switch (answer.kind) {
    case "waiting":
      return page(200, words, earlyPage(words, form, answer.delay, answer.waitMs));
    case "limited": {
      const early = earlyPage(words, form, answer.delay, answer.limit.resetsInMs);
      return { ...page(429, words, early, retryAfter(answer.limit)), isUnlogged: true };
    }
    case "issued":
      return page(200, words, tokenPage(words, answer, form.host, nowMs));
    default:
      return refuse(answer, form, context, words);
  }
}

type NoScriptPorts = ApiPorts & { readonly findWords: FindWords };

/**
 * GET /noscript shows the wait; POST /noscript returns the token to paste into the form (D18, no
 * JavaScript).
 */
async function noScript(
  ports: NoScriptPorts,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  const { requestId } = context;
  const visitor = ports.visitors.read(request);
  const wordsOf = (site?: SiteInWords): Words => ports.findWords(request, site?.language);
  if (request.method === "POST") {
    const form = await readForm(request);
    if (form === undefined) return badRequest(wordsOf());
    const answer = await submitDelay(ports, { ...form, requestId, visitor });
    const words = wordsOf(answer.site);
    return toTokenPage(answer, form, context, { words, nowMs: ports.clock.nowMs() });
  }
  if (request.method !== "GET" && request.method !== "HEAD") return wrongMethod(wordsOf());
  const query = readNoScriptQuery(request);
  if (query === undefined) return badRequest(wordsOf());
  const answer = await issueDelay(ports, { ...query, requestId, visitor });
  return toWaitingPage(
    answer,
    { ...query, host: query.host ?? undefined },
    context,
    wordsOf(answer.site),
  );
}

/** The routes for visitors without JavaScript: the page and its style sheet. */
export const noScriptRoutes: RouteSet = ({ api }) => {
  const ports: NoScriptPorts = { ...api, findWords: loadWords() };
  const style = pageStyle(join(import.meta.dirname, "no-script.css"));
  return [
    {
      path: "/noscript",
      method: "ALL",
      handle: (request, context) => noScript(ports, request, context),
      shapeFault: (fault, request, context) =>
        failed(fault, context, ports.findWords(request, undefined)),
    },
    { path: "/noscript/no-script.css", method: "GET", handle: () => style },
  ];
};
