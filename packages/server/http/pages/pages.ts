import type { IncomingMessage } from "node:http";
import { createOpenApi } from "@stile/protocol/schemas/openapi";
import type { Answer } from "../answer/answer.ts";
import type { HttpRoute } from "../http-route.ts";
import { answerFile } from "./static-file.ts";
import type { WidgetFile } from "./widget-files.ts";

/** What is served beside the endpoints, the dashboard and the demo. */
export type PageParts = {
  readonly files: ReadonlyMap<string, WidgetFile>;
  /** Where the bare address of the service leads. */
  readonly home: "/demo" | "/dashboard";
  /** Why it should get no requests: it stops, or the store can't be written to. Undefined if it should. */
  readonly findObstacle: () => Promise<string | undefined>;
  /** What an operator should look into although the service works; undefined if there is nothing. */
  readonly findRemark: () => string | undefined;
};

/** Files change only with an upgrade of the service; five minutes keep its parts from drifting apart. */
const CACHE = "public, max-age=300";

/** Every site's pages may load and read it. */
const FOR_ALL = { "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*" } as const;

function answerWidgetFile(request: IncomingMessage, file: WidgetFile): Answer {
  return answerFile(request, file, {
    "Cache-Control": CACHE,
    // Pages with Cross-Origin-Embedder-Policy may load these; a worker needs the policy of the frame that starts it.
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
    headers: { "Content-Type": "application/json", "Cache-Control": CACHE, ...FOR_ALL },
  };
}

/** Files of the widget, health, OpenAPI, and the way from the bare address. */
export function createPages(parts: PageParts): readonly HttpRoute[] {
  const get = (path: string, handle: HttpRoute["handle"]): HttpRoute => ({ method: "GET", path, handle });
  const getFile = ([path, file]: readonly [string, WidgetFile]): HttpRoute => ({
    ...get(path, (request) => answerWidgetFile(request, file)),
    // What the widget fetches and does not import goes through the page's own `fetch`, with the headers that this adds.
    ...(path.startsWith("/languages/") && { corsMethod: "GET" }),
  });
  let openApi: Answer | undefined;
  return [
    ...[...parts.files].map(getFile),
    get("/healthz", () => ({ status: 200, body: { status: "ok" } })),
    get("/readyz", () => answerReady(parts)),
    get("/api/v1/openapi.json", () => {
      // When somebody asks: a start should not wait for it.
      openApi ??= describeApi();
      return openApi;
    }),
    get("/", () => ({ status: 302, body: undefined, headers: { Location: parts.home } })),
  ];
}
