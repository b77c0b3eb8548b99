import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { BODY_LIMITS, TEXT_LIMITS } from "@stile/protocol/limits";
import type { Answer } from "@stile/server/http/answer/answer";
import type { Markup } from "@stile/server/http/answer/html";
import type { HttpRoute } from "@stile/server/http/http-route";
import { pageStyle } from "@stile/server/http/pages/page-style";
import { parseBody, readBytes } from "@stile/server/http/request/body";
import { formPage, resultPage } from "./demo-pages.ts";
import { forVisitor } from "./for-visitor.ts";
import { type RedemptionRequest, redeemAsCustomer } from "./redeem-as-customer.ts";

/** The parts that the demo needs: the service's address, and the keys of the demo site. */
export type DemoOptions = {
  /**
   * Called at each submission, because the port is known only after the start. The URL has no slash
   * at the end.
   */
  readonly baseUrl: () => string;
  readonly siteKey: string;
  readonly secretKey: string;
  /** The visitor's address as the service sees it, behind the same proxies. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /**
   * Whether a member of the site's account sent the request. Members may see scores; visitors never
   * see their own (D9, submission).
   */
  readonly maySeeScore: (request: IncomingMessage) => Promise<boolean>;
};

/** Larger than the largest token and the two fields, encoded. */
const FORM_BYTES = BODY_LIMITS.tokenVerify.bytes;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** A page of the demo as an answer, with its policy. */
export function demoPage({ markup }: Markup): Answer {
  const headers = {
    "Content-Type": "text/html; charset=UTF-8",
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Frame-Options": "DENY",
    // If a browser sends no Origin, the widget's requests name their page by the Referer.
    "Referrer-Policy": "strict-origin-when-cross-origin",
  };
  return { status: 200, body: markup, headers };
}

/** A file of this folder. */
export function demoFile(name: string, type: string): Answer {
  const body = readFileSync(join(import.meta.dirname, name));
  return { status: 200, body, headers: { "Content-Type": type, "Cache-Control": "no-cache" } };
}

function refuse(status: 411 | 413, body: string): Answer {
  return {
    status,
    body,
    headers: { "Content-Type": "text/plain; charset=UTF-8" },
    isUnlogged: true,
  };
}

const FIELD = "stile-response";

/**
 * The token in a JSON object or a form; "" if there is none. A form may have thousands of fields,
 * so only one is decoded.
 */
function readToken(type: string, bytes: Buffer): string {
  if (/^application\/json\b/i.test(type)) {
    const reading = parseBody(bytes, BODY_LIMITS.tokenVerify);
    const token = reading.kind === "object" ? reading.object[FIELD] : undefined;
    return typeof token === "string" ? token : "";
  }
  const [field] = /(?<=^|&)stile-response=[^&]*/.exec(bytes.toString()) ?? [];
  return new URLSearchParams(field).get(FIELD) ?? "";
}

/** The call that the form's server makes, or the refusal of a form. */
async function toRedemption(
  request: IncomingMessage,
  addressOf: DemoOptions["addressOf"],
): Promise<RedemptionRequest | Answer> {
  const { headers } = request;
  const length = headers["content-length"];
  // Without an announced length, a body could arrive in tiny pieces. Those take far more memory
  // than their bytes.
  if (length === undefined) return refuse(411, "Send a Content-Length.");
  const bytes = Number(length) > FORM_BYTES ? "too_large" : await readBytes(request, FORM_BYTES);
  if (bytes === "too_large") return refuse(413, "The form is too large.");
  return {
    // One character more than the service accepts, so that the service refuses the token and not
    // the demo.
    token: readToken(headers["content-type"] ?? "", bytes).slice(0, TEXT_LIMITS.tokenAccepted + 1),
    remoteip: addressOf(request),
    user_agent: headers["user-agent"],
  };
}

async function submit(options: DemoOptions, request: IncomingMessage): Promise<Answer> {
  const { baseUrl, secretKey, addressOf, maySeeScore } = options;
  const asked = await toRedemption(request, addressOf);
  if ("status" in asked) return asked;
  const isMember = await maySeeScore(request);
  const full = await redeemAsCustomer(baseUrl(), secretKey, asked);
  const redemption = isMember ? full : forVisitor(full);
  if (!request.headers["content-type"]?.startsWith("application/json")) {
    return demoPage(resultPage(asked, redemption, isMember));
  }
  const { status, answer, hasPassed } =
    redemption.kind === "answered" ? redemption : { status: null, answer: null, hasPassed: false };
  return { status: 200, body: { passed: hasPassed, status, answer } };
}

/**
 * The demo. GET /demo is a form with the widget. POST /demo/submit acts as the server of that form
 * and redeems the token over HTTP, as a customer's server does. A JSON request gets `{ passed,
 * status, answer }`, any other a page. Only members see the score.
 */
export function createDemoRoutes(options: DemoOptions): readonly HttpRoute[] {
  const form = demoPage(formPage(options.siteKey));
  const style = pageStyle(join(import.meta.dirname, "demo.css"));
  const script = demoFile("demo.js", "text/javascript; charset=utf-8");
  return [
    { method: "GET", path: "/demo", handle: () => form },
    { method: "GET", path: "/demo/demo.css", handle: () => style },
    { method: "GET", path: "/demo/demo.js", handle: () => script },
    { method: "POST", path: "/demo/submit", handle: (request) => submit(options, request) },
  ];
}
