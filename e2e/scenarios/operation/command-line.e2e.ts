import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { isSecretKey, isSiteKey } from "@stile/protocol/key-formats";
import { inCountry, writeCountryFile } from "@stile/testkit/service/country-file";
import { redeem } from "@stile/testkit/service/redeem";
import {
  type CommandResult,
  runNpm,
  runServer,
  runStile,
} from "@stile/testkit/service/run-command";
import { startService } from "@stile/testkit/service/service";

/** A path where nothing is yet; removed when the test is over. */
function emptyDirectory(): string {
  const parent = mkdtempSync(join(tmpdir(), "stile-command-"));
  test.after(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

/**
 * The keys from the output of `init --json`: one line, with only the keys and the set-up link
 * (D16, operator).
 */
function readKeys({ code, stdout, stderr }: CommandResult): {
  readonly site_key: string;
  readonly secret_key: string;
} {
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\{.*\}\n$/);
  const { setup_url: url, ...keys } = JSON.parse(stdout) as {
    site_key: string;
    secret_key: string;
    setup_url: string;
  };
  assert.deepEqual(Object.keys(keys), ["site_key", "secret_key"]);
  assert.match(url, /^http:\/\/localhost:\d+\/dashboard\/link#[\w-]{43}$/);
  assert.ok(isSiteKey(keys.site_key) && isSecretKey(keys.secret_key));
  return keys;
}

suite("npm run stile (D16, operator)", () => {
  test("init --json on an empty directory prints the two keys and a set-up link, and the same keys when run again", async () => {
    const environment = { STILE_DATA_DIR: emptyDirectory() };
    const first = readKeys(await runNpm("stile", ["init", "--json"], environment));
    assert.deepEqual(readKeys(await runStile(["init", "--json"], environment)), first);
    const { stdout } = await runStile(["init"], environment);
    assert.ok(stdout.includes(first.site_key) && stdout.includes(first.secret_key));
  });

  test("four calls that begin at once on an empty directory agree on the keys", async () => {
    const environment = { STILE_DATA_DIR: emptyDirectory() };
    const all = await Promise.all(
      [1, 2, 3, 4].map(() => runStile(["init", "--json"], environment)),
    );
    assert.equal(new Set(all.map((result) => readKeys(result).secret_key)).size, 1);
  });

  test("init next to a running server prints that server's keys, and the server continues", async () => {
    const service = await startService({ STILE_LOG_LEVEL: "silent" });
    try {
      const keys = readKeys(
        await runStile(["init", "--json"], { STILE_DATA_DIR: service.dataDirectory }),
      );
      assert.deepEqual(keys, { site_key: service.siteKey, secret_key: service.secretKey });
      assert.equal((await redeem(service, "x")).body.reasonCode, "invalid_signature");
    } finally {
      await service.dispose();
    }
  });

  test("a server that starts after init uses the keys that init made", async () => {
    const service = await startService({ STILE_LOG_LEVEL: "silent" });
    try {
      assert.equal(await service.stop(), 0);
      for (const name of readdirSync(service.dataDirectory))
        rmSync(join(service.dataDirectory, name));
      const keys = readKeys(
        await runStile(["init", "--json"], { STILE_DATA_DIR: service.dataDirectory }),
      );
      assert.notEqual(keys.secret_key, service.secretKey);
      await service.restart();
      const { body } = await redeem({ ...service, secretKey: keys.secret_key }, "x");
      assert.equal(body.reasonCode, "invalid_signature");
      assert.equal(
        (await redeem(service, "x")).body.reasonCode,
        "invalid_secret",
        "the former keys are gone",
      );
    } finally {
      await service.dispose();
    }
  });

  test("an unknown command exits 2 with the help on standard error; help itself exits 0", async () => {
    for (const [args, usage] of [
      [[], "<command>"],
      [["frobnicate"], "<command>"],
      [["--frobnicate"], "<command>"],
      [["toString"], "<command>"],
      [["help", "frobnicate"], "<command>"],
      [["init", "extra"], "<command>"],
      [["version", "extra"], "<command>"],
      [["seed"], "seed [options]"],
      [["risk"], "risk <command>"],
      [["risk", "frobnicate"], "risk <command>"],
    ] as const) {
      const { code, stdout, stderr } = await runStile(args);
      assert.equal(code, 2, args.join(" "));
      assert.equal(stdout, "");
      assert.match(stderr, /^stile: .+\.\n\nUsage: /);
      assert.ok(stderr.includes(`\n\nUsage: npm run stile -- ${usage}\n`), stderr);
    }
    assert.match(
      (await runStile(["init", "one", "two"])).stderr,
      /^stile: "init" takes nothing else: leave out "one two", or choose one of these commands\.\n.*\n {2}init .*\n {2}doctor .*\n {2}risk /s,
    );
    const help = await runStile(["help"]);
    assert.deepEqual([help.code, help.stderr], [0, ""]);
    assert.match(
      help.stdout,
      /^Usage: npm run stile -- <command>\n.*\n {2}init .*\n {2}doctor .*\n {2}risk /s,
    );
  });

  test("both commands print the version, and each command prints its own help", async () => {
    const wanted = `stile ${(JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version}\n`;
    for (const [script, args] of [
      ["start", ["--version"]],
      ["stile", ["--version"]],
      ["stile", ["version"]],
    ] as const) {
      assert.deepEqual(await runNpm(script, args), { code: 0, stdout: wanted, stderr: "" });
    }
    for (const [name, named] of [
      ["init", "--json"],
      ["reset-link", "--remove-second-factor"],
      ["seed", "--demo"],
      ["risk", "import"],
      ["doctor", "Checks settings"],
    ] as const) {
      const own = await runStile([name, "--help"]);
      assert.deepEqual([own.code, own.stderr], [0, ""]);
      assert.match(
        own.stdout,
        new RegExp(`^Usage: npm run stile -- ${name}\\b.*\\n\\n.*${named}`, "s"),
      );
      for (const foreign of ["--email", "--as-table", "--out"].filter(
        (one) => one !== named && name !== "reset-link",
      )) {
        assert.ok(!own.stdout.includes(foreign), `${name} does not take ${foreign}`);
      }
      assert.deepEqual(await runStile(["help", name]), own);
    }
    assert.match(
      (await runNpm("start", ["--help"])).stdout,
      /^Usage: npm start -- \[OPTION\]\n.*STILE_PORT/s,
    );
  });

  test("an unknown option, and any argument of npm start, is refused with the help", async () => {
    const environment = { STILE_DATA_DIR: emptyDirectory() };
    for (const [args, told] of [
      [["doctor", "--quick"], "unknown option '--quick'"],
      [["init", "--email", "a@example.org"], "unknown option '--email'"],
      [["reset-link", "--email"], "option '--email <email>' argument missing"],
    ] as const) {
      const { code, stdout, stderr } = await runStile(args, environment);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.ok(stderr.startsWith(`stile: ${told}.\n\nUsage: `), stderr);
    }
    const started = await runNpm("start", ["--port", "80"], environment);
    assert.deepEqual([started.code, started.stdout], [2, ""]);
    assert.match(
      started.stderr,
      /^stile: unknown option "--port 80"\.\n\nUsage: npm start -- \[OPTION\]\n/,
    );
    assert.equal(existsSync(environment.STILE_DATA_DIR), false, "nothing was made");
  });
});

suite("doctor (D16, operator)", () => {
  test("finds no fault next to a running server, and names store, keys and unset settings", async () => {
    const service = await startService({ STILE_LOG_LEVEL: "silent" });
    try {
      const { code, stdout } = await runStile(["doctor"], {
        STILE_DATA_DIR: service.dataDirectory,
      });
      assert.equal(code, 0, stdout);
      assert.match(stdout, /A server is running on this data directory/);
      assert.match(stdout, /Store SQLite [\d.]+, durability strict/i);
      assert.match(stdout, /The master key opens the service keys/);
      assert.match(stdout, /No errors\./);
      assert.doesNotMatch(stdout, /^(fail|warn)/m);
      assert.ok(!stdout.includes(service.secretKey));
    } finally {
      await service.dispose();
    }
  });

  test("reports a master key of another store with exit 1, cause and cure; the server refuses it in the same words", async () => {
    const dataDirectory = emptyDirectory();
    const right = {
      STILE_DATA_DIR: dataDirectory,
      STILE_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    };
    const wrong = {
      STILE_DATA_DIR: dataDirectory,
      STILE_MASTER_KEY: Buffer.alloc(32, 2).toString("base64"),
    };
    const service = await startService(right);
    await service.dispose();
    const found = await runStile(["doctor"], right);
    assert.equal(found.code, 0);
    assert.match(found.stdout, /^ok .*The master key opens the service keys \(1\)$/m);
    const told = await runStile(["doctor"], wrong);
    assert.equal(told.code, 1);
    assert.match(
      told.stdout,
      /^fail\s+The master key does not open the keys in the store\. Restore the master key/m,
    );
    const { code, stderr } = await runServer({ ...wrong, STILE_PORT: "0" });
    assert.equal(code, 1);
    assert.match(stderr, /^stile: The master key does not open the keys in the store\. Restore/);
    assert.doesNotMatch(stderr, / at .*\.ts/, "a sentence, not a stack");
  });

  test("doctor makes no key, which could differ from the server's key", async () => {
    const dataDirectory = emptyDirectory();
    assert.equal((await runStile(["doctor"], { STILE_DATA_DIR: dataDirectory })).code, 0);
    assert.equal((await runStile(["init"], { STILE_DATA_DIR: dataDirectory })).code, 0);
    assert.equal((await runStile(["doctor"], { STILE_DATA_DIR: dataDirectory })).code, 0);
    assert.equal(existsSync(join(dataDirectory, "master.key")), false);
  });

  test("reports files that others may read, with the command that fixes them", async () => {
    const dataDirectory = emptyDirectory();
    const environment = { STILE_DATA_DIR: dataDirectory };
    const service = await startService(environment);
    await service.dispose();
    assert.doesNotMatch((await runStile(["doctor"], environment)).stdout, /can be read by others/);
    for (const path of [dataDirectory, join(dataDirectory, "master.key")]) chmodSync(path, 0o755);
    const { code, stdout } = await runStile(["doctor"], environment);
    assert.equal(code, 0, "it works, but something should be fixed");
    assert.match(stdout, /^warn .*data can be read by others\. Run: chmod go-rwx ".*data"$/m);
    assert.match(
      stdout,
      /^warn .*master\.key can be read by others\. Run: chmod go-rwx ".*master\.key"$/m,
    );
  });

  test("reports an undeclared proxy and when it was seen, until it is declared, and any further one (D5, binding)", async () => {
    const dataDirectory = emptyDirectory();
    const undeclared = { STILE_DATA_DIR: dataDirectory };
    const declared = { ...undeclared, STILE_TRUSTED_PROXIES: "127.0.0.1" };
    const other = { ...undeclared, STILE_TRUSTED_PROXIES: "10.0.0.0/8" };
    const doctor = async (environment: Readonly<Record<string, string>>): Promise<string> =>
      (await runStile(["doctor"], environment)).stdout;
    const serve = async (
      environment: Readonly<Record<string, string>>,
      look: () => Promise<void>,
    ): Promise<void> => {
      const service = await startService({ STILE_LOG_LEVEL: "silent", ...environment });
      try {
        assert.match(
          await doctor(environment),
          /^ok .*No undeclared proxy was seen/m,
          "a start forgets the records of the one before",
        );
        const path = `/api/v1/pow/challenge?site_key=${service.siteKey}`;
        await fetch(service.baseUrl + path, { headers: { "x-forwarded-for": "203.0.113.7" } });
        await look();
      } finally {
        await service.dispose();
      }
    };
    const warning =
      /^warn .*\(last \d{4}-\d\d-\d\dT[\d:.]+Z\) but is not in STILE_TRUSTED_PROXIES/m;
    await serve(undeclared, async () => {
      const told = await doctor(undeclared);
      assert.match(told, warning);
      assert.ok(
        !told.includes("203.0.113.7"),
        "no visitor's address is kept (D14, client address)",
      );
      assert.match(
        await doctor(declared),
        warning,
        "the running server does not know the setting yet",
      );
    });
    assert.match(await doctor(undeclared), warning);
    assert.match(await doctor(declared), /^ok .*STILE_TRUSTED_PROXIES has changed since/m);
    await serve(declared, async () =>
      assert.doesNotMatch(await doctor(declared), /^warn .*proxy/im),
    );
    await serve(other, async () => assert.match(await doctor(other), warning));
  });

  test("reports a demo that strangers may reach, but not one for this machine (D17, settings)", async () => {
    const own = { STILE_DATA_DIR: emptyDirectory(), STILE_DEMO: "on" };
    const base = { STILE_BASE_URL: "https://stile.example.org" };
    const reached =
      /^warn .*The demo is on, and anyone may be able to reach it\..*STILE_DEMO=off\.$/m;
    for (const open of [base, { STILE_TRUSTED_PROXIES: "127.0.0.1" }, { STILE_HOST: "0.0.0.0" }]) {
      assert.match((await runStile(["doctor"], { ...own, ...open })).stdout, reached);
      assert.match(
        (await runStile(["doctor"], { ...own, ...open, STILE_DEMO: "off" })).stdout,
        /^ok .*The demo is off$/m,
      );
    }
    for (const closed of [{}, { STILE_HOST: "::1" }, { STILE_BASE_URL: "http://localhost:8787" }]) {
      assert.match(
        (await runStile(["doctor"], { ...own, ...closed })).stdout,
        /^ok .*The demo is on, but only for this machine/m,
      );
    }
  });

  test("doctor names a country database, or its fault, for which the server refuses to start", async () => {
    const dataDirectory = emptyDirectory();
    assert.match(
      (await runStile(["doctor"], { STILE_DATA_DIR: dataDirectory })).stdout,
      /^ok .*STILE_COUNTRY_DATABASE/m,
    );
    const file = join(dataDirectory, "countries.mmdb");
    const environment = {
      STILE_DATA_DIR: dataDirectory,
      STILE_COUNTRY_DATABASE: file,
      STILE_PORT: "0",
    };
    const whole = writeCountryFile(
      { "192.0.2.0/24": inCountry("DE") },
      { type: "GeoLite2-Country" },
    );
    writeFileSync(file, whole);
    const named = await runStile(["doctor"], environment);
    assert.equal(named.code, 0, named.stdout);
    assert.match(named.stdout, /^ok .*countries\.mmdb, GeoLite2-Country of 2026-05-01$/m);
    writeFileSync(file, whole.subarray(0, 100));
    const told = await runStile(["doctor"], environment);
    assert.equal(told.code, 1);
    assert.match(told.stdout, /^fail .*countries\.mmdb, which is not a complete MaxMind database/m);
    const { code, stdout, stderr } = await runServer(environment);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /^stile: STILE_COUNTRY_DATABASE names .*countries\.mmdb, which is not a complete MaxMind database[^\n]*\n$/,
    );
  });

  test("reports a base address without TLS, and a missing one on a public host", async () => {
    const dataDirectory = emptyDirectory();
    const plain = await runStile(["doctor"], {
      STILE_DATA_DIR: dataDirectory,
      STILE_BASE_URL: "http://x.example",
    });
    assert.match(plain.stdout, /^warn .*http:\/\/x\.example: it is not encrypted/m);
    const none = await runStile(["doctor"], {
      STILE_DATA_DIR: dataDirectory,
      STILE_HOST: "0.0.0.0",
    });
    assert.match(none.stdout, /^warn .*STILE_BASE_URL is not set/m);
  });
});
