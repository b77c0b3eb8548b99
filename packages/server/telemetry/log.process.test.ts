import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const FULL = "/dev/full";
const PROGRAM = `
import { createLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))};
const log = createLog("info");
for (let i = 0; i < 5000; i++) log.info({ i }, "a line that finds no room");
setImmediate(() => process.stdout.write("alive"));
`;

test("keeps running with a log on a full disk", {
  skip: !existsSync(FULL) && `there is no ${FULL} here`,
}, async () => {
  const args = ["--input-type=module", "-e", PROGRAM];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", openSync(FULL, "w")] });
  const ended = once(child, "exit");
  assert.ok(child.stdout);
  assert.equal(await text(child.stdout), "alive");
  assert.deepEqual((await ended)[0], 0);
});
