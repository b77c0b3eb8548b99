import { createOpenApi } from "@stile/protocol/schemas/openapi";
import { type Context, Hono } from "hono";
import { notFound } from "../answer.ts";
import { createDashboardPages, type DashboardFiles } from "../dashboard/dashboard-files.ts";
import type { WidgetFile } from "./widget-files.ts";

/** What is served beside the four endpoints. */
export type PageParts = {
  readonly files: ReadonlyMap<string, WidgetFile>;
  readonly dashboard: DashboardFiles;
  /** Routes of the demo, where it is on. */
  readonly demo: Hono | undefined;
  /** Why it should get no requests: it stops, or the store can't be written to. Undefined if it should. */
  readonly findObstacle: () => Promise<string | undefined>;
  /** What an operator should look into although the service works; undefined if there is nothing. */
  readonly findRemark: () => string | undefined;
};

/** Files change only with an upgrade of the service; five minutes keep its parts from drifting apart. */
const CACHE = "public, max-age=300";

/** Every site's pages may load and read it. */
const FOR_ALL = { "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*" } as const;

/** The listener set it before it handed the request on; answers carry it through Hono too. */
function requestId(context: Context): string {
  const outgoing = (context.env as { outgoing?: { getHeader(name: string): unknown } }).outgoing;
  return String(outgoing?.getHeader("X-Request-Id") ?? "");
}

function sendFile(context: Context, file: WidgetFile): Response {
  const headers: Record<string, string> = {
    "Content-Type": file.type,
    "Cache-Control": CACHE,
    ETag: file.etag,
    Vary: "Accept-Encoding",
    // Pages with Cross-Origin-Embedder-Policy may load these; a worker needs the policy of the frame that starts it.
    ...FOR_ALL,
    "Cross-Origin-Embedder-Policy": "require-corp",
    ...(file.contentSecurityPolicy && { "Content-Security-Policy": file.contentSecurityPolicy }),
  };
  if (context.req.header("if-none-match") === file.etag) return new Response(null, { status: 304, headers });
  const takesGzip = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
  if (takesGzip) headers["Content-Encoding"] = "gzip";
  return new Response(takesGzip ? file.gzip : file.plain, { headers });
}

/**
 * Everything over HTTP that is not one of the endpoints: files of the widget and the dashboard, health, OpenAPI,
 * the demo. The listener has set the headers of every answer before; here are those that differ.
 */
export function createPages(parts: PageParts): Hono {
  const pages = new Hono();
  for (const [path, file] of parts.files) pages.get(path, (context) => sendFile(context, file));
  pages.get("/healthz", (context) => context.json({ status: "ok" }));
  pages.get("/readyz", async (context) => {
    const reason = await parts.findObstacle();
    return reason === undefined
      ? context.json({ status: "ready", remark: parts.findRemark() })
      : context.json({ status: "not_ready", reason }, 503);
  });
  const openApi = new TextEncoder().encode(JSON.stringify(createOpenApi()));
  const openApiHeaders = { "Content-Type": "application/json", "Cache-Control": CACHE, ...FOR_ALL };
  pages.get("/api/v1/openapi.json", (context) => context.body(openApi, 200, openApiHeaders));
  pages.route("/", createDashboardPages(parts.dashboard));
  if (parts.demo !== undefined) pages.route("/", parts.demo);
  pages.get("/", (context) => context.redirect(parts.demo === undefined ? "/dashboard" : "/demo"));
  pages.notFound((context) => context.json(notFound({ requestId: requestId(context) }).body as object, 404));
  return pages;
}
