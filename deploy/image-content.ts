import { globSync } from "node:fs";

/** What runs, as built, with the licences of all that is in it; what it reads; and the pages that it serves. */
const CONTENT = [
  "packages/server/dist/*.{js,md}",
  "packages/server/{demo,http}/**/*.{js,css,json}",
  "packages/server/package.json",
  "packages/{widget,dashboard}/dist/**/*.*",
  "packages/widget/solver/frame.html",
  "packages/widget/languages/translations/*.json",
  "packages/widget/types/stile.d.ts",
  "LICENSE",
];

/** Files of the checkout at `root` that the image holds, as paths from there. */
export function listShipped(root: string): readonly string[] {
  return globSync(CONTENT, { cwd: root }).map((path) => path.replaceAll("\\", "/"));
}
