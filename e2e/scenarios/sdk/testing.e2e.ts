// The package for customers' tests, as npm would pack it, away from the checkout.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { TEST_KEYS } from "@stile/core/domain/site/test-keys";
import { REASON_CODES } from "@stile/protocol/reason-codes";
import { listShipped } from "../../../deploy/image-content.ts";
import type { Stile } from "../../../sdk/testing/src/index.ts";

type Testing = typeof import("../../../sdk/testing/src/index.ts");
type Runners = {
  playwright: typeof import("../../../sdk/testing/src/runners/playwright.ts");
  vitest: typeof import("../../../sdk/testing/src/runners/vitest.ts");
  cypress: typeof import("../../../sdk/testing/src/runners/cypress.ts");
};

const root = join(import.meta.dirname, "..", "..", "..");
const directory = mkdtempSync(join(tmpdir(), "stile-testing-package-"));
after(() => rmSync(directory, { recursive: true, force: true }));
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--silent", join(root, "sdk", "testing")], {
    cwd: directory,
    encoding: "utf8",
  }),
) as { filename: string; files: { path: string }[] }[];
execFileSync("tar", ["-xf", packed?.filename ?? ""], { cwd: directory });

const load = async <Module>(path: string): Promise<Module> =>
  await import(pathToFileURL(join(directory, "package", "dist", path)).href);
const runner = <Name extends keyof Runners>(name: Name): Promise<Runners[Name]> =>
  load(`runners/${name}.js`);
const { startStile, tokenFor, ...tables } = await load<Testing>("index.js");

/** Status, verdict and reason of a redemption. */
async function redeem({ url, secretKey }: Omit<Stile, "stop">, token: string) {
  const response = await fetch(`${url}/api/v1/token/verify`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { data, reasonCode } = (await response.json()) as {
    data: { verified: boolean };
    reasonCode?: string;
  };
  return [response.status, data.verified, reasonCode];
}

test("packs the files of a container image, and nothing that a test or a build needs", () => {
  const files = (packed?.files ?? []).map(({ path }) => path);
  for (const path of listShipped(root)) assert.ok(files.includes(`service/${path}`), path);
  const own = files.filter((path) => !path.startsWith("service/"));
  assert.ok(
    own.every((path) => /^(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(path)),
  );
});

test("knows the test keys and reasons of the service", () => {
  const keys = TEST_KEYS.map(({ behaviour, siteKey, secretKey }) => [
    behaviour,
    { siteKey, secretKey },
  ]);
  assert.deepEqual(Object.entries(tables.TEST_KEYS), keys);
  assert.deepEqual(tables.REASON_CODES, Object.keys(REASON_CODES));
});

test("gives a token for each reason, whose status is that of a real service, and names a wrong argument", async () => {
  process.env.STILE_PROT = "a setting of another service, with a mistake";
  const stile = await startStile();
  delete process.env.STILE_PROT;
  try {
    assert.deepEqual(await redeem(stile, await tokenFor(stile.url)), [200, true, undefined]);
    for (const reason of tables.REASON_CODES) {
      const token = await tokenFor(stile.url, reason);
      assert.ok(token.length >= 100);
      const status = { invalid_secret: 401, internal_error: 503 }[reason as string] ?? 200;
      assert.deepEqual(await redeem(stile, token), [status, false, reason]);
    }
    await assert.rejects(
      tokenFor(stile.url, "expired" as never),
      /reason must be one of .*expired/,
    );
    await assert.rejects(tokenFor("stile"), /baseUrl must be the address of a service, not stile/);
  } finally {
    await stile.stop();
  }
  await assert.rejects(fetch(stile.url), "it has stopped");
});

test("starts a service for Playwright, Vitest and Cypress, and stops it at their end", async () => {
  const urls: string[] = [];
  const use = async (stile: Omit<Stile, "stop">): Promise<void> => {
    urls.push(stile.url);
    assert.equal((await redeem(stile, await tokenFor(stile.url)))[1], true);
  };
  const [fixture] = (await runner("playwright")).stileFixture;
  const inVitest = async (): Promise<void> => {
    const { default: setup } = await runner("vitest");
    let using: Promise<void> | undefined;
    const teardown = await setup({
      provide: (name, stile) => {
        assert.equal(name, "stile");
        using = use(stile);
      },
    });
    await using;
    await teardown();
  };
  const inCypress = async (): Promise<void> => {
    const { useStile } = await runner("cypress");
    const events = new Map<string, unknown>();
    const config = await useStile((event, given) => void events.set(event, given), { env: {} });
    const stile = (config.env as { stile: Omit<Stile, "stop"> }).stile;
    const tasks = events.get("task") as { stileTokenFor: (reason: null) => Promise<string> };
    urls.push(stile.url);
    assert.equal((await redeem(stile, await tasks.stileTokenFor(null)))[1], true);
    await (events.get("after:run") as () => Promise<void>)();
  };
  await Promise.all([fixture({}, use), inVitest(), inCypress()]);
  assert.equal(new Set(urls).size, 3);
  for (const url of urls) await assert.rejects(fetch(url), url);
});
