import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import {
  checkNginxSample,
  type ReverseProxy,
  startReverseProxy,
} from "@stile/testkit/service/reverse-proxy";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { skipWithout } from "@stile/testkit/trials/debian-programs";

const NGINX = "/usr/sbin/nginx";
const OPENSSL = "/usr/bin/openssl";

/**
 * Challenges per minute and network: few, so that the limit shows which address the service saw.
 */
const FEW = 6;
const SETTINGS = {
  STILE_LOG_LEVEL: "error",
  STILE_BASE_URL: "https://stile.example.org",
  STILE_TRUSTED_PROXIES: "127.0.0.1",
  STILE_LIMIT_CHALLENGE: String(FEW),
};

/** Two nodes that know the same site: an installation and a copy of it. */
async function startNodes(folder: string): Promise<readonly [RunningService, RunningService]> {
  const places = ["a", "b"].map((name) => join(folder, name)) as [string, string];
  const first = await startService({ ...SETTINGS, STILE_DATA_DIR: places[0] });
  await first.stop();
  cpSync(places[0], places[1], { recursive: true });
  await first.restart();
  return [first, await startService({ ...SETTINGS, STILE_DATA_DIR: places[1] })];
}

/**
 * A node that reports itself healthy but fails every other request: it reads the request and closes
 * the connection.
 */
async function startDyingNode(heard: string[]): Promise<Server> {
  const node = createServer((socket) => {
    socket
      .on("error", () => {})
      .on("data", (part: Buffer) => {
        const [method = "", path] = part.toString("latin1").split(" ", 2);
        if (path === "/healthz")
          return socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        heard.push(method);
        return socket.destroy();
      });
  }).listen(0, "127.0.0.1");
  await once(node, "listening");
  return node;
}

/** A node without its store: it is not ready, and serves only what needs no store. */
async function startUnreadyNode(): Promise<Server> {
  const node = createServer((socket) => {
    socket
      .on("error", () => {})
      .on("data", (part: Buffer) => {
        const path = part.toString("latin1").split(" ", 2)[1] ?? "";
        const status = path === "/readyz" ? "503 Service Unavailable" : "200 OK";
        socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      });
  }).listen(0, "127.0.0.1");
  await once(node, "listening");
  return node;
}

const PROXIES = [
  { name: "nginx", program: NGINX },
  { name: "Caddy", program: "/usr/bin/caddy" },
] as const;

for (const { name, program } of PROXIES) {
  const skip = skipWithout(program, OPENSSL);
  suite(`the sample for ${name}, before two nodes`, { skip }, () => {
    let folder = "";
    let nodes: readonly [RunningService, RunningService];
    let proxy: ReverseProxy;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), "stile-proxied-"));
      nodes = await startNodes(folder);
      proxy = await startReverseProxy(name, [nodes[0].port, nodes[1].port]);
    });
    after(async () => {
      await proxy?.dispose();
      for (const node of nodes ?? []) await node.dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    const draw = async (from: string, forwardedFor?: string): Promise<number> => {
      const headers = {
        origin: "http://localhost",
        ...(forwardedFor && { "X-Forwarded-For": forwardedFor }),
      };
      const path = `/api/v1/pow/challenge?site_key=${nodes[0].siteKey}`;
      return (await proxy.call({ path, headers, from })).status;
    };
    const redeemToken = (token: string) => {
      const headers = {
        Authorization: `Bearer ${nodes[0].secretKey}`,
        "Content-Type": "application/json",
      };
      return proxy.call({ path: "/api/v1/token/verify", headers, body: JSON.stringify({ token }) });
    };

    test("the service counts visitors by their real address, and ignores an address that they claim (D14, client address)", async () => {
      const greedy: number[] = [];
      // Each request claims another address. If the service believed it, no visitor would reach the
      // limit of either node.
      for (let i = 0; i < 4 * FEW; i++)
        greedy.push(await draw("127.1.0.1", `203.0.${i}.7, 198.51.${i}.7`));
      assert.ok(greedy.includes(429), `${greedy}`);
      assert.equal(greedy.at(-1), 429);
      assert.equal(
        await draw("127.2.0.1"),
        200,
        "another visitor through the same proxy has a limit of their own",
      );
      for (const node of nodes) assert.equal(node.log(), "");
    });

    test("the service answers a token of any size, and refuses other bodies over their limit (D1, status and body; D11, errors)", async () => {
      for (const size of [3_000, 20_000, 200_000, 5_000_000]) {
        const answer = await redeemToken("x".repeat(size));
        assert.equal(answer.status, 200, `${size}: ${answer.body}`);
        assert.equal(JSON.parse(answer.body).reasonCode, "invalid_signature");
      }
      const large = {
        path: "/api/v1/verify",
        headers: { "Content-Type": "application/json" },
        body: "x".repeat(1_000_000),
      };
      assert.equal((await proxy.call(large)).status, 413);
    });

    test("no caller can take nodes out of service with broken or aborted requests", async () => {
      const head = "Host: stile.example.org\r\nContent-Type: application/json\r\n";
      const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`;
      for (const path of ["/api/v1/verify", "/api/v1/token/verify"]) {
        const post = `POST ${path} HTTP/1.1\r\n`;
        const broken = [`${post}${chunked}`, `${post}${head}Content-Length: 1000\r\n\r\n{"a":`];
        // At least one for each node.
        for (const text of [...broken, ...broken]) await proxy.sendText(text, "sent");
        for (let times = 0; times < 2; times++)
          await proxy.sendText(`${post}${chunked}ZZ\r\n`, "answered");
        const { status, body } = await redeemToken("x");
        assert.equal(status, 200, body);
      }
    });

    test("killing one node under load costs no GET, and redemptions continue at the other", async () => {
      const statuses: number[] = [];
      const load = { isOver: false };
      const caller = async (_: unknown, index: number): Promise<void> => {
        while (!load.isOver) {
          const path = ["/stile.js", "/api/v1/openapi.json", "/readyz"][index % 3] ?? "";
          statuses.push((await proxy.call({ path })).status);
        }
      };
      const callers = Array.from({ length: 4 }, caller);
      const answered = async (count: number): Promise<void> => {
        const until = statuses.length + count;
        while (statuses.length < until) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      await answered(60);
      await nodes[1].kill();
      await answered(120);
      const redeemed = await redeemToken("x");
      load.isOver = true;
      await Promise.all(callers);
      assert.deepEqual([...new Set(statuses)], [200], `${statuses.length} GETs`);
      assert.equal(redeemed.status, 200, redeemed.body);
    });
  });

  test(`${name} never retries a redemption at another node, which would find its token used (D2, redemption)`, {
    skip,
  }, async () => {
    const heard: string[] = [];
    const nodes = [await startDyingNode(heard), await startDyingNode(heard)];
    const [first = 0, second = 0] = nodes.map((node) => (node.address() as AddressInfo).port);
    const proxy = await startReverseProxy(name, [first, second]);
    try {
      const headers = { "Content-Type": "application/json" };
      const lost = await proxy.call({
        path: "/api/v1/token/verify",
        headers,
        body: '{"token":"x"}',
      });
      assert.deepEqual([lost.status, heard], [502, ["POST"]]);
      const lostWork = await proxy.call({ path: "/api/v1/verify", headers, body: "{}" });
      assert.deepEqual([lostWork.status, heard], [502, ["POST", "POST"]]);
    } finally {
      await proxy.dispose();
      for (const node of nodes) node.close();
    }
  });
}

for (const { name, program } of PROXIES) {
  test(`${name} serves the widget while no node is ready: it reports the outage, and forms are sent (D15, outage)`, {
    skip: skipWithout(program, OPENSSL),
  }, async () => {
    const nodes = [await startUnreadyNode(), await startUnreadyNode()];
    const [first = 0, second = 0] = nodes.map((node) => (node.address() as AddressInfo).port);
    const proxy = await startReverseProxy(name, [first, second]);
    try {
      // Proxies with health checks have noticed it after a few requests.
      for (let times = 0; times < 8; times++)
        assert.equal((await proxy.call({ path: "/stile.js" })).status, 200);
      assert.equal((await proxy.call({ path: "/readyz" })).status, 503);
      for (let times = 0; times < 8; times++)
        assert.equal((await proxy.call({ path: "/stile.js" })).status, 200);
    } finally {
      await proxy.dispose();
      for (const node of nodes) node.close();
    }
  });
}

const isRoot = process.getuid?.() === 0;
test("nginx accepts its sample as shipped", {
  skip: isRoot ? skipWithout(NGINX, OPENSSL) : "only root may listen on port 443",
}, () => {
  assert.equal(checkNginxSample(), null);
});
