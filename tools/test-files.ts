import { globSync } from "node:fs";

/** The test files of the repository, as paths from its root with forward slashes. */
export type TestFiles = {
  /** `x.test.ts`: all of them run in one process, so none may disturb another. */
  readonly unit: readonly string[];
  /** `x.process.test.ts`, `x.contract.test.ts` and `x.e2e.ts`: each has a process of its own. */
  readonly process: readonly string[];
};

const TESTS = ["{deploy,packages,tools,trials}/**/*.test.ts", "e2e/scenarios/**/*.e2e.ts"];
const HAS_OWN_PROCESS = /\.(process\.test|contract\.test|e2e)\.ts$/;

/** The test files of the repository at `root`. */
export function listTestFiles(root: string): TestFiles {
  const exclude = (name: string): boolean => name === "node_modules" || name === "dist";
  const paths = globSync(TESTS, { cwd: root, exclude })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  return {
    unit: paths.filter((path) => !HAS_OWN_PROCESS.test(path)),
    process: paths.filter((path) => HAS_OWN_PROCESS.test(path)),
  };
}
