import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { findFreePort } from "@stile/testkit/free-port";
import { listProcesses, treeOf } from "@stile/testkit/service/process-tree";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Longer than any step of `npm run dev` takes, including the widget's build. */
const PATIENCE_MS = 120_000;

/**
 * `npm run dev`, with npm as the leader of its own process group and with its own temporary folder.
 */
type NpmDev = {
  readonly npm: ChildProcess;
  readonly folder: string;
  readonly port: number;
  printed: string;
};

async function waitUntil(condition: () => boolean, what: () => string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!condition()) {
    assert.ok(performance.now() < until, what());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function startDev(context: TestContext): Promise<NpmDev> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), "stile-npm-dev-")), await findFreePort()];
  // This test may itself run under npm, which sets variables for its scripts.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(STILE|npm)_/.test(name));
  const npm = spawn("npm", ["run", "dev"], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...Object.fromEntries(inherited), STILE_PORT: String(port), TMPDIR: folder },
  });
  const dev: NpmDev = { npm, folder, port, printed: "" };
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      dev.printed += text;
    });
  }
  context.after(() => {
    try {
      process.kill(-Number(npm.pid), "SIGKILL");
    } catch {
      // All of its processes have ended, as they should.
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return dev;
}

/** The processes once all three run: npm, the one that restarts the service, and the service. */
async function whenStarting(dev: NpmDev): Promise<readonly number[]> {
  let tree: readonly number[] = [];
  const isStarting = (): boolean => {
    tree = treeOf(Number(dev.npm.pid));
    return tree.length >= 3;
  };
  await waitUntil(isStarting, () => `it starts:\n${dev.printed}`);
  assert.doesNotMatch(dev.printed, /Stile listens on/);
  return tree;
}

const FILLED = "Look at them in the dashboard.";

/** The processes once the service listens, while the store fills up, or once that is done. */
async function whenListening(dev: NpmDev, sign = "Stile listens on"): Promise<readonly number[]> {
  await waitUntil(
    () => dev.printed.includes(sign),
    () => `it prints "${sign}":\n${dev.printed}`,
  );
  const tree = treeOf(Number(dev.npm.pid));
  assert.ok(tree.length >= 3, "npm, the restarter, and the service");
  return tree;
}

async function assertAllGone(dev: NpmDev, tree: readonly number[]): Promise<void> {
  const alive = (): number[] => {
    const pids = new Set(listProcesses().map(({ pid }) => pid));
    return tree.filter((pid) => pids.has(pid));
  };
  await waitUntil(
    () => alive().length === 0,
    () => `none of ${tree.join(", ")} is left, but ${alive().join(", ")}:\n${dev.printed}`,
  );
  await assert.rejects(fetch(`http://127.0.0.1:${dev.port}/healthz`), "the port is free");
}

const storesIn = ({ folder }: NpmDev): string[] =>
  readdirSync(folder).filter((name) => name.startsWith("stile-dev-"));

const isLinux = process.platform === "linux";

suite("a signal ends all processes of npm run dev", { skip: !isLinux && "needs /proc" }, () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} to npm while the store fills: no process and no throw-away store remain`, async (context) => {
      const dev = await startDev(context);
      const tree = await whenListening(dev);
      assert.equal(storesIn(dev).length, 1);
      dev.npm.kill(signal);
      await assertAllGone(dev, tree);
      assert.deepEqual(storesIn(dev), []);
      assert.match(dev.printed, /"stopped"/, "the service stopped on its own");
    });

    test(`${signal} to all processes while the service starts: nothing remains`, async (context) => {
      const dev = await startDev(context);
      const tree = await whenStarting(dev);
      process.kill(-Number(dev.npm.pid), signal);
      await assertAllGone(dev, tree);
      assert.deepEqual(storesIn(dev), []);
    });
  }

  test("SIGINT to all processes, as by Ctrl-C, once the store is filled: nothing remains", async (context) => {
    const dev = await startDev(context);
    const tree = await whenListening(dev, FILLED);
    process.kill(-Number(dev.npm.pid), "SIGINT");
    await assertAllGone(dev, tree);
    assert.deepEqual(storesIn(dev), []);
    assert.match(dev.printed, /"stopped"/);
  });

  test("killing npm, or the process that restarts the service, ends the service too", async (context) => {
    for (const place of [0, 1]) {
      const dev = await startDev(context);
      const tree = await whenListening(dev);
      process.kill(tree[place] ?? 0, "SIGKILL");
      await assertAllGone(dev, tree);
      assert.match(dev.printed, /"stopped"/);
    }
  });
});
