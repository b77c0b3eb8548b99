import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { formPage, type Page, resultPage } from "./demo-pages.ts";
import { forVisitor } from "./for-visitor.ts";
import { type RedemptionRequest, redeemAsCustomer } from "./redeem-as-customer.ts";

/** What the demo needs of its start: where the service listens, and the keys of the demo site. */
export type DemoOptions = {
  /** Asked for at each submission, since the port is known only after the start; no slash at the end. */
  readonly baseUrl: () => string;
  readonly siteKey: string;
  readonly secretKey: string;
  /** The visitor's address as the service sees it, behind the same proxies. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** Whether a member of the site's account sends this, who may see scores; a visitor never sees his own (D9). */
  readonly maySeeScore: (request: IncomingMessage) => Promise<boolean>;
};

/** Larger than the largest token, the two fields, and their encoding. */
const FORM_BYTES = 16_384;

/** What the server that called `fetch` knows of the connection; absent when a request is handed in without one. */
type Connection = { readonly incoming?: IncomingMessage };

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

const readOwn = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

function send(context: Context, page: Page, status: 200 | 413 = 200): Response | Promise<Response> {
  context.header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  context.header("X-Frame-Options", "DENY");
  // The widget's requests tell by it which page they come from, where a browser sends no Origin.
  context.header("Referrer-Policy", "strict-origin-when-cross-origin");
  return context.html(page, status);
}

function sendOwn(context: Context, text: string, type: string): Response {
  return context.body(text, 200, { "Content-Type": type, "Cache-Control": "no-cache" });
}

/** The fields of a form or of a JSON object; none for anything else. */
async function readFields(context: Context): Promise<Readonly<Record<string, unknown>>> {
  try {
    const isJson = /^application\/json\b/i.test(context.req.header("content-type") ?? "");
    const fields: unknown = isJson ? await context.req.json() : await context.req.parseBody();
    return typeof fields === "object" && fields !== null ? (fields as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function incomingOf(context: Context): IncomingMessage | undefined {
  return (context.env as Connection | undefined)?.incoming;
}

async function toRequest(context: Context, addressOf: DemoOptions["addressOf"]): Promise<RedemptionRequest> {
  const incoming = incomingOf(context);
  const token = (await readFields(context))["stile-response"];
  return {
    // One character more than the service takes, so that it is the service that refuses.
    token: typeof token === "string" ? token.slice(0, TEXT_LIMITS.tokenAccepted + 1) : "",
    remoteip: incoming && addressOf(incoming),
    user_agent: context.req.header("user-agent"),
  };
}

/**
 * The demo: GET /demo is a form with the widget; POST /demo/submit plays the server of that form and redeems the token over HTTP like
 * any customer's. A JSON request gets `{ passed, status, answer }`, everything else a page; the answer's score is for members only.
 */
export function createDemoRoutes({ baseUrl, siteKey, secretKey, addressOf, maySeeScore }: DemoOptions): Hono {
  const style = readOwn("demo.css");
  const script = readOwn("demo.js");
  const routes = new Hono();
  routes.get("/demo", (context) => send(context, formPage(siteKey)));
  routes.get("/demo/demo.css", (context) => sendOwn(context, style, "text/css; charset=utf-8"));
  routes.get("/demo/demo.js", (context) => sendOwn(context, script, "text/javascript; charset=utf-8"));
  routes.post(
    "/demo/submit",
    // Without an announced length a body could come in crumbs, each of which weighs far more than its bytes.
    async (context, next) =>
      context.req.header("content-length") ? next() : context.text("Send a Content-Length.", 411),
    bodyLimit({ maxSize: FORM_BYTES, onError: (context) => context.text("The form is too large.", 413) }),
    async (context) => {
      const request = await toRequest(context, addressOf);
      const incoming = incomingOf(context);
      const isMember = incoming !== undefined && (await maySeeScore(incoming));
      const told = await redeemAsCustomer(baseUrl(), secretKey, request);
      const redemption = isMember ? told : forVisitor(told);
      if (!context.req.header("content-type")?.startsWith("application/json")) {
        return send(context, resultPage(request, redemption, isMember));
      }
      const { status, answer, hasPassed } =
        redemption.kind === "answered" ? redemption : { status: null, answer: null, hasPassed: false };
      return context.json({ passed: hasPassed, status, answer });
    },
  );
  return routes;
}
