import { join } from "node:path";
import { build } from "vite";

const root = import.meta.dirname;
const outDir = join(root, "dist");

/** The scripts a browser loads. The page's is a classic script, so that it knows its own address; the others are modules, fetched when needed. */
const SCRIPTS = [
  { file: "stile.js", entry: "define.ts", format: "iife" },
  { file: "solver-fallback.js", entry: "solver/fallback.ts", format: "es" },
  { file: "collector.js", entry: "signals/environment.ts", format: "es" },
  { file: "frame.js", entry: "solver/frame.ts", format: "es" },
  { file: "solver-worker.js", entry: "solver/solver-worker.ts", format: "es" },
] as const;

/** Builds the scripts into dist/, minified; prints warnings only. */
export async function buildWidget(): Promise<void> {
  for (const { file, entry, format } of SCRIPTS) {
    await build({
      configFile: false,
      root,
      logLevel: "warn",
      build: {
        outDir,
        emptyOutDir: false,
        target: "es2022",
        modulePreload: false,
        rolldownOptions: {
          preserveEntrySignatures: "strict",
          input: join(root, entry),
          output: { format, entryFileNames: file },
        },
      },
    });
  }
}
