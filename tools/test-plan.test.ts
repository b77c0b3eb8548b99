import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { listTestFiles } from "./test-files.ts";
import {
  LONGEST,
  planJobs,
  SHARED_SCENARIOS,
  TEST_OPTIONS,
  type TestFile,
  writeEntry,
} from "./test-plan.ts";

const root = join(import.meta.dirname, "..");
const PURE = 'import { suite, test } from "node:test";\n';
const fileOf = (path: string, text = PURE): TestFile => ({ path, text });

test("every test file runs in exactly one process", () => {
  const files = listTestFiles(root, false);
  assert.ok(files.length > 300);
  const planned = planJobs(files).flatMap(({ paths }) => paths);
  assert.deepEqual(planned.sort(), files.map(({ path }) => path).sort());
});

test("files share a process with those of their package, but for what would disturb the others", () => {
  const alone = [
    fileOf(
      "packages/risk/hooks.test.ts",
      'import {\n  beforeEach,\n  test,\n} from "node:test";\n',
    ),
    fileOf("packages/risk/child.test.ts", `${PURE}import { spawn } from "node:child_process";\n`),
    fileOf(
      "packages/risk/engine.test.ts",
      `${PURE}import { setFlagsFromString } from "node:v8";\n`,
    ),
    fileOf(
      "packages/risk/page.test.ts",
      `${PURE}import { launch } from "@stile/testkit/browser/browser";\n`,
    ),
    fileOf("packages/risk/environment.test.ts", `${PURE}process.env.TZ = "UTC";\n`),
  ];
  const withHooks = 'import { after, before, test } from "node:test";\n';
  const shared = [
    fileOf("packages/risk/a.test.ts"),
    fileOf("packages/risk/flags/b.test.ts", withHooks),
  ];
  const others = [
    fileOf("packages/widget/c.test.ts"),
    fileOf("packages/server/http/v1/score/d.test.ts"),
    fileOf("packages/server/e.test.ts"),
    fileOf("tools/f.test.ts"),
    fileOf("e2e/scenarios/token/g.e2e.ts"),
  ];
  const jobs = planJobs([...alone, ...shared, ...others]);
  const planned = new Set(jobs.map(({ paths }) => paths.join(" ")));
  const expected = [...alone, ...others]
    .map(({ path }) => path)
    .concat(shared.map(({ path }) => path).join(" "));
  assert.deepEqual(planned, new Set(expected));
});

test("what takes longest begins first, and each that is named so is there", () => {
  const names = planJobs(listTestFiles(root, false)).map(({ name }) => name);
  assert.deepEqual(names.slice(0, LONGEST.length), LONGEST);
});

test("scenarios that share a process are there, have no hooks around each test, and neither change it nor look at it", () => {
  const byPath = new Map(listTestFiles(root, false).map(({ path, text }) => [path, text]));
  for (const [job, names] of Object.entries(SHARED_SCENARIOS)) {
    for (const name of names) {
      const text =
        byPath.get(`e2e/scenarios/${name}.e2e.ts`) ?? assert.fail(`${name} of ${job} is not there`);
      assert.doesNotMatch(
        text,
        /\b(beforeEach|afterEach|mock)\b|from "node:(child_process|worker_threads|v8)"/,
        name,
      );
      assert.doesNotMatch(
        text,
        /\bprocess\.(env|on|once|exit|chdir|umask|memoryUsage|cpuUsage)\b/,
        name,
      );
    }
  }
  const [scene, other] = ["widget/sizes", "widget/themes"].map((name) =>
    fileOf(`e2e/scenarios/${name}.e2e.ts`),
  );
  assert.ok(scene !== undefined && other !== undefined);
  assert.deepEqual(planJobs([scene, other]), [
    { name: "e2e/scenarios/looked-at", paths: [scene.path, other.path] },
  ]);
});

test("a process of several files runs them all, and a failure names the file that it is in", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stile-plan-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const texts = {
    "packages/risk/good.test.ts": "() => {}",
    "packages/risk/bad.test.ts": "() => { throw Error('no'); }",
  };
  const files = Object.entries(texts).map(([path, body]) =>
    fileOf(path, `${PURE}test("one", ${body});\n`),
  );
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const [job, ...others] = planJobs(files);
  assert.ok(job !== undefined && others.length === 0);
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const entry = writeEntry(folder, join(folder, "entries"), job);
  const ended = spawnSync(process.execPath, ["--test", "--test-reporter=spec", entry], {
    env,
    encoding: "utf8",
  });
  assert.equal(ended.status, 1);
  assert.match(ended.stdout, /pass 1\n.*fail 1\n/s);
  assert.match(ended.stdout, /packages\/risk\/bad\.test\.ts:2/);
});

test("a fault that no test awaited fails its file, and is shown with its place", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stile-stray-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const later = "await new Promise((resolve) => setTimeout(resolve, 20))";
  for (const [name, fault] of Object.entries({
    rejected: "Promise.reject(new Error('stray'))",
    thrown: "setTimeout(() => { throw new Error('stray'); })",
    early: "setTimeout(() => Promise.reject(new Error('stray')))",
  })) {
    const file = join(folder, `${name}.test.mjs`);
    writeFileSync(
      file,
      `${PURE}test("one", async () => {\n await 1;\n ${fault};\n ${later};\n});\n`,
    );
    const ended = spawnSync(process.execPath, [...TEST_OPTIONS, file], { env, encoding: "utf8" });
    assert.equal(ended.status, 1, name);
    assert.match(ended.stderr, /Error: stray\n +at .*\.test\.mjs:4/, name);
  }
});

test("the quick check leaves out contracts, what is measured and what starts an engine or a browser", () => {
  const quick = listTestFiles(root, true);
  const paths = new Set(quick.map(({ path }) => path));
  assert.ok(quick.length > 250 && paths.has("packages/core/use-cases/token/redeem-token.test.ts"));
  for (const path of paths) assert.doesNotMatch(path, /^e2e\/|\.(contract|measured)\.test\.ts$/);
  const startsEngine = /testkit\/(postgres|browser)\/|temporary-postgres/;
  const known = "tools/test-plan.test.ts";
  assert.deepEqual(
    quick
      .filter(({ path, text }) => path !== known && startsEngine.test(text))
      .map(({ path }) => path),
    [],
  );
});
