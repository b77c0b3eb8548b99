import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  linkSync,
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
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, test } from "node:test";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { redeem } from "@stile/testkit/service/redeem";
import { assertOneLine, snapshot } from "@stile/testkit/service/refused-start";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";

const PAGE_BYTES = 4096;

const folder = mkdtempSync(join(tmpdir(), "stile-broken-"));
/** The directory of a stopped service; each case damages a copy of it. */
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

const environmentOf = (path: string) => ({ STILE_DATA_DIR: path, STILE_PORT: "0" });

/**
 * Without the database: `doctor` writes its heartbeat there to check that the database is writable.
 */
const besideStore = (files: readonly string[]): string[] =>
  files.filter((line) => !line.startsWith("stile.sqlite "));

/**
 * Asserts that the server refuses in one line, that `doctor` finds it too, and that both leave all
 * files unchanged.
 */
async function assertRefused(path: string, expected: RegExp): Promise<void> {
  const was = snapshot(path);
  assertOneLine(await runServer(environmentOf(path)), expected);
  assert.deepEqual(snapshot(path), was, "the server changed nothing");
  const { code, stdout, stderr } = await runStile(["doctor"], environmentOf(path));
  assert.equal(code, 1, stdout);
  assert.doesNotMatch(stdout + stderr, / {4}at |No errors/);
  assert.deepEqual(besideStore(snapshot(path)), besideStore(was), "doctor changed nothing");
}

function scribble(file: string, fromPage: number, pages: number): void {
  const handle = openSync(file, "r+");
  for (let page = fromPage; page < fromPage + pages; page++) {
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 7), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(join(path, "stile.sqlite"));
  database.exec(sql);
  database.close();
}

type Row = readonly [what: string, damage: (path: string) => void, told: RegExp];

const put = (name: string, text: string | Buffer) => (path: string) =>
  writeFileSync(join(path, name), text);
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
  [
    "no master key",
    remove("master.key"),
    /master key \S+master\.key is missing.*backup, or set STILE_MASTER_KEY/,
  ],
  ["an empty master key", put("master.key", ""), /master\.key does not hold 32 bytes/],
  [
    "another master key",
    put("master.key", randomBytes(32).toString("base64")),
    /does not open the keys in the store/,
  ],
  ...['{"site_key": "pk_', "null", '{"site_key":1,"secret_key":2}'].map(
    (text): Row => [
      `demo.json of ${JSON.stringify(text)}`,
      put("demo.json", text),
      /demo\.json does not hold/,
    ],
  ),
  ...[
    "master.key",
    "demo.json",
    "stile.sqlite",
    "stile.sqlite-wal",
    "stile.sqlite-generation",
    "server.lock",
  ].map(
    (name): Row => [
      `a directory for ${name}`,
      replaceByDirectory(name),
      new RegExp(`${name} is a directory`),
    ],
  ),
  [
    "a link to nowhere for master.key",
    replaceByLink("master.key"),
    /master\.key is a link that leads nowhere/,
  ],
  ["no database", remove("stile.sqlite"), /stile\.sqlite is missing.*--new/],
  [
    "a database with a second name",
    (path) => linkSync(join(path, "stile.sqlite"), join(path, "second")),
    /stile\.sqlite has a second name .* cp -p \S+ \S+ && mv /,
  ],
  [
    "a database that is a text",
    put("stile.sqlite", "only text ".repeat(1000)),
    /stile\.sqlite is damaged/,
  ],
  [
    "ten damaged pages",
    (path) => scribble(join(path, "stile.sqlite"), 5, 10),
    /stile\.sqlite is damaged/,
  ],
  [
    "half a database",
    (path) => truncateSync(join(path, "stile.sqlite"), 10 * PAGE_BYTES),
    /stile\.sqlite is damaged/,
  ],
  [
    "no service keys",
    (path) => change(path, "DELETE FROM service_keys"),
    /has lost the service key 1, .*restore FILE.* --new/,
  ],
  [
    "a database without its migrations",
    (path) => change(path, "DELETE FROM migrations"),
    /is damaged \(its table "migrations" is empty\)/,
  ],
  [
    "weights that are no JSON",
    put("risk-weights.json", "{"),
    /risk-weights\.json is no JSON object/,
  ],
  [
    "a list of no networks",
    put("networks-tor.txt", "no network\n"),
    /networks-tor\.txt.*is not a network/,
  ],
  [
    "a lock that is a text",
    put("server.lock", "only text ".repeat(1000)),
    /server\.lock is damaged\. Remove it while no server runs; it has no data\./,
  ],
];

suite("a start on broken files is refused in one line and changes nothing (D16, operator)", () => {
  for (const [what, damage, told] of ROWS) {
    test(what, async () => {
      const path = copyWhole();
      damage(path);
      await assertRefused(path, told);
    });
  }

  test("no command makes a master key next to a store that has keys, with or without --new", async () => {
    const path = copyWhole();
    rmSync(join(path, "master.key"));
    for (const args of [
      ["init"],
      ["init", "--new"],
      ["reset-link"],
      ["doctor"],
      ["risk", "export"],
    ]) {
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

suite("an unusable data directory ends the start within seconds (D17, settings)", () => {
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
    test(path.replace(folder, ""), {
      skip: process.platform !== "linux",
      timeout: 30_000,
    }, async () => {
      assertOneLine(await runServer(environmentOf(path)), told);
      if (path !== "/proc") assertOneLine(await runStile(["init"], environmentOf(path)), told);
    });
  }
});

suite("a log torn by a kill", () => {
  const TOKENS = 10;

  async function verdicts(
    service: RunningService,
    tokens: readonly string[],
  ): Promise<Set<string>> {
    const answers = await Promise.all(tokens.map((token) => redeem(service, token)));
    return new Set(answers.map(({ body }) => body.reasonCode ?? "verified"));
  }

  const wal = (path: string): string => join(path, "stile.sqlite-wal");
  const middleOf = (path: string): number => Math.floor(statSync(wal(path)).size / PAGE_BYTES / 2);
  for (const [what, tear, verdict] of [
    [
      "cut in half",
      (path) => truncateSync(wal(path), middleOf(path) * PAGE_BYTES),
      "token_expired",
    ],
    ["cut to a byte", (path) => truncateSync(wal(path), 1), "token_expired"],
    ["scribbled over from its beginning", (path) => scribble(wal(path), 0, 2), "token_expired"],
    [
      "scribbled over in its middle",
      (path) => scribble(wal(path), middleOf(path), 2),
      "token_expired",
    ],
    [
      "whole, its -shm scribbled over",
      (path) => scribble(join(path, "stile.sqlite-shm"), 0, 8),
      "token_already_used",
    ],
  ] as const satisfies readonly (readonly [string, (path: string) => void, string])[]) {
    test(`${what}: a start reports the loss, and no token counts twice`, async () => {
      const service = await startService({ STILE_LOG_LEVEL: "warn" });
      try {
        // So that the database itself holds everything so far, and only new data goes to the
        // write-ahead log.
        await service.stop();
        await service.restart();
        const tokens = await mintTokens({ ...service, count: TOKENS });
        assert.deepEqual(await verdicts(service, tokens), new Set(["verified"]));
        await service.kill();
        tear(service.dataDirectory);
        await service.restart();
        assert.doesNotMatch(service.log(), / {4}at /);
        assert.equal(
          /refuses all tokens and challenges that it issued until now/.test(service.log()),
          verdict === "token_expired",
        );
        assert.deepEqual(await verdicts(service, tokens), new Set([verdict]));
      } finally {
        await service.dispose();
      }
    });
  }
});
