import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestFile } from "./test-plan.ts";

const UNIT = ["{tools,packages,trials,deploy}/**/*.test.ts"];
const SCENARIOS = ["e2e/scenarios/**/*.e2e.ts"];

/**
 * Files that are not unit tests: by name, contracts and briefly run benches; by text, tests that
 * start an engine.
 */
const NO_UNIT = /\.(contract|measured)\.test\.ts$/;
const STARTS_ENGINE =
  /from "(@stile\/testkit\/(postgres|browser)\/|\.{1,2}\/(?:\w+\/)?temporary-postgres)/;

const isUnit = ({ path, text }: TestFile): boolean =>
  !NO_UNIT.test(path) && !STARTS_ENGINE.test(text);

/** The test files of the repository at `root`, by path; with `isQuick` only unit tests. */
export function listTestFiles(root: string, isQuick: boolean): readonly TestFile[] {
  return globSync(isQuick ? UNIT : [...UNIT, ...SCENARIOS], {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter((file) => !isQuick || isUnit(file));
}
