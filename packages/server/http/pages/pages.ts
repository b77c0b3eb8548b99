import type { IncomingMessage } from "node:http";
import { createOpenApi } from "@stile/protocol/schemas/openapi";
import type { Answer } from "../answer/answer.ts";
import type { HttpRoute } from "../http-route.ts";
import { answerFile } from "./static-file.ts";
import type { WidgetFile } from "./widget-files.ts";

/** The parts that serve everything except the endpoints, the dashboard and the demo. */
export type PageParts = {
  readonly files: ReadonlyMap<string, WidgetFile>;
  /** Where `/` redirects to. */
  readonly home: "/demo" | "/dashboard";
  /**
   * Why the service should get no requests: it stops, or the store can't be written to. Undefined
   * if it should.
   */
  readonly findObstacle: () => Promise<string | undefined>;
  /** A remark for the operator while the service works; undefined if there is none. */
  readonly findRemark: () => string | undefined;
};

/**
 * Files change only with an upgrade. Five minutes are short enough for its parts to stay in step.
 */
const CACHE = "public, max-age=300";

/** Lets the pages of every site load and read the file. */
const FOR_ALL = {
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
} as const;

function answerWidgetFile(request: IncomingMessage, file: WidgetFile): Answer {
  return answerFile(request, file, {
    "Cache-Control": CACHE,
    // Pages with Cross-Origin-Embedder-Policy may load these. A worker needs the policy of the
    // frame that starts it.
    ...FOR_ALL,
    "Cross-Origin-Embedder-Policy": "require-corp",
    ...(file.contentSecurityPolicy && { "Content-Security-Policy": file.contentSecurityPolicy }),
  });
}

async function answerReady({ findObstacle, findRemark }: PageParts): Promise<Answer> {
  const reason = await findObstacle();
  return reason === undefined
    ? { status: 200, body: { status: "ready", remark: findRemark() } }
    : { status: 503, body: { status: "not_ready", reason } };
}

function describeApi(): Answer {
  return {
    status: 200,
    body: new TextEncoder().encode(JSON.stringify(createOpenApi())),
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": CACHE,
      ...FOR_ALL,
    },
  };
}

/** The widget's files, health, OpenAPI, and the redirect from `/`. */
export function createPages(parts: PageParts): readonly HttpRoute[] {
  const get = (path: string, handle: HttpRoute["handle"]): HttpRoute => ({
    method: "GET",
    path,
    handle,
  });
  const getFile = ([path, file]: readonly [string, WidgetFile]): HttpRoute => ({
    ...get(path, (request) => answerWidgetFile(request, file)),
    // The widget fetches these through the page's own `fetch`, which may add headers. Imports do
    // not.
    ...(path.startsWith("/languages/") && { corsMethod: "GET" }),
  });
  let openApi: Answer | undefined;
  return [
    ...[...parts.files].map(getFile),
    get("/healthz", () => ({ status: 200, body: { status: "ok" } })),
    get("/readyz", () => answerReady(parts)),
    get("/api/v1/openapi.json", () => {
      // Built on the first request, so that a start does not wait for it.
      openApi ??= describeApi();
      return openApi;
    }),
    get("/", () => ({ status: 302, body: undefined, headers: { Location: parts.home } })),
  ];
}
