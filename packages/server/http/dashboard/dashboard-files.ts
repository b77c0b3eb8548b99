import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Context, Hono } from "hono";

/** A file of the dashboard's build, in memory, plain and compressed. */
type DashboardFile = {
  readonly type: string;
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
};

/** The single page of the dashboard, and what it loads by name. */
export type DashboardFiles = {
  readonly page: DashboardFile;
  readonly assets: ReadonlyMap<string, DashboardFile>;
};

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Names carry a digest of what the file holds, so it never changes. */
const FOREVER = "public, max-age=31536000, immutable";

/** The page runs its own scripts and styles, talks to this service and shows its frame; nothing may frame the page. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const PAGE_HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
  "Cache-Control": "no-cache",
} as const;

function readFile(name: string, type: string): DashboardFile {
  const plain = new Uint8Array(readFileSync(name));
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, etag, plain, gzip: new Uint8Array(gzipSync(plain, { level: 9 })) };
}

/** Reads the dashboard's build; throws if it is missing, saying what makes it. */
export function loadDashboardFiles(directory: string): DashboardFiles {
  const page = join(directory, "index.html");
  if (!existsSync(page)) throw new Error(`${page} is missing. Start with "npm start", which builds the dashboard.`);
  const assets = join(directory, "assets");
  const names = existsSync(assets) ? readdirSync(assets) : [];
  const known = names.flatMap((name) => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : [[name, readFile(join(assets, name), type)] as const];
  });
  return { page: readFile(page, "text/html; charset=utf-8"), assets: new Map(known) };
}

function sendFile(context: Context, file: DashboardFile, more: Readonly<Record<string, string>>): Response {
  const headers: Record<string, string> = {
    ...more,
    Vary: "Accept-Encoding",
    "Content-Type": file.type,
    ETag: file.etag,
  };
  if (context.req.header("if-none-match") === file.etag) return new Response(null, { status: 304, headers });
  const takesGzip = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
  if (takesGzip) headers["Content-Encoding"] = "gzip";
  return new Response(takesGzip ? file.gzip : file.plain, { headers });
}

/** GET /dashboard and everything below it that is no file is the one page, which reads the rest of its address itself. */
export function createDashboardPages({ page, assets }: DashboardFiles): Hono {
  const routes = new Hono();
  const sendPage = (context: Context): Response => sendFile(context, page, PAGE_HEADERS);
  routes.get("/dashboard", sendPage);
  routes.get("/dashboard/assets/:name", (context) => {
    const file = assets.get(context.req.param("name"));
    return file === undefined ? context.notFound() : sendFile(context, file, { "Cache-Control": FOREVER });
  });
  routes.get("/dashboard/*", sendPage);
  return routes;
}
