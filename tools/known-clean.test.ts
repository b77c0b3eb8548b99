import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { digestFiles, lookAtChanged } from "./known-clean.ts";

const FILES = {
  ".gitignore": "ignored\n",
  "biome.json": "{}",
  "a.ts": "1",
  "b.ts": "1",
  ignored: "1",
};

/** A repository with these files, in which checks are recorded; a check of `faulty` throws. */
function open(context: TestContext) {
  const root = mkdtempSync(join(tmpdir(), "stile-known-"));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  assert.equal(spawnSync("git", ["init", "--quiet"], { cwd: root }).status, 0);
  const look = (faulty?: string): readonly string[] => {
    let seen: readonly string[] = [];
    const digests = digestFiles(root) ?? assert.fail("no git");
    lookAtChanged(join(root, ".git", "known"), digests, (paths) => {
      seen = paths;
      if (faulty !== undefined && paths.includes(faulty)) throw new Error("faulty");
    });
    return [...seen].sort();
  };
  return { root, write, look };
}

test("what was clean is not looked at again until it changes; what git ignores never is", (context) => {
  const { root, write, look } = open(context);
  const all = [".gitignore", "a.ts", "b.ts", "biome.json"];
  assert.deepEqual(look(), all);
  assert.deepEqual(look(), []);
  write("a.ts", "2");
  write("new.ts", "1");
  assert.deepEqual(look(), ["a.ts", "new.ts"]);
  rmSync(join(root, "b.ts"));
  assert.deepEqual(look(), []);
  write("b.ts", "3");
  assert.deepEqual(look(), ["b.ts"]);
});

test("what was not clean is looked at again, and all with it that was looked at", (context) => {
  const { write, look } = open(context);
  look();
  write("a.ts", "2");
  write("b.ts", "2");
  for (let times = 0; times < 2; times++) assert.throws(() => look("a.ts"), /faulty/);
  assert.deepEqual(look(), ["a.ts", "b.ts"]);
});

test("other rules, or tools of other versions, have all looked at again; a file that takes another's text and its place, too", (context) => {
  const { write, look } = open(context);
  const all = look();
  write("biome.json", '{ "root": true }');
  assert.deepEqual(look(), all);
  write("package-lock.json", "{}");
  assert.deepEqual(look(), [...all, "package-lock.json"]);
  write("c.ts", "1");
  assert.deepEqual(look(), ["c.ts"], "its path is part of what was looked at");
});

test("without git nothing is known", (context) => {
  const root = mkdtempSync(join(tmpdir(), "stile-known-"));
  context.after(() => rmSync(root, { recursive: true, force: true }));
  assert.equal(digestFiles(root), undefined);
});
