import { readdirSync } from "node:fs";
import { join } from "node:path";
import { APP_SCHEMES } from "../request/origin.ts";
import { checkBuilt, readStaticFile, type StaticFile } from "./static-file.ts";

/** A file of the widget. */
export type WidgetFile = StaticFile & {
  /** The policy of a document; scripts have none. */
  readonly contentSecurityPolicy?: string;
};

const JAVASCRIPT = "text/javascript; charset=utf-8";

const JSON_TYPE = "application/json; charset=utf-8";

const AROUND_PAGES = [...APP_SCHEMES, "chrome-extension", "file", "moz-extension"].map(
  (scheme) => `${scheme}:`,
);

/** The solver frame only computes: no network, no forms, no navigation. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  // With this, browsers ignore an X-Frame-Options that a proxy adds. The star covers only the
  // schemes of the web. The others are those of pages of apps, extensions and files that embed a
  // page.
  `frame-ancestors * ${AROUND_PAGES.join(" ")}`,
  "require-trusted-types-for 'script'",
  // The only policy that may create the worker's URL.
  "trusted-types stile-frame",
].join("; ");

/** Paths below the base address, and the built files of the widget that they serve. */
const FILES = [
  { path: "/stile.js", file: "stile.js", type: JAVASCRIPT },
  { path: "/frame.js", file: "frame.js", type: JAVASCRIPT },
  { path: "/solver-worker.js", file: "solver-worker.js", type: JAVASCRIPT },
  { path: "/collector.js", file: "collector.js", type: JAVASCRIPT },
  { path: "/surface.js", file: "surface.js", type: JAVASCRIPT },
  { path: "/run.js", file: "run.js", type: JAVASCRIPT },
  { path: "/trouble.js", file: "trouble.js", type: JAVASCRIPT },
  // The file's name in the previous version. A page may still be open from it.
  { path: "/error-texts.js", file: "trouble.js", type: JAVASCRIPT },
  { path: "/waiting-button.js", file: "waiting-button.js", type: JAVASCRIPT },
  { path: "/test-ribbon.js", file: "test-ribbon.js", type: JAVASCRIPT },
  { path: "/solver-fallback.js", file: "solver-fallback.js", type: JAVASCRIPT },
  // The addresses of other vendors, so that a page changes only its host.
  { path: "/recaptcha/api.js", file: "vendor-recaptcha.js", type: JAVASCRIPT },
  { path: "/recaptcha/enterprise.js", file: "vendor-recaptcha.js", type: JAVASCRIPT },
  { path: "/1/api.js", file: "vendor-hcaptcha.js", type: JAVASCRIPT },
  { path: "/turnstile/v0/api.js", file: "vendor-turnstile.js", type: JAVASCRIPT },
  { path: "/friendlycaptcha/site.min.js", file: "vendor-friendly.js", type: JAVASCRIPT },
  // For authors of pages, not for browsers.
  { path: "/stile.d.ts", file: "../types/stile.d.ts", type: "text/plain; charset=utf-8" },
  {
    path: "/frame",
    file: "../solver/frame.html",
    type: "text/html; charset=utf-8",
    contentSecurityPolicy: FRAME_POLICY,
  },
] as const;

/** The widget's translations, next to its build. */
const TRANSLATIONS = join("..", "languages", "translations");

/** The widget's languages besides English, as BCP 47 tags; each has a file. */
export function findLanguages(directory: string): readonly string[] {
  return readdirSync(join(directory, TRANSLATIONS)).map((file) => file.replace(/\.json$/, ""));
}

/** Reads the built widget. Throws BuildMissing. */
export function loadWidgetFiles(directory: string): ReadonlyMap<string, WidgetFile> {
  const files = new Map<string, WidgetFile>();
  for (const { path, file, type, ...rest } of FILES) {
    const name = join(directory, file);
    checkBuilt(name);
    files.set(path, { ...rest, ...readStaticFile(name, type) });
  }
  for (const language of findLanguages(directory)) {
    const file = `${language}.json`;
    files.set(`/languages/${file}`, readStaticFile(join(directory, TRANSLATIONS, file), JSON_TYPE));
  }
  return files;
}
