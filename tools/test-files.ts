import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestFile } from "./test-plan.ts";

const UNIT = ["{tools,packages,bench,simulation,deploy}/**/*.test.ts"];
const SCENARIOS = ["e2e/scenarios/**/*.e2e.ts"];

/** The test files of the repository at `root`, by path; `isQuick` leaves out the scenarios. */
export function listTestFiles(root: string, isQuick: boolean): readonly TestFile[] {
  return globSync(isQuick ? UNIT : [...UNIT, ...SCENARIOS], {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
