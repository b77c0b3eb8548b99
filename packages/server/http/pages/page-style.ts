import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../answer/answer.ts";

const SHARED = join(import.meta.dirname, "page-style.css");

/** The style sheet of one of the service's own pages: the shared part, then that file. */
export function pageStyle(file: string): Answer {
  const body = Buffer.concat([SHARED, file].map((path) => readFileSync(path)));
  return {
    status: 200,
    body,
    headers: { "Content-Type": "text/css; charset=utf-8", "Cache-Control": "no-cache" },
  };
}
