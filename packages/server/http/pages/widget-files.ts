import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkBuilt, readStaticFile, type StaticFile } from "./static-file.ts";

/** A file of the widget. */
export type WidgetFile = StaticFile & {
  /** The policy of a document; scripts have none of their own. */
  readonly contentSecurityPolicy?: string;
};

const JAVASCRIPT = "text/javascript; charset=utf-8";

const JSON_TYPE = "application/json; charset=utf-8";

/** The solver frame computes and does nothing else: no network, no forms, no pages of its own. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  // The one policy that makes the worker's address a trusted one.
  "trusted-types stile-frame",
].join("; ");

/** Paths under the base address, and the files of the widget's build behind them. */
const FILES = [
  { path: "/stile.js", file: "stile.js", type: JAVASCRIPT },
  { path: "/frame.js", file: "frame.js", type: JAVASCRIPT },
  { path: "/read-layout.js", file: "read-layout.js", type: JAVASCRIPT },
  { path: "/solver-worker.js", file: "solver-worker.js", type: JAVASCRIPT },
  { path: "/collector.js", file: "collector.js", type: JAVASCRIPT },
  { path: "/surface.js", file: "surface.js", type: JAVASCRIPT },
  { path: "/run.js", file: "run.js", type: JAVASCRIPT },
  { path: "/trouble.js", file: "trouble.js", type: JAVASCRIPT },
  // Its name in the version before, of which a page may still be open.
  { path: "/error-texts.js", file: "trouble.js", type: JAVASCRIPT },
  { path: "/waiting-button.js", file: "waiting-button.js", type: JAVASCRIPT },
  { path: "/solver-fallback.js", file: "solver-fallback.js", type: JAVASCRIPT },
  // For who writes pages, not for browsers.
  { path: "/stile.d.ts", file: "../types/stile.d.ts", type: "text/plain; charset=utf-8" },
  {
    path: "/frame",
    file: "../solver/frame.html",
    type: "text/html; charset=utf-8",
    contentSecurityPolicy: FRAME_POLICY,
  },
] as const;

/** Translations of the widget's texts, beside its build. */
const TRANSLATIONS = join("..", "languages", "translations");

/** Languages of the widget besides English, as BCP 47 tags: each has a file. */
export function findLanguages(directory: string): readonly string[] {
  return readdirSync(join(directory, TRANSLATIONS)).map((file) => file.replace(/\.json$/, ""));
}

/** Reads the widget's build. Throws BuildMissing. */
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
