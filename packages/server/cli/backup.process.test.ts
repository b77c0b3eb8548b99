import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stile/testkit/postgres/node-on-postgres";
import { runStile } from "@stile/testkit/service/run-command";

/** An installation, and a target for its backup in a folder that others can write to. */
async function installation() {
  const settings = { STILE_DATA_DIR: join(temporaryFolder(), "data") };
  assert.equal((await runStile(["init", "--json"], settings)).code, 0);
  const file = join(temporaryFolder(), "backup");
  return { file, backUp: () => runStile(["backup", file], settings) };
}

test("follows no link at the backup's likely draft name, and overwrites nobody's file (D16, operator)", async () => {
  const { file, backUp } = await installation();
  const theirs = join(temporaryFolder(), "theirs");
  writeFileSync(theirs, "theirs");
  symlinkSync(theirs, `${file}.part`);
  const { code, stderr } = await backUp();
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(readFileSync(theirs, "utf8"), "theirs");
  assert.ok(lstatSync(`${file}.part`).isSymbolicLink());
  assert.ok(lstatSync(file).isFile());
});

test("refuses to replace a link at the target, even one that leads nowhere (D16, operator)", async () => {
  const { file, backUp } = await installation();
  symlinkSync(join(temporaryFolder(), "away", "backup"), file);
  const { code, stdout, stderr } = await backUp();
  assert.deepEqual(
    [code, stdout, stderr],
    [1, "", `stile: ${file} already exists. Name a new file.\n`],
  );
  assert.ok(lstatSync(file).isSymbolicLink());
});

test("removes a killed backup's draft from the folder once it is a day old, and nothing else (D16, operator)", async () => {
  const { file, backUp } = await installation();
  const folder = dirname(file);
  const lay = (name: string, hoursOld: number): void => {
    writeFileSync(join(folder, name), "some pages");
    const seconds = Date.now() / 1000 - hoursOld * 3600;
    utimesSync(join(folder, name), seconds, seconds);
  };
  for (const name of ["monday.0123456789ab.part", "monday.0123456789ab.part-journal"])
    lay(name, 25);
  const kept = ["report.part", "disk.0123456789ABCDEF.part", "notes.0123456789ab.part.txt"];
  for (const name of kept) lay(name, 25);
  lay("tuesday.ba9876543210.part", 23);
  const { code, stderr } = await backUp();
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(
    readdirSync(folder).sort(),
    ["backup", "tuesday.ba9876543210.part", ...kept].sort(),
  );
});

test("writes into no file that somebody else has put there and holds open (D16, operator)", async () => {
  const { file, backUp } = await installation();
  writeFileSync(`${file}.part`, "");
  chmodSync(`${file}.part`, 0o666);
  const { code, stderr } = await backUp();
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(readFileSync(`${file}.part`).length, 0);
  assert.equal(lstatSync(file).mode & 0o077, 0);
});

test("names the target of a backup that can't be written, not the data directory (D16, operator)", async () => {
  const settings = { STILE_DATA_DIR: join(temporaryFolder(), "data") };
  assert.equal((await runStile(["init", "--json"], settings)).code, 0);
  const { code, stderr } = await runStile(["backup", "/proc/backup"], settings);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^stile: \/proc\/backup can't be written \(.+\)\. Fix that, or name a file elsewhere\.\n$/,
  );
});
