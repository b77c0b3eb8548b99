import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDataDirectory } from "./data-directory.ts";
import { DataDirectoryProblem } from "./data-directory-problem.ts";

const root = mkdtempSync(join(tmpdir(), "stile-data-"));
after(() => rmSync(root, { recursive: true }));
let made = 0;
const freshPath = (): string => join(root, `d${++made}`);
const modeOf = (...path: string[]): string => (statSync(join(...path)).mode & 0o777).toString(8);

const PROGRAM = `
import { openDataDirectory } from ${JSON.stringify(join(import.meta.dirname, "data-directory.ts"))};
const directory = openDataDirectory(process.argv[1]);
if (process.argv[2] === "lock") directory.lock();
process.stdout.write("ready");
process.stdin.once("data", () => process.stdout.write(Buffer.from(directory.masterKey()).toString("hex")));
process.stdin.once("data", () => process.stdin.destroy());
`;

/**
 * Another process that uses the directory, and may hold its lock. On input, it prints the master
 * key and ends.
 */
async function startProcess(path: string, task: "key" | "lock") {
  const args = ["--input-type=module", "-e", PROGRAM, path, task];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

test("makes the directory for its owner only, parents included (D17, settings: 0700)", () => {
  const path = join(freshPath(), "deep");
  openDataDirectory(path);
  assert.equal(modeOf(path), "700");
});

test("names what to check for a path that is not a directory", () => {
  const file = freshPath();
  writeFileSync(file, "");
  assert.throws(
    () => openDataDirectory(file),
    (error: Error) => {
      assert.ok(error instanceof DataDirectoryProblem);
      assert.match(error.message, /STILE_DATA_DIR/);
      return true;
    },
  );
});

test("makes a master key once, 32 bytes, readable by the owner only (D4, sealed token: 0600)", () => {
  const path = freshPath();
  const key = openDataDirectory(path).masterKey();
  assert.equal(key.length, 32);
  assert.equal(modeOf(path, "master.key"), "600");
  assert.deepEqual(openDataDirectory(path).masterKey(), key);
  assert.notDeepEqual(openDataDirectory(freshPath()).masterKey(), key);
  assert.deepEqual(readdirSync(path), ["master.key"], "no draft is left behind");
});

test("agrees on one master key if processes race to make it", async () => {
  const path = freshPath();
  const children = await Promise.all(Array.from({ length: 6 }, () => startProcess(path, "key")));
  for (const child of children) child.stdin.write("go");
  const outputs = await Promise.all(children.map((child) => once(child.stdout, "data")));
  const keys = outputs.map(String);
  assert.match(keys[0] ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual(
    [...new Set(keys)],
    [Buffer.from(openDataDirectory(path).masterKey()).toString("hex")],
  );
});

test("reports a damaged master key file, and never replaces it by a new key", () => {
  for (const text of [
    "",
    "x",
    Buffer.alloc(31).toString("base64"),
    Buffer.alloc(33).toString("base64"),
  ]) {
    const path = freshPath();
    openDataDirectory(path);
    writeFileSync(join(path, "master.key"), text);
    assert.throws(() => openDataDirectory(path).masterKey(), DataDirectoryProblem, text);
  }
});

test("keeps the demo's keys for the next start, readable by the owner only (D16, operator: 0600)", () => {
  const path = freshPath();
  assert.equal(openDataDirectory(path).readDemoKeys(), undefined);
  const keys = { siteKey: "pk_a", secretKey: "sk_b" };
  openDataDirectory(path).writeDemoKeys({ ...keys, secretKey: "sk_old" });
  openDataDirectory(path).writeDemoKeys(keys);
  assert.deepEqual(openDataDirectory(path).readDemoKeys(), keys);
  assert.equal(modeOf(path, "demo.json"), "600");
  assert.deepEqual(readdirSync(path), ["demo.json"]);
});

test("removes at a start what a killed restore left, which is as large as the database (D16, operator)", () => {
  const path = freshPath();
  const directory = openDataDirectory(path);
  for (const suffix of ["", "-journal"])
    writeFileSync(directory.restoreDraft + suffix, "some pages");
  writeFileSync(`${directory.databaseFile}.before-restore-2026-11-24T00-00-00.000Z`, "kept");
  directory.forgetRecords();
  assert.deepEqual(readdirSync(path), ["stile.sqlite.before-restore-2026-11-24T00-00-00.000Z"]);
});

test("refuses a second server for a directory in this process until the first releases it (D16, operator)", () => {
  const path = freshPath();
  const [first, second] = [openDataDirectory(path), openDataDirectory(path)];
  first.lock();
  assert.throws(
    () => second.lock(),
    (error: Error) => {
      assert.ok(error instanceof DataDirectoryProblem);
      assert.match(error.message, /Another Stile server runs/);
      return true;
    },
  );
  openDataDirectory(freshPath()).lock();
  first.unlock();
  second.lock();
  second.unlock();
});

test("refuses a second server for a directory in another process, and kill -9 releases it (D16, operator)", async () => {
  const path = freshPath();
  const child = await startProcess(path, "lock");
  const directory = openDataDirectory(path);
  assert.throws(() => directory.lock(), DataDirectoryProblem);
  assert.equal(directory.masterKey().length, 32, "a command may run next to the server");
  child.kill("SIGKILL");
  await once(child, "exit");
  directory.lock();
  directory.unlock();
});
