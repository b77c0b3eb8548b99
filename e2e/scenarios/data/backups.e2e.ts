import assert from "node:assert/strict";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { addSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";

const TOKENS = 30;
const PAGE_BYTES = 4096;
const folder = mkdtempSync(join(tmpdir(), "stile-backups-"));
const pathOf = (name: string): string => join(folder, name);
let service: RunningService;

before(async () => {
  service = await startService({ STILE_LOG_LEVEL: "error", STILE_DATA_DIR: pathOf("live") });
});
after(async () => {
  await service?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const environmentOf = (name: string) => ({
  STILE_DATA_DIR: pathOf(name),
  STILE_LOG_LEVEL: "error",
});
const stile = (name: string, ...args: string[]) => runStile(args, environmentOf(name));

/** Makes a directory with copies of these files of the running service. */
function copyOf(name: string, files: readonly string[]): void {
  mkdirSync(pathOf(name));
  for (const file of files)
    copyFileSync(join(service.dataDirectory, file), join(pathOf(name), file));
}

/**
 * The files in the directory with their sizes, without those that SQLite creates to read a
 * database.
 */
function listOf(name: string): string[] {
  const files = readdirSync(pathOf(name)).filter(
    (file) => !/^server\.lock$|^server-address$|-(shm|wal)$/.test(file),
  );
  return files.map((file) => `${file} ${statSync(join(pathOf(name), file)).size}`);
}

/** Starts the server, which must fail with one sentence and leave everything as it was. */
async function refusedStart(name: string): Promise<string> {
  const was = listOf(name);
  const { code, stdout, stderr } = await runServer({ ...environmentOf(name), STILE_PORT: "0" });
  assert.equal(code, 1, stderr);
  assert.equal(stdout, "");
  assert.match(stderr, /^stile: [^\n]+\n$/, "one sentence");
  assert.deepEqual(listOf(name), was);
  return stderr;
}

async function verdictsOn(running: RunningService, tokens: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(tokens.map((token) => redeem(running, token)));
  return [...new Set(answers.map(({ body }) => body.reasonCode ?? "verified"))];
}

test("an empty or missing database never becomes a new installation silently; --new is required", async () => {
  copyOf("emptied", ["master.key"]);
  writeFileSync(join(pathOf("emptied"), "stile.sqlite"), "");
  assert.match(
    await refusedStart("emptied"),
    /stile\.sqlite is empty.*master\.key.*restore FILE.*--new/,
  );
  assert.match((await stile("emptied", "doctor")).stdout, /fail {2}.*stile\.sqlite is empty/);
  copyOf("bare", ["master.key", "demo.json"]);
  assert.match(await refusedStart("bare"), /stile\.sqlite is missing/);
  const init = await stile("bare", "init", "--json");
  assert.equal(init.code, 1);
  assert.match(init.stderr, /is missing/);
  assert.equal((await stile("bare", "init", "--json", "--new")).code, 0);
});

test("a copy without the log keeps sites and keys, and accepts no earlier token", async () => {
  const tokens = await mintTokens({ ...service, count: 3 });
  assert.deepEqual(await verdictsOn(service, tokens), ["verified"]);
  const site = await addSite(service.dataDirectory, { name: "Made just now" });
  copyOf("halved", ["stile.sqlite", "master.key", "demo.json"]);
  const halved = await startService(environmentOf("halved"));
  try {
    assert.deepEqual(await verdictsOn(halved, tokens), ["token_expired"]);
    const { secretKey } = site;
    assert.deepEqual(
      await verdictsOn({ ...halved, secretKey }, ["nonsense"]),
      ["invalid_signature"],
      "not a wrong secret",
    );
  } finally {
    await halved.dispose();
  }
});

test("a start on a file that is no database or has torn pages is refused; doctor finds damage that a start misses", async () => {
  cpSync(service.dataDirectory, pathOf("torn"), { recursive: true });
  assert.equal((await stile("torn", "doctor")).code, 0);
  for (const suffix of ["-wal", "-shm"])
    rmSync(join(pathOf("torn"), `stile.sqlite${suffix}`), { force: true });
  assert.equal((await stile("live", "backup", pathOf("whole"))).code, 0);
  copyFileSync(pathOf("whole"), join(pathOf("torn"), "stile.sqlite"));
  const handle = openSync(join(pathOf("torn"), "stile.sqlite"), "r+");
  for (let page = 5; page < 15; page++)
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, page * PAGE_BYTES);
  const { code, stdout } = await stile("torn", "doctor");
  assert.equal(code, 1);
  assert.match(stdout, /fail {2}.*damaged.*restore FILE/);
  assert.doesNotMatch(stdout, /No errors/);
  writeSync(handle, Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, 0);
  assert.match(await refusedStart("torn"), /is damaged/);
});

test("a backup of the running service restores everything it held, and no token spent since counts again", async () => {
  const tokens = await mintTokens({ ...service, count: 2 * TOKENS });
  assert.deepEqual(await verdictsOn(service, tokens.slice(0, TOKENS)), ["verified"]);
  const backup = await stile("live", "backup", pathOf("backup.sqlite"));
  assert.equal(backup.code, 0, backup.stderr);
  assert.match(backup.stdout, /master\.key/);
  assert.equal(
    (await stile("live", "backup", pathOf("backup.sqlite"))).code,
    1,
    "it writes over nothing",
  );
  assert.match(
    (await stile("live", "backup", pathOf("no-folder/file"))).stderr,
    /There is no folder .*no-folder/,
  );
  assert.deepEqual(await verdictsOn(service, tokens.slice(TOKENS)), ["verified"]);

  const early = await stile("live", "restore", pathOf("backup.sqlite"));
  assert.equal(early.code, 1);
  assert.match(early.stderr, /server runs/);

  await service.kill();
  const restored = await stile("live", "restore", pathOf("backup.sqlite"));
  assert.equal(restored.code, 0, restored.stderr);
  await service.restart();
  assert.deepEqual(await verdictsOn(service, tokens), ["token_expired"]);
  const fresh = await mintTokens({ ...service, count: 3 });
  assert.deepEqual(
    await verdictsOn(service, fresh),
    ["verified"],
    "the site and its secret are unchanged",
  );
  const aside = readdirSync(service.dataDirectory).filter((file) =>
    /before-restore-[^w]*Z$/.test(file),
  );
  assert.equal(aside.length, 1);
});

test("restore refuses a backup that the service cannot start on, and then changes nothing", async () => {
  copyOf("empty", ["master.key"]);
  writeSync(openSync(pathOf("scribble"), "w"), "a text instead of a database");
  const other = await startService({ STILE_LOG_LEVEL: "error" });
  assert.equal(
    (await runStile(["backup", pathOf("other")], { STILE_DATA_DIR: other.dataDirectory })).code,
    0,
  );
  await other.dispose();
  for (const [file, reason] of [
    ["nowhere", /no file/],
    ["scribble", /can't be restored/],
    ["other", /master key does not open/],
  ] as const) {
    const was = listOf("empty");
    const { code, stderr } = await stile("empty", "restore", pathOf(file));
    assert.equal(code, 1, file);
    assert.match(stderr, reason);
    assert.match(stderr, /^stile: [^\n]+\n$/, file);
    assert.deepEqual(listOf("empty"), was, file);
  }
});
