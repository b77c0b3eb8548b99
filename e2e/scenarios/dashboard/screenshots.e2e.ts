import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

/** Width and height from the header of a PNG. */
function sizeOf(file: string): readonly [number, number] {
  const bytes = readFileSync(file);
  assert.equal(bytes.toString("latin1", 1, 4), "PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test("node tools/screenshots.ts takes the requested pictures, into the given folder", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "stile-screenshots-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const args = ["tools/screenshots.ts", "--only", "without-javascript", "--out", folder];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.deepEqual([status, stderr], [0, ""]);
  assert.deepEqual(readdirSync(folder).sort(), [
    "without-javascript-dark.png",
    "without-javascript-light.png",
  ]);
  for (const name of readdirSync(folder)) assert.deepEqual(sizeOf(join(folder, name)), [480, 560]);
});
