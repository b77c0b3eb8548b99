import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { Decision } from "@stile/core/domain/statistics/decision";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { toScore } from "@stile/risk/score";
import { FLAG_WEIGHTS } from "@stile/risk/weights";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { callApi, closeConnections } from "@stile/testkit/contract/call";
import { bearer, SCORE } from "@stile/testkit/contract/redeem";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { startService } from "@stile/testkit/service/service";
import { openDataDirectory } from "../data-directory/data-directory.ts";

const folder = mkdtempSync(join(tmpdir(), "stile-cli-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const dataDirectory = join(folder, "data");
const environment = { STILE_DATA_DIR: dataDirectory, STILE_PORT: "0" };
const stile = (...args: string[]) => runStile(["risk", ...args], environment);

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const TOR_FILE = join(dataDirectory, "networks-tor.txt");
const WEIGHTS_FILE = join(dataDirectory, "risk-weights.json");

suite("stile risk import", () => {
  test("reports how many networks were read, and doctor counts them", async () => {
    const list = fileOf("tor.txt", "# exits\n203.0.113.7\n198.51.100.0/24\n198.51.100.9\n");
    const { code, stdout } = await stile("import", "--kind", "tor", list);
    assert.equal(code, 0);
    assert.match(stdout, /Read 3 networks of Tor exits; 2 after/);
    assert.match(
      (await runStile(["doctor"], environment)).stdout,
      /^ok +Networks listed: datacenter 0, tor 2 \(npm run stile -- risk import FILE --kind KIND\)$/m,
    );
  });

  test("refuses junk with its line numbers, and keeps the old list to the last byte", async () => {
    const before = readFileSync(TOR_FILE, "utf8");
    const list = fileOf("junk.txt", "203.0.113.7\n<html>\n0.0.0.0/0\nAS13335\n");
    const { code, stdout, stderr } = await stile("import", "--kind", "tor", list);
    assert.deepEqual([code, stdout], [1, ""]);
    for (const line of [2, 3, 4]) assert.match(stderr, new RegExp(`junk\\.txt, line ${line}: `));
    assert.match(stderr, /--as-table/);
    assert.match(stderr, /Nothing was changed/);
    assert.equal(readFileSync(TOR_FILE, "utf8"), before);
  });

  test("keeps the text of a downloaded list from controlling the terminal", async () => {
    const { stderr } = await stile(
      "import",
      "--kind",
      "tor",
      fileOf("escape.txt", "\u001b]0;theirs\u0007 \u009b2J \r\n"),
    );
    assert.match(stderr, /"\ufffd\]0;theirs\ufffd \ufffd2J" is not a network/);
  });

  test("shows the first twenty lines of a list full of junk", async () => {
    const { stderr } = await stile(
      "import",
      "--kind",
      "tor",
      fileOf("html.txt", "<p>\n".repeat(5000)),
    );
    assert.equal(stderr.match(/is not a network/g)?.length, 20);
    assert.match(stderr, /and 4980 more/);
  });

  test("changes nothing for an empty or missing file, or without a kind or a file", async () => {
    const before = readFileSync(TOR_FILE, "utf8");
    for (const [args, code, told] of [
      [
        ["--kind", "tor", fileOf("empty.txt", "# nothing\n")],
        1,
        /contains no networks\. Nothing was changed\./,
      ],
      [["--kind", "tor", join(folder, "missing.txt")], 1, /missing\.txt can't be read\./],
      [["--kind", "tor"], 1, /missing required argument 'file'\./],
      [["--kind", "vpn", TOR_FILE], 1, /'vpn' is invalid\. Allowed choices are datacenter, tor\./],
      [[TOR_FILE], 1, /say which list it is: --kind datacenter or --kind tor\./],
    ] as const) {
      const answer = await stile("import", ...args);
      assert.equal(answer.code, code, args.join(" "));
      assert.match(answer.stderr, told);
    }
    assert.equal(readFileSync(TOR_FILE, "utf8"), before);
  });

  test("looks up AS numbers in the given table", async () => {
    const table = fileOf("table.tsv", "203.0.113.0\t203.0.113.255\t64500\tXX\tHOSTER\n");
    const list = fileOf("as.txt", "AS64500 # hoster\n");
    const { code, stdout } = await stile(
      "import",
      "--kind",
      "datacenter",
      "--as-table",
      table,
      list,
    );
    assert.equal(code, 0);
    assert.match(stdout, /Read 1 networks of data centres/);
  });

  test("refuses an unknown command or an extra word, and lists the commands", async () => {
    for (const args of [[], ["forget"], ["constructor"], ["export", "x"], ["import", "a", "b"]]) {
      const { code, stderr } = await stile(...args);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, /\n {2}import .*\n {2}export .*\n {2}train /s);
    }
    assert.match(
      (await stile("export", "x")).stderr,
      /^stile: "risk export" takes nothing else: leave out "x", or /,
    );
    assert.match(
      (await stile("import", "a", "b")).stderr,
      /^stile: "risk import" takes one file: leave out "b", or /,
    );
  });
});

type Label = Decision["label"];

function decisionOf(
  siteKey: string,
  at: number,
  label: Label,
  flags: readonly RiskFlag[],
): Decision {
  const contributions = flags.map((flag) => ({ flag, weight: FLAG_WEIGHTS[flag] }));
  return {
    siteKey,
    decisionId: at.toString(16).padStart(21, "0"),
    atMs: Date.now(),
    requestId: `request-of-visitor-${at}`,
    source: "widget",
    recommendation: "allow",
    outcome: "token",
    score: toScore(contributions),
    contributions,
    action: "login-of-visitor",
    host: "shop.example",
    device: "desktop",
    solveMs: 700,
    label,
  };
}

/**
 * Adds decisions on visitors without a mouse and on programs in data centres, in parts small enough
 * for the log's writes within a second.
 */
async function fillLog(people: number, bots: number): Promise<void> {
  await runStile(["init"], environment);
  const store = await openSqliteStore({ file: openDataDirectory(dataDirectory).databaseFile });
  const [account] = await store.sites.listAccounts();
  const [site] = await store.sites.listSites(account?.accountId ?? "");
  let at = 0;
  const append = async (label: Label, flags: readonly RiskFlag[]): Promise<void> => {
    at += 1;
    store.decisions.append({
      ...decisionOf(site?.siteKey ?? "", at, label, flags),
      atMs: at * 1000,
    });
    if (at % 1000 === 0) await store.decisions.flush();
  };
  for (let i = 0; i < people; i++) await append("person", i % 7 === 0 ? ["headless_media"] : []);
  for (let i = 0; i < bots; i++)
    await append("bot", i % 11 < 7 ? ["ip_datacenter", "velocity_ip"] : ["ip_datacenter"]);
  for (let i = 0; i < 50; i++) await append(null, ["automation_webdriver"]);
  await store.decisions.flush();
  await store.close();
}

suite("stile risk export and train", () => {
  const exported = join(folder, "decisions.jsonl");

  test("exports nothing and creates nothing if nothing is stored", async () => {
    const empty = join(folder, "empty");
    const { code, stdout } = await runStile(["risk", "export"], {
      ...environment,
      STILE_DATA_DIR: empty,
    });
    assert.deepEqual([code, stdout, existsSync(join(empty, "stile.sqlite"))], [1, "", false]);
  });

  test("writes label, score and flags of each labelled decision, and nothing that leads to anybody", async () => {
    await fillLog(1200, 400);
    const { code, stderr } = await stile("export", "--out", exported);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /1600 labelled decisions/);
    const text = readFileSync(exported, "utf8");
    const lines = text.trim().split("\n");
    assert.equal(lines.length, 1600);
    const shapes = new Set(lines.map((line) => Object.keys(JSON.parse(line) as object).join()));
    assert.deepEqual([...shapes], ["label,score,flags"]);
    for (const secret of ["visitor", "shop.example", "pk_", "request"])
      assert.ok(!text.includes(secret), secret);
    if (process.platform !== "win32") assert.equal(statSync(exported).mode & 0o077, 0);
    const nowhere = join(folder, "no-folder", "decisions");
    const refused = await stile("export", "--out", nowhere);
    assert.deepEqual(
      [refused.code, refused.stdout, refused.stderr],
      [1, "", `stile: ${nowhere} can't be written to. Check the path and its permissions.\n`],
    );
    assert.equal((await stile("export")).stdout, text, "without a file to standard output");
  });

  test("fits weights, shows their gain and keeps them; doctor names them and the server starts with them", async () => {
    const { code, stdout, stderr } = await stile("train", "--from", exported);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /AUC +0\.\d{4} +[01]\.\d{4}/);
    assert.match(stdout, /people challenged \(>= 0\.30\) +0\.00% +[0-9.]+%/);
    const hash = /Saved as ([0-9a-f]{12}), fitted to 1200 people and 400 bots/.exec(stdout)?.[1];
    assert.ok(hash !== undefined, stdout);
    assert.match(
      (await runStile(["doctor"], environment)).stdout,
      new RegExp(`by your own weights \\(${hash}\\)`),
    );
  });

  test("scores visits by the imported lists and the fitted weights from the start (D7, score request)", async () => {
    const service = await startService({
      STILE_DATA_DIR: dataDirectory,
      STILE_LOG_LEVEL: "silent",
    });
    try {
      const { weights } = JSON.parse(readFileSync(WEIGHTS_FILE, "utf8")) as {
        weights: Record<string, number>;
      };
      const weight = weights.ip_datacenter ?? 0;
      assert.ok(weight > FLAG_WEIGHTS.ip_datacenter, `${weight}`);
      const ask = (ip: string) =>
        callApi(service.baseUrl, {
          path: SCORE,
          body: { ip, user_agent: "Shop/3.1" },
          headers: bearer(service.secretKey),
        });
      const { score, flags } = (await ask("203.0.113.5")).body.data as {
        score: number;
        flags: readonly string[];
      };
      const nobodySeen = 0.05 * (weights.low_evidence ?? FLAG_WEIGHTS.low_evidence);
      const expected = toScore([
        { flag: "ip_datacenter", weight },
        { flag: "low_evidence", weight: nobodySeen },
      ]);
      assert.deepEqual([score, flags], [expected, ["ip_datacenter", "low_evidence"]]);
      assert.deepEqual((await ask("203.0.113.7")).body.data.flags, ["ip_tor", "low_evidence"]);
      assert.deepEqual((await ask("192.0.2.1")).body.data.flags, ["low_evidence"]);
    } finally {
      closeConnections();
      await service.dispose();
    }
  });

  test("ignores weights that were changed by hand, in doctor and in the server", async () => {
    const good = readFileSync(WEIGHTS_FILE, "utf8");
    writeFileSync(WEIGHTS_FILE, good.replace(/"ip_tor": [\d.]+/, '"ip_tor": 2'));
    const doctor = await runStile(["doctor"], environment);
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /fail +.*risk-weights\.json was changed by hand/);
    const server = await runServer(environment);
    assert.equal(server.code, 1);
    assert.match(server.stderr, /risk-weights\.json was changed by hand/);
    writeFileSync(WEIGHTS_FILE, good);
  });

  test("changes nothing for too few decisions or for lines that are not decisions", async () => {
    const before = readFileSync(WEIGHTS_FILE, "utf8");
    const lines = readFileSync(exported, "utf8").split("\n");
    const person = '{"label":"person","score":0.05,"flags":{}}';
    const few = await stile("train", "--from", fileOf("few.jsonl", lines.slice(0, 500).join("\n")));
    assert.equal(few.code, 1);
    assert.match(few.stderr, /200 labelled decisions of each kind/);
    const junk = [
      "junk",
      '{"label":"cat","score":0.05,"flags":{}}',
      '{"label":"person","score":7,"flags":{}}',
      '{"label":"person","score":0.05,"flags":{"unknown":1}}',
      '{"label":"person","score":0.05,"flags":{"ip_tor":-4}}',
      '{"label":"person","score":0.05,"flags":[]}',
      "null",
    ];
    const mixed = await stile(
      "train",
      "--from",
      fileOf("junk.jsonl", [person, ...junk, person].join("\n")),
    );
    assert.equal(mixed.code, 1);
    assert.deepEqual(
      [...mixed.stderr.matchAll(/line (\d+) is/g)].map(([, line]) => Number(line)),
      [2, 3, 4, 5, 6, 7, 8],
    );
    for (const args of [[], ["--from", join(folder, "missing")]])
      assert.equal((await stile("train", ...args)).code, 1);
    assert.equal(readFileSync(WEIGHTS_FILE, "utf8"), before);
  });
});
