import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeTestFolder } from "./test-folder.ts";

test("a folder that is no mount of its own, or that is missing, is not taken for memory", () => {
  const folder = mkdtempSync(join(tmpdir(), "stile-no-memory-"));
  try {
    assert.equal(makeTestFolder(folder), undefined);
    assert.equal(makeTestFolder(join(folder, "none")), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("tests share a folder in memory that everybody may write to, and what a killed run left goes", (context) => {
  const own = makeTestFolder();
  if (own === undefined) return context.skip("no room in memory here");
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const left = join("/dev/shm", `stile-tests-${ended}-left`);
  mkdirSync(left);
  const next = makeTestFolder();
  try {
    assert.equal(statSync(own).mode & 0o7777, 0o1777);
    assert.equal(existsSync(left), false);
    assert.ok(existsSync(own), "that of a run that goes on stays");
  } finally {
    for (const folder of [own, next ?? own]) rmSync(folder, { recursive: true, force: true });
  }
});
