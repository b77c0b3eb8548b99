import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, type TestContext, test } from "node:test";
import { mintTokens } from "../mint-tokens.ts";
import { redeem } from "../redeem.ts";
import { type CommandResult, runServer, runStile } from "../run-command.ts";
import { type RunningService, startService } from "../service.ts";
import { mountSmallDisk, type SmallDisk } from "../small-disk.ts";

const PAGE_BYTES = 4096;
const DISK_BYTES = 4 << 20;
const REFUSED_REQUESTS = 3000;
/** A log line of a fault is about 1 KB, and there are two or three kinds of jobs that fail too. */
const MOST_LOG_BYTES = 20_000;
/** Locks, and the memory that SQLite's processes share: who only looks may make and rebuild them. */
const LOCKS = /^(server\.lock|first-start\.lock|stile\.sqlite-shm)$/;

const folder = mkdtempSync(join(tmpdir(), "stile-broken-"));
/** The directory of a service that was stopped, which each row damages a copy of. */
const whole = join(folder, "whole");

before(async () => {
  const service = await startService({ STILE_LOG_LEVEL: "silent", STILE_DATA_DIR: whole });
  await service.stop();
});
after(() => rmSync(folder, { recursive: true, force: true }));

function copyWhole(): string {
  const path = mkdtempSync(join(folder, "case-"));
  cpSync(whole, path, { recursive: true });
  return path;
}

function snapshot(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) => !LOCKS.test(name));
  return names.sort().map((name) => {
    const file = join(path, name);
    if (!lstatSync(file).isFile()) return `${name}: no file`;
    return `${name} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
  });
}

function assertOneLine({ code, stdout, stderr }: CommandResult, expected: RegExp): void {
  assert.deepEqual([code, stdout], [1, ""], stderr);
  assert.match(stderr, /^stile: [^\n]+\n$/, "exactly one line");
  assert.doesNotMatch(stderr, /\bat .*\.ts\b| {4}at /, "no stack");
  assert.match(stderr, expected);
}

const environmentOf = (path: string) => ({ STILE_DATA_DIR: path, STILE_PORT: "0" });

/** Without the database, to which `doctor` writes its heartbeat to see whether that can be done. */
const besideStore = (files: readonly string[]): string[] => files.filter((line) => !line.startsWith("stile.sqlite "));

/** The server refuses in one line, `doctor` finds it too, and both leave every file as it was. */
async function assertRefused(path: string, expected: RegExp): Promise<void> {
  const was = snapshot(path);
  assertOneLine(await runServer(environmentOf(path)), expected);
  assert.deepEqual(snapshot(path), was, "the server changed nothing");
  const { code, stdout, stderr } = await runStile(["doctor"], environmentOf(path));
  assert.equal(code, 1, stdout);
  assert.doesNotMatch(stdout + stderr, / {4}at |Nothing is broken/);
  assert.deepEqual(besideStore(snapshot(path)), besideStore(was), "doctor changed nothing");
}

function scribble(file: string, fromPage: number, pages: number): void {
  const handle = openSync(file, "r+");
  for (let page = fromPage; page < fromPage + pages; page++) {
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
}

type Row = readonly [what: string, damage: (path: string) => void, told: RegExp];

const put = (name: string, text: string | Buffer) => (path: string) => writeFileSync(join(path, name), text);
const remove = (name: string) => (path: string) => rmSync(join(path, name));

function replaceByDirectory(name: string) {
  return (path: string): void => {
    rmSync(join(path, name), { force: true });
    mkdirSync(join(path, name));
  };
}

function replaceByLink(name: string) {
  return (path: string): void => {
    rmSync(join(path, name), { force: true });
    symlinkSync(join(path, "nowhere"), join(path, name));
  };
}

const ROWS: readonly Row[] = [
  ["no master key", remove("master.key"), /master key \S+master\.key is missing.*backup, or set STILE_MASTER_KEY/],
  ["an empty master key", put("master.key", ""), /master\.key does not hold 32 bytes/],
  ["another master key", put("master.key", randomBytes(32).toString("base64")), /does not open the keys in the store/],
  ...["", '{"site_key": "pk_', "[]", "null", "5", '{"site_key":"pk_a"}', '{"site_key":1,"secret_key":2}'].map(
    (text): Row => [`demo.json of ${JSON.stringify(text)}`, put("demo.json", text), /demo\.json does not hold/],
  ),
  ...[
    ...["master.key", "demo.json", "stile.sqlite", "risk-weights.json", "networks-tor.txt", "networks-datacenter.txt"],
    ...["server.lock", "first-start.lock", "server-address", "undeclared-proxy.json"],
    ...["-wal", "-shm", "-generation", "-last-spent"].map((suffix) => `stile.sqlite${suffix}`),
  ].map((name): Row => [`a directory for ${name}`, replaceByDirectory(name), new RegExp(`${name} is a directory`)]),
  ["a link to nowhere for master.key", replaceByLink("master.key"), /master\.key is a link that leads nowhere/],
  ["no database", remove("stile.sqlite"), /stile\.sqlite is missing.*--new/],
  ["a text for a database", put("stile.sqlite", "only text ".repeat(1000)), /stile\.sqlite is damaged/],
  ["ten damaged pages", (path) => scribble(join(path, "stile.sqlite"), 5, 10), /stile\.sqlite is damaged/],
  ["half a database", (path) => truncateSync(join(path, "stile.sqlite"), 10 * PAGE_BYTES), /stile\.sqlite is damaged/],
  ["weights that are no JSON", put("risk-weights.json", "{"), /risk-weights\.json is no JSON object/],
  ["a list of no networks", put("networks-tor.txt", "no network\n"), /networks-tor\.txt.*is no network/],
  ["a lock that is a text", put("server.lock", "only text ".repeat(1000)), /is damaged or something else/],
];

suite("a start on broken files is refused in one line and changes nothing (D16)", () => {
  for (const [what, damage, told] of ROWS) {
    test(what, async () => {
      const path = copyWhole();
      damage(path);
      await assertRefused(path, told);
    });
  }

  test("no command makes a master key beside a store that has keys, --new or not", async () => {
    const path = copyWhole();
    rmSync(join(path, "master.key"));
    for (const args of [["init"], ["init", "--new"], ["reset-link"], ["doctor"], ["risk", "export"]]) {
      await runStile(args, environmentOf(path));
      assert.ok(!readdirSync(path).includes("master.key"), args.join(" "));
    }
    const { STILE_DATA_DIR, STILE_PORT } = environmentOf(path);
    const given = {
      STILE_DATA_DIR,
      STILE_PORT,
      STILE_MASTER_KEY: readFileSync(join(whole, "master.key"), "utf8").trim(),
    };
    assert.equal((await runStile(["doctor"], given)).code, 0, "the key may come from the settings");
  });
});

suite("a data directory that can't be one ends the start within seconds (D17)", () => {
  const file = join(folder, "file");
  const dangling = join(folder, "dangling");
  before(() => {
    writeFileSync(file, "");
    symlinkSync(join(folder, "nowhere"), dangling);
  });
  for (const [path, told] of [
    ["/proc/nope", /data directory \/proc\/nope can't be made/],
    ["/proc/nope/deeper", /data directory \/proc\/nope\/deeper can't be made/],
    ["/proc", /data directory \/proc can't be written to/],
    ["/dev/null", /data directory \/dev\/null is no directory/],
    ["/dev/null/deeper", /data directory \/dev\/null\/deeper can't be made/],
    [file, /file is no directory/],
    [dangling, /dangling is a link that leads nowhere/],
  ] as const) {
    test(path.replace(folder, ""), { skip: process.platform !== "linux", timeout: 30_000 }, async () => {
      assertOneLine(await runServer(environmentOf(path)), told);
      if (path !== "/proc") assertOneLine(await runStile(["init"], environmentOf(path)), told);
    });
  }
});

/** Runs with a small disk, or skips and says why. */
async function withDisk(context: TestContext, body: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const disk = mountSmallDisk(DISK_BYTES);
  if (typeof disk === "string") {
    context.skip(disk);
    return;
  }
  try {
    await body(disk);
  } finally {
    disk.remove();
  }
}

suite("a disk that is full or read-only (D15, D16)", () => {
  for (const [what, isMade] of [
    ["before the first start", false],
    ["of an installation", true],
  ] as const) {
    test(`full ${what}: path and cause, and nothing is changed`, async (context) => {
      await withDisk(context, async (disk) => {
        if (isMade) cpSync(whole, disk.path, { recursive: true });
        disk.fill();
        const was = snapshot(disk.path);
        const told = /data directory \S+ can't be \w+( to)? \(the disk is full\)\. Make room/;
        assertOneLine(await runServer(environmentOf(disk.path)), told);
        assertOneLine(await runStile(["init"], environmentOf(disk.path)), told);
        assert.deepEqual(snapshot(disk.path), was);
      });
    });

    test(`read-only ${what}: path and cause, and nothing is changed`, async (context) => {
      await withDisk(context, async (disk) => {
        if (isMade) cpSync(whole, disk.path, { recursive: true });
        const was = snapshot(disk.path);
        disk.makeReadOnly();
        const told = /data directory \S+ can't be written to \(it is read-only\)\. Make it writable/;
        assertOneLine(await runServer(environmentOf(disk.path)), told);
        assert.deepEqual(snapshot(disk.path), was);
      });
    });
  }

  test(`full under ${REFUSED_REQUESTS} requests: each gets its 503, and the log stays small`, async (context) => {
    await withDisk(context, async (disk) => {
      const settings = { STILE_LOG_LEVEL: "error", STILE_LIMIT_VERIFY: "1000000", STILE_DATA_DIR: disk.path };
      const service = await startService(settings);
      try {
        const [token = ""] = await mintTokens({ ...service, count: 1 });
        disk.fill();
        let refused = 0;
        while (refused < REFUSED_REQUESTS) {
          const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(service, token)));
          for (const { status } of answers) assert.equal(status, 503);
          refused += answers.length;
        }
        assert.match(service.log(), /store unavailable/);
        assert.ok(service.log().length < MOST_LOG_BYTES, `${service.log().length} bytes`);
        console.log(`${refused} requests refused with 503: ${service.log().length} bytes of log`);
      } finally {
        await service.dispose();
      }
    });
  });

  test("SIGTERM while it is full: one line says what could not be written, exit 1, the lock is free", async (context) => {
    await withDisk(context, async (disk) => {
      const service = await startService({ STILE_LOG_LEVEL: "silent", STILE_DATA_DIR: disk.path });
      try {
        const tokens = await mintTokens({ ...service, count: 2 });
        assert.equal((await redeem(service, tokens[0] ?? "")).body.data.verified, true);
        disk.fill();
        let status = 200;
        while (status === 200) {
          const answer = await fetch(`${service.baseUrl}/readyz`);
          status = answer.status;
        }
        assert.equal(status, 503);
        assert.equal((await redeem(service, tokens[1] ?? "")).status, 503);
        assert.equal(await service.stop(), 1);
        assert.match(service.log(), /^stile: Stopped, but [^\n]+ could not be written[^\n]+disk is full[^\n]+\n$/);
        assert.match((await runStile(["doctor"], environmentOf(disk.path))).stdout, /No server runs/);
        disk.free();
        await service.restart();
        const reasons = await Promise.all(tokens.map((token) => redeem(service, token)));
        assert.deepEqual(
          reasons.map(({ body }) => body.reasonCode ?? "verified"),
          ["token_already_used", "verified"],
        );
      } finally {
        await service.dispose();
      }
    });
  });
});

suite("a log that was torn after a kill", () => {
  const TOKENS = 10;

  async function verdicts(service: RunningService, tokens: readonly string[]): Promise<Set<string>> {
    const answers = await Promise.all(tokens.map((token) => redeem(service, token)));
    return new Set(answers.map(({ body }) => body.reasonCode ?? "verified"));
  }

  const wal = (path: string): string => join(path, "stile.sqlite-wal");
  const middleOf = (path: string): number => Math.floor(statSync(wal(path)).size / PAGE_BYTES / 2);
  for (const [what, tear, verdict] of [
    ["cut in half", (path) => truncateSync(wal(path), middleOf(path) * PAGE_BYTES), "token_expired"],
    ["cut to a byte", (path) => truncateSync(wal(path), 1), "token_expired"],
    ["scribbled over from its beginning", (path) => scribble(wal(path), 0, 2), "token_expired"],
    ["scribbled over in its middle", (path) => scribble(wal(path), middleOf(path), 2), "token_expired"],
    ["whole, its -shm scribbled over", (path) => scribble(join(path, "stile.sqlite-shm"), 0, 8), "token_already_used"],
  ] as const satisfies readonly (readonly [string, (path: string) => void, string])[]) {
    test(`${what}: a start says what was lost, and no token counts twice`, async () => {
      const service = await startService({ STILE_LOG_LEVEL: "warn" });
      try {
        // What was there before lies in the database itself; only what comes now is in the log.
        await service.stop();
        await service.restart();
        const tokens = await mintTokens({ ...service, count: TOKENS });
        assert.deepEqual(await verdicts(service, tokens), new Set(["verified"]));
        await service.kill();
        tear(service.dataDirectory);
        await service.restart();
        assert.doesNotMatch(service.log(), / {4}at /);
        assert.equal(/issued before this start are refused/.test(service.log()), verdict === "token_expired");
        assert.deepEqual(await verdicts(service, tokens), new Set([verdict]));
      } finally {
        await service.dispose();
      }
    });
  }
});
