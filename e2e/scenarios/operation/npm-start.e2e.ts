import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { HEAP_OPTIONS, MALLOC_SETTINGS } from "@stile/server/lifecycle/heap-options";
import { holdDatabase } from "@stile/testkit/contract/second-process";
import { findFreePort } from "@stile/testkit/free-port";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { listProcesses, treeOf } from "@stile/testkit/service/process-tree";
import { redeem } from "@stile/testkit/service/redeem";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Longer than any stop takes; an idle service stops in a second. */
const GONE_MS = 30_000;
/** The log line of a start whose data directory was not closed properly (D3, single use). */
const RETIRED = /refuses all tokens and challenges that it issued until now/;

/** A service run by `npm start`, with npm as the leader of its own process group. */
type NpmStart = {
  readonly npm: ChildProcess;
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly printed: () => string;
};

async function waitUntil(condition: () => boolean, what: string): Promise<void> {
  const until = performance.now() + GONE_MS;
  while (!condition()) {
    assert.ok(performance.now() < until, `within ${GONE_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function makeDataDirectory(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "stile-npm-"));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function startByNpm(context: TestContext, dataDirectory: string): Promise<NpmStart> {
  const port = await findFreePort();
  // This test may itself run under npm, which sets variables for its scripts.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(STILE|npm)_/.test(name));
  const npm = spawn("npm", ["start"], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...Object.fromEntries(inherited),
      STILE_PORT: String(port),
      STILE_DATA_DIR: dataDirectory,
    },
  });
  let printed = "";
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  context.after(() => {
    try {
      process.kill(-Number(npm.pid), "SIGKILL");
    } catch {
      // All of its processes have ended, as they should.
    }
  });
  await waitUntil(
    () => printed.includes("Stile listens on") || npm.exitCode !== null,
    `it listens:\n${printed}`,
  );
  assert.equal(npm.exitCode, null, printed);
  return { npm, port, dataDirectory, baseUrl: `http://127.0.0.1:${port}`, printed: () => printed };
}

async function assertAllGone(started: NpmStart, tree: readonly number[]): Promise<void> {
  const alive = (): number[] => {
    const pids = new Set(listProcesses().map(({ pid }) => pid));
    return tree.filter((pid) => pids.has(pid));
  };
  await waitUntil(
    () => alive().length === 0,
    `none of its processes is left:\n${started.printed()}`,
  );
  await assert.rejects(fetch(`${started.baseUrl}/healthz`), "the port is free");
  assert.equal(openDataDirectory(started.dataDirectory).isServed(), false, "the lock is free");
  assert.doesNotMatch(started.printed(), RETIRED, "the earlier run stopped cleanly");
}

const isLinux = process.platform === "linux";

suite("a signal to any process of npm start ends all of it (D17, settings)", {
  skip: !isLinux && "needs /proc",
}, () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const) {
    test(`${signal} to each of them in turn: nothing remains, and the next start finds everything in order`, async (context) => {
      const dataDirectory = makeDataDirectory(context);
      for (let place = 0, count = 1; place < count; place++) {
        const started = await startByNpm(context, dataDirectory);
        const tree = treeOf(Number(started.npm.pid));
        count = tree.length;
        assert.ok(count >= 2, "npm and what it runs");
        const npmEnded = once(started.npm, "exit");
        process.kill(tree[place] ?? 0, signal);
        await assertAllGone(started, tree);
        // A program that waits for npm may start the next service as soon as this one has ended.
        const [code] = (await npmEnded) as [number | null];
        if (place === 0 && /TERM|INT/.test(signal)) assert.equal(code, 0, "npm's exit code");
        const isService = place === count - 1;
        if (signal !== "SIGKILL" || !isService)
          assert.match(started.printed(), /"stopped"/, "the service stopped on its own");
      }
    });
  }

  test("npm start leaves only the built service, with one thread as decision 0004 says, and no build check", async (context) => {
    const { npm } = await startByNpm(context, makeDataDirectory(context));
    const pid = treeOf(Number(npm.pid)).at(-1);
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    assert.deepEqual(words.slice(1, -1), [
      ...HEAP_OPTIONS,
      join(ROOT, "packages", "server", "dist", "main.js"),
    ]);
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    for (const [name, value] of Object.entries(MALLOC_SETTINGS))
      assert.ok(variables.includes(`${name}=${value}`));
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} to all of them at once counts as one signal: the service answers the pending requests`, async (context) => {
      const started = await startByNpm(context, makeDataDirectory(context));
      const { baseUrl, dataDirectory, npm } = started;
      const keys = JSON.parse(readFileSync(join(dataDirectory, "demo.json"), "utf8")) as Record<
        string,
        string
      >;
      const service = { baseUrl, secretKey: keys.secret_key ?? "" };
      const tokens = await mintTokens({ dataDirectory, siteKey: keys.site_key ?? "", count: 10 });
      const holder = await holdDatabase(join(dataDirectory, "stile.sqlite"));
      const pending = Promise.all(tokens.map((token) => redeem(service, token)));
      // These requests are answered after the redemptions were sent, so the service has begun all
      // of them.
      for (let i = 0; i < 3; i++) await (await fetch(`${baseUrl}/api/v1/token/verify`)).text();
      const tree = treeOf(Number(npm.pid));
      process.kill(-Number(npm.pid), signal);
      await waitUntil(() => started.printed().includes('"stopping"'), "it heard the signal");
      await holder.release();
      for (const { status, body } of await pending)
        assert.deepEqual([status, body.data.verified], [200, true]);
      await assertAllGone(started, tree);
      assert.match(started.printed(), /"stopped"/);
    });
  }
});
