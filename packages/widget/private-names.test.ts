import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PRIVATE_NAMES } from "./private-names.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Files with names that leave a script: for pages, the service, frame and worker, and the scripts
 * loaded later.
 */
const BORDERS = [
  ...[
    "stile.ts",
    "surface.ts",
    "collect.ts",
    "languages/texts.ts",
    "service/answers.ts",
    "service/service-challenge.ts",
  ],
  ...["machine/widget-error.ts", "machine/widget-fault.ts"],
  ...[
    "solver/messages.ts",
    "solver/solve-request.ts",
    "solver/worker-messages.ts",
    "signals/frame-probe.ts",
  ],
].map((file) => `packages/widget/${file}`);

/** Every word of the code; comments and texts don't count. */
const wordsOf = (file: string): readonly string[] =>
  readFileSync(join(root, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"/g, "")
    .match(/\w+/g) ?? [];

test("no name that the build shortens is one of the browser's", () => {
  const libraries = globSync("node_modules/@typescript/*/lib/lib.{dom,es}*.d.ts", { cwd: root });
  assert.ok(libraries.some((file) => file.endsWith("lib.dom.d.ts")));
  const known = new Set(libraries.flatMap((file) => wordsOf(file)));
  assert.ok(known.has("getBoundingClientRect") && known.has("isConnected"));
  assert.deepEqual(
    PRIVATE_NAMES.filter((name) => known.has(name)),
    [],
  );
});

test("none is said to a page, to the service, to the frame or to another script", () => {
  const files = [...BORDERS, ...globSync("packages/protocol/**/*.ts", { cwd: root })];
  const said = new Set(files.filter((file) => !file.endsWith(".test.ts")).flatMap(wordsOf));
  assert.ok(said.has("getResponse") && said.has("site_key"));
  assert.deepEqual(
    PRIVATE_NAMES.filter((name) => said.has(name)),
    [],
  );
});

test("each is used, and stands here once", () => {
  const files = globSync("packages/widget/**/*.ts", {
    cwd: root,
    exclude: (name) => name === "node_modules",
  });
  const used = new Set(
    files.filter((file) => !/private-names|\.test\.ts$/.test(file)).flatMap(wordsOf),
  );
  assert.deepEqual(
    PRIVATE_NAMES.filter((name) => !used.has(name)),
    [],
  );
  assert.equal(new Set(PRIVATE_NAMES).size, PRIVATE_NAMES.length);
});

test("none is asked for as a text, which the build leaves alone", () => {
  const files = globSync("packages/widget/**/*.ts", {
    cwd: root,
    exclude: (name) => name === "node_modules",
  });
  for (const file of files.filter((one) => !/private-names|\.test\.ts$/.test(one))) {
    // Type expressions may use such names: Running["later"], Omit<Job, "client">.
    const code = readFileSync(join(root, file), "utf8").replace(
      /\b[A-Z]\w*\["\w+"\]|Omit<[^>]*>/g,
      "",
    );
    for (const [, name = ""] of code.matchAll(/"(\w+)"/g))
      assert.ok(!PRIVATE_NAMES.includes(name), `${file}: "${name}"`);
  }
});
