import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { notFound } from "../answer/answer.ts";
import type { HttpRoute } from "../http-route.ts";
import { answerFile, checkBuilt, readStaticFile, type StaticFile } from "../pages/static-file.ts";

/** The single page of the dashboard, and the files that it loads. */
export type DashboardFiles = {
  readonly page: StaticFile;
  readonly assets: ReadonlyMap<string, StaticFile>;
};

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** The names contain a digest of the content, so a file never changes. */
const FOREVER = "public, max-age=31536000, immutable";

/**
 * The page runs its own scripts and styles, calls this service and shows its frame. No page may
 * frame it.
 */
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

/**
 * Browsers do not keep a page with no-store, so going back after signing out does not show it
 * again. WebKit keeps one over http all the same.
 */
const PAGE_HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
  "Cache-Control": "no-store",
} as const;

/** Reads the built dashboard. Throws BuildMissing. */
export function loadDashboardFiles(directory: string): DashboardFiles {
  const page = join(directory, "index.html");
  checkBuilt(page);
  const assets = join(directory, "assets");
  const names = existsSync(assets) ? readdirSync(assets) : [];
  const known = names.flatMap((name) => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : [[name, readStaticFile(join(assets, name), type)] as const];
  });
  return { page: readStaticFile(page, "text/html; charset=utf-8"), assets: new Map(known) };
}

const ASSETS = "/dashboard/assets/";

/**
 * GET /dashboard and every path below it that is not a file return the same page. The page
 * interprets the URL itself.
 */
export function createDashboardPages({ page, assets }: DashboardFiles): readonly HttpRoute[] {
  const handlePage: HttpRoute["handle"] = (request) => answerFile(request, page, PAGE_HEADERS);
  const handleAsset: HttpRoute["handle"] = (request, context) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const file = assets.get(path.slice(ASSETS.length));
    return file === undefined
      ? notFound(context)
      : answerFile(request, file, { "Cache-Control": FOREVER });
  };
  return [
    { method: "GET", path: "/dashboard", handle: handlePage },
    { method: "GET", path: `${ASSETS}*`, handle: handleAsset },
    { method: "GET", path: "/dashboard/*", handle: handlePage },
  ];
}
