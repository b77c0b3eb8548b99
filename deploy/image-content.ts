import { globSync } from "node:fs";

/**
 * The built programs with the licences of everything in them, the files they read, and the pages
 * they serve.
 */
const CONTENT = [
  "packages/server/dist/*.{js,md}",
  "packages/server/{http,optional}/**/*.{css,json}",
  "packages/demo/pages/*.{js,css}",
  "packages/server/package.json",
  "packages/{widget,dashboard}/dist/**/*.*",
  "packages/widget/solver/frame.html",
  "packages/widget/languages/translations/*.json",
  "packages/widget/types/stile.d.ts",
  "LICENSE",
];

/** The files of the checkout at `root` that the image contains, as paths relative to it. */
export function listShipped(root: string): readonly string[] {
  return globSync(CONTENT, { cwd: root }).map((path) => path.replaceAll("\\", "/"));
}
