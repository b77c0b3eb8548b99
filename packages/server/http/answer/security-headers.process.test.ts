import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { configOf } from "@stile/testkit/service/config-of";
import { composeService } from "../../compose/compose.ts";
import { createLog } from "../../telemetry/log.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "OPTIONS"] as const;
/**
 * Answers that pages of other sites may load: the widget's files, the OpenAPI document, and answers
 * that CORS opens.
 */
const FOR_OTHERS =
  /^\/(\w[\w-]*\.js|recaptcha\/(api|enterprise)\.js|1\/api\.js|turnstile\/v0\/api\.js|friendlycaptcha\/site\.min\.js|stile\.d\.ts|languages\/[\w-]+\.json|frame|api\/v1\/openapi\.json|api\/v1\/(pow\/challenge|verify))(\?|$)/;

type SeenAnswer = {
  readonly what: string;
  readonly path: string;
  readonly status: number;
  readonly raw: readonly string[];
};

async function start(baseUrl: string | undefined) {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-headers-"));
  const environment = {
    STILE_PORT: "0",
    STILE_DATA_DIR: dataDirectory,
    STILE_LOG_LEVEL: "silent",
    STILE_DEMO: "on",
  };
  const config = configOf({ ...environment, STILE_BASE_URL: baseUrl });
  const service = await composeService(config, createLog("silent"));
  const address = new URL((await service.listen()).url);
  after(async () => {
    await service.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  return { service, address };
}

/** Sends one request on its own connection; returns the headers of the answer unchanged. */
async function ask(
  address: URL,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<SeenAnswer> {
  const sent = request({
    host: address.hostname,
    port: address.port,
    method,
    path,
    headers,
    agent: false,
  });
  sent.end(headers["content-type"] === undefined ? undefined : "{}");
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
  const what = `${method} ${path} ${JSON.stringify(headers)}: ${response.statusCode}`;
  return { what, path, status: response.statusCode, raw: response.rawHeaders };
}

/** The answer to bytes that are not a request. */
function askRaw(address: URL, bytes: string): Promise<SeenAnswer> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(address.port), address.hostname, () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", reject).on("close", () => {
      const [statusLine = "", ...lines] = text.split("\r\n\r\n", 1)[0]?.split("\r\n") ?? [];
      const raw = lines.flatMap((line) => [
        line.slice(0, line.indexOf(":")),
        line.slice(line.indexOf(":") + 2),
      ]);
      resolve({
        what: bytes.slice(0, 40),
        path: "",
        status: Number(statusLine.split(" ")[1]),
        raw,
      });
    });
  });
}

function assertHeaders({ what, path, raw }: SeenAnswer, isHttps: boolean): void {
  const names = raw.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  assert.deepEqual([...new Set(names)], names, `${what}: a header twice`);
  const headers = new Map(names.map((name, i) => [name, raw[2 * i + 1] ?? ""]));
  assert.equal(headers.get("x-content-type-options"), "nosniff", what);
  assert.match(
    headers.get("referrer-policy") ?? "",
    /^(no-referrer|strict-origin-when-cross-origin)$/,
    what,
  );
  assert.equal(
    headers.get("strict-transport-security"),
    isHttps ? "max-age=31536000" : undefined,
    what,
  );
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/, what);
  assert.ok(headers.get("cache-control"), `${what}: no Cache-Control`);
  const policy = headers.get("cross-origin-resource-policy");
  assert.ok(
    policy === "same-origin" || (policy === "cross-origin" && FOR_OTHERS.test(path)),
    `${what}: ${policy}`,
  );
  if (!headers.get("content-type")?.startsWith("text/html")) return;
  const rules = headers.get("content-security-policy") ?? "";
  assert.match(rules, /default-src 'none'/, what);
  assert.doesNotMatch(rules, /'unsafe-/, what);
  const mayBeFramed = path === "/frame";
  assert.equal(/frame-ancestors 'none'/.test(rules), !mayBeFramed, what);
  assert.equal(headers.get("x-frame-options"), mayBeFramed ? undefined : "DENY", what);
}

for (const baseUrl of [undefined, "https://stile.example"]) {
  const isHttps = baseUrl !== undefined;
  const { service, address } = await start(baseUrl);
  const name = isHttps ? "https" : "http";

  test(`sends the common headers from every address of every router, by every method (ASVS 5.0, 3.4; ${name})`, async () => {
    assert.ok(service.routes.length > 50);
    const statuses = new Set<number>();
    const origins = [undefined, baseUrl ?? address.origin, "https://other.example"];
    const paths = new Set(service.routes.map(({ path }) => path.replace(/:\w+|\*/g, "x")));
    for (const path of [
      ...paths,
      "/",
      "/nothing",
      "/dashboard/api/nothing",
      "/%ff",
      `/${"a/".repeat(500)}`,
    ]) {
      for (const method of METHODS) {
        for (const origin of method === "GET" || method === "POST" ? origins : [undefined]) {
          const headers = {
            ...(origin && { origin }),
            ...(method === "POST" && { "content-type": "application/json" }),
          };
          const seen = await ask(address, method, path, headers);
          assertHeaders(seen, isHttps);
          statuses.add(seen.status);
        }
      }
    }
    for (const status of [200, 204, 302, 400, 401, 403, 404, 405])
      assert.ok(statuses.has(status), `no ${status}`);
  });

  test(`sends the common headers with answers to unreadable, too large, wrongly typed or known requests (${name})`, async () => {
    const host = "Host: localhost\r\n";
    const raw = [
      ["HELO stile\r\n\r\n", 400],
      ["GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
      [`GET / HTTP/1.1\r\n${host}X: ${"x".repeat(9000)}\r\n\r\n`, 431],
      [
        `POST /api/v1/verify HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
        400,
      ],
    ] as const;
    for (const [bytes, status] of raw) {
      const seen = await askRaw(address, bytes);
      assert.equal(seen.status, status, seen.what);
      assertHeaders(seen, isHttps);
    }
    for (const path of [
      "/api/v1/token/verify",
      "/api/v1/score",
      "/api/v1/verify",
      "/dashboard/api/sign-in",
    ]) {
      const origin = baseUrl ?? address.origin;
      const tooLarge = {
        "content-length": "100000",
        "content-type": "application/json",
        expect: "100-continue",
      };
      for (const more of [{ "content-type": "text/plain" }, tooLarge]) {
        const seen = await ask(address, "POST", path, { origin, ...more });
        // If the size of a body is not refused, the key is checked first (D7, score request).
        assert.ok([401, 413, 415].includes(seen.status), seen.what);
        assertHeaders(seen, isHttps);
      }
    }
    for (const path of ["/stile.js", "/frame", "/dashboard"]) {
      const { raw: known } = await ask(address, "GET", path);
      const etag = known[known.findIndex((text) => text.toLowerCase() === "etag") + 1] ?? "";
      const seen = await ask(address, "GET", path, { "if-none-match": etag });
      assert.equal(seen.status, 304);
      assertHeaders(seen, isHttps);
    }
  });

  test(`sends the common headers with faults of the service (${name})`, async () => {
    const { service, address } = await start(baseUrl);
    await service.store.close();
    const origin = baseUrl ?? address.origin;
    const siteKey = service.firstStart.demoKeys?.siteKey ?? "";
    const secret = service.firstStart.demoKeys?.secretKey ?? "";
    const json = { "content-type": "application/json" };
    const calls = [
      ["GET", "/readyz", {}],
      ["POST", "/api/v1/score", { ...json, authorization: `Bearer ${secret}` }],
      ["POST", "/api/v1/token/verify", { ...json, authorization: `Bearer ${secret}` }],
      ["GET", `/api/v1/pow/challenge?site_key=${siteKey}`, {}],
      ["GET", "/dashboard/api/me", { origin, cookie: `__Host-stile=${"A".repeat(43)}` }],
    ] as const;
    for (const [method, path, headers] of calls) {
      const seen = await ask(address, method, path, headers);
      assert.ok(seen.status >= 500, seen.what);
      assertHeaders(seen, isHttps);
    }
  });
}
