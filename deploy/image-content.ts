import { globSync } from "node:fs";

/** What the server imports of the workspace; of the widget and the dashboard it serves what was built. */
const SOURCES = "packages/{core,pow,protocol,risk,server,stores}/**/*.{ts,js,css,json}";
const PAGES = ["packages/{widget,dashboard}/dist/**/*.*", "packages/widget/solver/frame.html"];
const FOR_TESTS = /\.test\.ts$|\/(fixtures|contract|measure|processes|node_modules)\/|\/tsconfig\.json$/;

/** What packages bring for readers, type checkers and debuggers; Node never loads TypeScript from node_modules. */
const NOT_LOADED = /\.([cm]?ts|map|md|markdown|html|flow)$|\/node_modules\/[^/]+\/test\//;
/** The Node of the lock file is laid by itself, the packages of the workspace as links, and npm's own files not at all. */
const LAID_APART = /\/node_modules\/(\.[^/]+|@stile|node-(bin-)?(linux|darwin|win)-[^/]+)(\/|$)/;

/** Files of the checkout at `root` that the image holds, as paths from there; dependencies are not among them. */
export function listShipped(root: string): readonly string[] {
  const paths = globSync([SOURCES, ...PAGES], { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return [...paths.filter((path) => !FOR_TESTS.test(path)), "package.json", "LICENSE"];
}

/** Whether the image holds this path of node_modules; it begins with a slash: `/node_modules/zod/index.js`. */
export function isShippedDependency(path: string): boolean {
  return !NOT_LOADED.test(path) && !LAID_APART.test(path);
}
