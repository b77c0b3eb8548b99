import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build, type Plugin } from "vite";

const root = import.meta.dirname;
const outDir = join(root, "dist");

/**
 * The scripts that a browser loads. The page's is a classic script, so that it knows its address;
 * the others are modules.
 */
const SCRIPTS = [
  { file: "stile.js", entry: "define.ts", format: "iife" },
  { file: "run.js", entry: "element/run.ts", format: "es" },
  { file: "solver-fallback.js", entry: "solver/fallback.ts", format: "es" },
  { file: "surface.js", entry: "surface.ts", format: "es" },
  { file: "trouble.js", entry: "trouble.ts", format: "es" },
  { file: "waiting-button.js", entry: "element/waiting-button.ts", format: "es" },
  { file: "test-ribbon.js", entry: "element/test-ribbon.ts", format: "es" },
  { file: "collector.js", entry: "signals/environment.ts", format: "es" },
  { file: "frame.js", entry: "solver/frame.ts", format: "es" },
  { file: "solver-worker.js", entry: "solver/solver-worker.ts", format: "es" },
  { file: "vendor-recaptcha.js", entry: "vendors/recaptcha.ts", format: "iife" },
  { file: "vendor-hcaptcha.js", entry: "vendors/hcaptcha.ts", format: "iife" },
  { file: "vendor-turnstile.js", entry: "vendors/turnstile.ts", format: "iife" },
  { file: "vendor-friendly.js", entry: "vendors/friendly.ts", format: "iife" },
] as const;

/** The style sheet's own properties; those of pages begin with `--stile-`. */
const COLOURS = /--(ground|ink|quiet|edge|accent|error|width)\b/g;

/**
 * Shortens the style sheet, which no minifier touches. Once a script is minified, the only lines
 * that end with a brace are those of the sheet, which needs no line breaks.
 */
const shortStyles: Plugin = {
  name: "short-styles",
  generateBundle: (_options, bundle) => {
    for (const part of Object.values(bundle)) {
      if (part.type !== "chunk") continue;
      part.code = part.code
        .replaceAll(/([{};,])\n(?=[.:*@a-z[b])/g, "$1")
        .replaceAll(COLOURS, (_all, name: string) => `--${name.slice(0, 2)}`);
    }
  },
};

/**
 * Builds the scripts into dist/, minified, each with a Brotli copy next to it; prints only
 * warnings.
 */
export async function buildWidget(): Promise<void> {
  for (const { file, entry, format } of SCRIPTS) {
    await build({
      configFile: false,
      root,
      logLevel: "warn",
      plugins: [shortStyles],
      build: {
        outDir,
        emptyOutDir: false,
        target: "es2022",
        modulePreload: false,
        rolldownOptions: {
          preserveEntrySignatures: "strict",
          input: join(root, entry),
          // Reads with an intended side effect are written as calls in this code, so that unused
          // reads may be removed.
          treeshake: { propertyReadSideEffects: false },
          optimization: { inlineConst: { mode: "all", pass: 3 } },
          output: { format, entryFileNames: file, minify: true, topLevelVar: false },
        },
      },
    });
    const built = join(outDir, file);
    writeFileSync(`${built}.br`, brotliCompressSync(readFileSync(built)));
  }
}
