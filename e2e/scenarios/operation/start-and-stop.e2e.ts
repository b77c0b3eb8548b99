import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { callApi, closeConnections } from "@stile/testkit/contract/call";
import { holdDatabase, runInSecondProcess } from "@stile/testkit/contract/second-process";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { redeem } from "@stile/testkit/service/redeem";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";

/** Runs `body` with a service that is stopped afterwards, whatever happens. */
async function withService(
  environment: Readonly<Record<string, string>>,
  body: (service: RunningService) => Promise<void>,
): Promise<void> {
  const service = await startService(environment);
  try {
    await body(service);
  } finally {
    closeConnections();
    await service.dispose();
  }
}

suite("a start that must fail (D17, settings)", () => {
  const mistakes = {
    STILE_PORT: "99999",
    STILE_TRUSTED_PROXIES: "10.0.0.0/40",
    STILE_BASE_URL: "stile.example.org",
    STILE_MASTER_KEY: "canary-of-a-key",
    STILE_LIMIT_VERIFY: "0",
    STILE_LOG_LEVEL: "loud",
    STILE_DEMO: "maybe",
    STILE_LIMIT_CHALENGE: "5",
    STILE_DATA_DIR_FILE: "/nowhere/at/all",
  };

  test("reports all mistakes at once, each with its variable, and exits 1; the command line does the same", async () => {
    for (const run of [
      runServer,
      (environment: typeof mistakes) => runStile(["doctor"], environment),
    ]) {
      const { code, stdout, stderr } = await run(mistakes);
      const lines = stderr.trim().split("\n");
      assert.deepEqual([code, stdout, lines.length], [1, "", Object.keys(mistakes).length]);
      for (const name of Object.keys(mistakes)) {
        const told = lines.filter((line) => new RegExp(`^stile: ${name}\\b`).test(line));
        assert.equal(told.length, 1, `${name} is told once`);
      }
      assert.match(
        stderr,
        /STILE_LIMIT_CHALENGE is not a setting\. Did you mean STILE_LIMIT_CHALLENGE\?/,
      );
      assert.ok(!stderr.includes("canary"), "no key is repeated");
    }
  });

  test("a second server on the same directory is refused in one sentence, and the first continues (D16, operator)", async () => {
    await withService({ STILE_LOG_LEVEL: "silent" }, async (service) => {
      const { code, stdout, stderr } = await runServer({
        STILE_DATA_DIR: service.dataDirectory,
        STILE_PORT: "0",
      });
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(
        stderr,
        /^stile: Another Stile server runs on \S+\. Stop it, or choose another STILE_DATA_DIR\.\n$/,
      );
      assert.equal((await redeem(service, "x")).status, 200);
    });
  });

  test("an unusable address or directory is reported in one sentence with a cure (D17, settings)", async () => {
    const parent = mkdtempSync(join(tmpdir(), "stile-start-"));
    const path = (name: string): string => join(parent, name);
    try {
      for (const name of ["junk", "blocked"]) mkdirSync(path(name));
      writeFileSync(join(path("junk"), "stile.sqlite"), "a text instead of a database");
      mkdirSync(join(path("blocked"), "server.lock"));
      for (const [environment, cause] of [
        [{ STILE_HOST: "999.1.1.1" }, /^stile: STILE_HOST must be an address of this machine/],
        [
          { STILE_HOST: "192.0.2.1" },
          /^stile: This machine has no address 192\.0\.2\.1\. Set STILE_HOST/,
        ],
        [
          { STILE_HOST: "no-such-name.invalid" },
          /^stile: The name no-such-name\.invalid .*STILE_HOST/,
        ],
        [
          { STILE_HOST: "fe80::1" },
          /^stile: The address fe80::1 can't be listened on\. .*fe80::1%eth0/,
        ],
        [
          { STILE_DATA_DIR: path("junk") },
          /^stile: .*stile\.sqlite is damaged .*STILE_DATA_DIR.*restore FILE/,
        ],
        [
          { STILE_DATA_DIR: path("blocked") },
          /^stile: \S+server\.lock is a directory, but Stile keeps a file there\./,
        ],
      ] as const) {
        const { code, stdout, stderr } = await runServer({
          STILE_DATA_DIR: path("data"),
          STILE_PORT: "0",
          ...environment,
        });
        assert.deepEqual([code, stdout], [1, ""], stderr);
        assert.match(stderr, cause);
        assert.match(stderr, /^[^\n]+\n$/, "a sentence, not a stack");
      }
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });

  test("a port in use is reported, and the data directory is free again", async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), "stile-port-"));
    try {
      await withService({ STILE_LOG_LEVEL: "silent" }, async (service) => {
        const environment = { STILE_DATA_DIR: dataDirectory, STILE_PORT: String(service.port) };
        const { code, stderr } = await runServer(environment);
        assert.equal(code, 1);
        assert.match(
          stderr,
          new RegExp(
            `stile: Port ${service.port} is in use\\. Stop what listens there, or set STILE_PORT\\.`,
          ),
        );
        assert.doesNotMatch(stderr, / at .*\.ts/, "a sentence, not a stack");
      });
      const { stdout } = await runStile(["doctor"], { STILE_DATA_DIR: dataDirectory });
      assert.match(stdout, /No server is running on this data directory/);
    } finally {
      rmSync(dataDirectory, { recursive: true, force: true });
    }
  });
});

suite("stopping", () => {
  test("SIGTERM while 20 redemptions wait: no new connection, all 20 answered and spent, exit 0, soon", async () => {
    await withService({ STILE_LOG_LEVEL: "silent" }, async (service) => {
      const tokens = await mintTokens({
        dataDirectory: service.dataDirectory,
        siteKey: service.siteKey,
        count: 20,
      });
      const holder = await holdDatabase(join(service.dataDirectory, "stile.sqlite"));
      const pending = Promise.all(tokens.map((token) => redeem(service, token)));
      // These requests are answered after the redemptions were sent, so the service has begun all
      // of them.
      for (let i = 0; i < 3; i++)
        await callApi(service.baseUrl, { path: "/api/v1/token/verify", method: "GET" });
      closeConnections();
      const startedAt = performance.now();
      const exit = service.stop();
      let isRefused = false;
      while (!isRefused)
        isRefused = await fetch(`${service.baseUrl}/healthz`).then(
          () => false,
          () => true,
        );
      await holder.release();
      for (const { status, body } of await pending)
        assert.deepEqual([status, body.data.verified], [200, true]);
      assert.equal(await exit, 0);
      assert.ok(performance.now() - startedAt < 5000, "kept connections don't hold it up");
      await service.restart();
      for (const token of tokens)
        assert.equal((await redeem(service, token)).body.reasonCode, "token_already_used");
    });
  });

  test("SIGTERM ends an idle service with exit 0 at once", async () => {
    await withService({ STILE_LOG_LEVEL: "silent" }, async (service) => {
      const startedAt = performance.now();
      assert.equal(await service.stop(), 0);
      assert.ok(performance.now() - startedAt < 2000);
    });
  });
});

suite("files and log of a stopped service", () => {
  test("the data directory is 0700 and every file in it 0600, including the store's own files (D16, operator)", async () => {
    await withService({ STILE_LOG_LEVEL: "silent" }, async (service) => {
      const [token = ""] = await mintTokens({
        dataDirectory: service.dataDirectory,
        siteKey: service.siteKey,
        count: 1,
      });
      assert.equal((await redeem(service, token)).body.data.verified, true);
      const path = `/api/v1/pow/challenge?site_key=${service.siteKey}`;
      await fetch(service.baseUrl + path, { headers: { "x-forwarded-for": "203.0.113.7" } });
      const names = readdirSync(service.dataDirectory);
      for (const name of [
        "master.key",
        "demo.json",
        "stile.sqlite",
        "stile.sqlite-wal",
        "undeclared-proxy.json",
      ]) {
        assert.ok(names.includes(name), name);
      }
      const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
      assert.equal(modeOf(service.dataDirectory), "700");
      const modes = names.map((name) => `${name} ${modeOf(join(service.dataDirectory, name))}`);
      assert.deepEqual(
        modes,
        names.map((name) => `${name} 600`),
      );
    });
  });

  test("the log holds no token, secret or address, on success and on failure (D14, client address)", async () => {
    await withService({ STILE_LOG_LEVEL: "debug" }, async (service) => {
      const { siteKey, secretKey, dataDirectory } = service;
      const [token = "", second = ""] = await mintTokens({
        dataDirectory,
        siteKey,
        count: 2,
        userAgent: "ua_canary",
      });
      const canaries = [
        token,
        second,
        secretKey,
        "127.0.0.66",
        "203.0.113.66",
        "sk_canary",
        "tok_canary",
        "ua_canary",
      ];
      const from = "127.0.0.66";
      const headers = { "user-agent": "ua_canary", "x-forwarded-for": "203.0.113.66" };
      const verify = (key: string, body: object) =>
        callApi(service.baseUrl, {
          path: "/api/v1/token/verify",
          body,
          headers: { ...headers, authorization: `Bearer ${key}` },
          from,
        });
      const send = async (fresh: string): Promise<void> => {
        await verify(secretKey, {
          token: fresh,
          remoteip: "203.0.113.66",
          user_agent: "ua_canary",
        });
        await verify(secretKey, { token: "tok_canary", ip: "203.0.113.66" });
        await verify("sk_canary", { token: fresh });
        const query = `site_key=${siteKey}&action=tok_canary`;
        await callApi(service.baseUrl, {
          method: "GET",
          path: `/api/v1/pow/challenge?${query}`,
          headers,
          from,
        });
        await callApi(service.baseUrl, {
          path: `/api/v1/tok_canary?token=${fresh}`,
          headers,
          from,
        });
      };
      await send(token);
      const file = join(dataDirectory, "stile.sqlite");
      const holder = await holdDatabase(file);
      await send(second);
      await holder.release();
      await (
        await runInSecondProcess(file, "DROP TABLE token_marks; DROP TABLE statistics")
      ).release();
      await send(second);
      await service.stop();
      const log = service.log();
      for (const expected of [
        /"listening"/,
        /The store failed or did not answer/,
        /A request failed/,
        /STILE_TRUSTED_PROXIES/,
        /Stopped, but the last counts and decisions could not be written/,
      ]) {
        assert.match(log, expected, "the log says what happened");
      }
      for (const canary of canaries)
        assert.ok(!log.includes(canary), `the log names ${canary.slice(0, 20)}`);
    });
  });
});
