import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** A code block of a Markdown file, with the language named at its fence. */
export type CodeBlock = { readonly language: string; readonly code: string };

/** The text of a file of the repository. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Every fenced block of a Markdown text, in order. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const fences = markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...fences].map(([, language = "", code = ""]) => ({ language, code }));
}
