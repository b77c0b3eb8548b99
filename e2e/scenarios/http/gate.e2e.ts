// The gate behind the proxies of the samples: a visitor's browser, and calls without one.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  collectComplaints,
  launchVisitorBrowser,
  newVisitor,
} from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { findFreePort } from "@stile/testkit/free-port";
import { addEasySite, startEasyService } from "@stile/testkit/service/easy-service";
import { type RunningService, startService } from "@stile/testkit/service/service";
import type { Browser } from "playwright-core";

const DEPLOY = join(import.meta.dirname, "..", "..", "..", "deploy");
const UNPRIVILEGED = 65_534;
const START_MS = 20_000;
/** For the work of a token on a busy machine. */
const PATIENCE_MS = 150_000;

/** The sample with only its addresses changed, in a configuration of its own, and the command. */
const PROXIES = {
  nginx: (folder: string, port: number, [stile, shop]: readonly [number, number]) => {
    const lines = readFileSync(join(DEPLOY, "nginx", "gate.conf"), "utf8")
      .replaceAll("127.0.0.1:8787", `127.0.0.1:${stile}`)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${shop}`);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const file = join(folder, "nginx.conf");
    writeFileSync(
      file,
      `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}
http { access_log off; ${temporary.join(" ")}\nserver { listen 127.0.0.1:${port};\n${lines}\n} }`,
    );
    const options = ["-p", folder, "-c", file, "-e", `${folder}/error.log`, "-g", "daemon off;"];
    return ["/usr/sbin/nginx", ...options];
  },
  Caddy: (folder: string, port: number, [stile, shop]: readonly [number, number]) => {
    const lines = readFileSync(join(DEPLOY, "caddy", "gate.Caddyfile"), "utf8")
      .replaceAll("127.0.0.1:8787", `127.0.0.1:${stile}`)
      .replaceAll("127.0.0.1:8080", `127.0.0.1:${shop}`)
      .replace("app.example.org {", `http://localhost:${port} {`);
    const file = join(folder, "Caddyfile");
    writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${lines}`);
    return ["/usr/bin/caddy", "run", "--config", file, "--adapter", "caddyfile"];
  },
} as const;

async function startProxy(name: keyof typeof PROXIES, nodes: readonly [number, number]) {
  const folder = mkdtempSync(join(tmpdir(), "stile-gate-"));
  const port = await findFreePort();
  const [command = "", ...args] = PROXIES[name](folder, port, nodes);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const child = spawn(command, args, { env, stdio: "ignore", ...identity });
  const gone = once(child, "exit");
  const deadline = performance.now() + START_MS;
  const url = `http://localhost:${port}`;
  for (;;) {
    if (
      await fetch(url, { redirect: "manual" }).then(
        () => true,
        () => false,
      )
    )
      break;
    if (performance.now() > deadline) throw new Error("the proxy does not listen");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The application: it answers everything with the path, and knows nothing of the gate. */
const shop = createServer((request, response) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(`<!doctype html><title>App</title><p id="app">${request.method} ${request.url}`);
});

let browser: Browser;
let service: RunningService;

before(async () => {
  const first = await startEasyService();
  const { dataDirectory } = first;
  // A program visits, and the gate is not about scores.
  const thresholds = { challenge: 0.9, block: 0.95 };
  const { secretKey } = await addEasySite(first, {
    name: "app",
    domains: ["localhost"],
    thresholds,
  });
  await first.stop();
  [browser, service] = await Promise.all([
    launchVisitorBrowser(),
    startService({
      STILE_DATA_DIR: dataDirectory,
      STILE_DEMO: "on",
      STILE_GATE_SECRET_KEY: secretKey,
      STILE_TRUSTED_PROXIES: "127.0.0.1,::1",
    }),
    new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve)),
  ]);
  after(() => rmSync(dataDirectory, { recursive: true, force: true }));
});
after(async () => {
  await browser?.close();
  await service?.dispose();
  shop.close();
});

for (const name of ["nginx", "Caddy"] as const) {
  test(`lets nobody through ${name} without a pass, and a visitor after the page, to the path that they wanted`, async () => {
    const { port } = shop.address() as AddressInfo;
    const proxy = await startProxy(name, [service.port, port]);
    const context = await newVisitor(browser);
    try {
      for (const headers of [
        {},
        { cookie: "stile-gate=1.1.x" },
        { "x-forwarded-host": "other.example", "x-forwarded-uri": "//evil.test/" },
      ]) {
        const answer = await fetch(`${proxy.url}/admin?a=1&b=2`, { headers, redirect: "manual" });
        assert.equal(answer.status, 302);
        const location = new URL(answer.headers.get("location") ?? "", proxy.url);
        assert.equal(location.origin, proxy.url);
        assert.equal(location.pathname + location.search, "/gate?to=/admin?a=1&b=2");
        assert.doesNotMatch(await answer.text(), /id="app"/);
      }
      const posted = await fetch(`${proxy.url}/admin`, {
        method: "POST",
        body: "x",
        redirect: "manual",
      });
      assert.equal(posted.status, 302);

      const page = await context.newPage();
      const complaints = collectComplaints(page);
      await page.goto(`${proxy.url}/admin?a=1&b=2`);
      assert.equal(await page.title(), "One moment");
      // The widget waits until it has noticed the visitor.
      await pressByHand(page, "form > p > button");
      await page.waitForSelector("#app", { timeout: PATIENCE_MS });
      assert.deepEqual(complaints, []);
      assert.equal(await page.textContent("#app"), "GET /admin?a=1&b=2");
      const [cookie, ...others] = await context.cookies();
      assert.deepEqual([cookie?.name, cookie?.httpOnly, others], ["stile-gate", true, []]);
      await page.goto(`${proxy.url}/second`);
      assert.equal(await page.textContent("#app"), "GET /second");

      const pass = `stile-gate=${cookie?.value}`;
      const again = await fetch(`${proxy.url}/third`, { headers: { cookie: pass } });
      assert.match(await again.text(), /GET \/third/);
      const elsewhere = await fetch(`${service.baseUrl}/gate/check`, {
        headers: {
          cookie: pass,
          "x-forwarded-for": "198.51.100.1",
          "x-forwarded-host": "localhost",
        },
      });
      assert.equal(elsewhere.status, 401, "a copied cookie in another network");
    } finally {
      await context.close();
      await proxy.stop();
    }
  });
}
