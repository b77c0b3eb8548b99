import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { runStile } from "@stile/testkit/service/run-command";
import { openDataDirectory } from "./data-directory.ts";

/** An id like that of a service's system user. No other file here belongs to it. */
const SERVICE_USER = 54_321;
const skip = process.getuid?.() === 0 ? false : "only root makes files for others";

/** A data directory of a service's user, and the commands that root runs in it. */
function directoryOfService() {
  const path = join(temporaryFolder(), "data");
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, SERVICE_USER, SERVICE_USER);
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await runStile(args, { STILE_DATA_DIR: path });
    assert.equal(code, 0, stderr);
  };
  return { path, run };
}

test("gives files that root's commands make to the directory's owner, whose service could not start otherwise (D16, operator)", {
  skip,
}, async () => {
  const { path, run } = directoryOfService();
  const list = join(temporaryFolder(), "list");
  writeFileSync(list, "192.0.2.0/24\n");
  await run("init", "--json");
  await run("risk", "import", list, "--kind", "tor");
  openDataDirectory(path).masterKey();
  const backup = join(temporaryFolder(), "backup");
  await run("backup", backup);
  rmSync(join(path, "stile.sqlite"));
  await run("restore", backup);
  const roots = readdirSync(path).filter(
    (name) => lstatSync(join(path, name)).uid !== SERVICE_USER,
  );
  assert.deepEqual(roots, []);
  assert.equal(lstatSync(backup).uid, 0, "outside of the directory files are whose they were");
});

test("gives away no file of root's through a link that replaces a command's file (D16, operator)", {
  skip,
}, async () => {
  const { path, run } = directoryOfService();
  const roots = join(temporaryFolder(), "roots");
  writeFileSync(roots, randomBytes(32).toString("base64"));
  symlinkSync(roots, join(path, "master.key"));
  writeFileSync(`${roots}.lock`, "");
  linkSync(`${roots}.lock`, join(path, "first-start.lock"));
  await run("init", "--json", "--new");
  assert.deepEqual([lstatSync(roots).uid, lstatSync(`${roots}.lock`).uid], [0, 0]);
});
