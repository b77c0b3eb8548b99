import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { serveRoutes } from "@stile/testkit/contract/serve-routes";
import { exchange } from "@stile/testkit/payloads/raw-http";
import { createPages, type PageParts } from "./pages.ts";

const plain = Buffer.from("export const stile = 1;\n");
const file = {
  type: "text/javascript; charset=utf-8",
  etag: `"${createHash("sha256").update(plain).digest("hex")}"`,
  plain,
  gzip: () => gzipSync(plain),
};
let obstacle: string | undefined;
const parts: PageParts = {
  files: new Map([
    ["/stile.js", file],
    ["/languages/de.json", { ...file, type: "application/json; charset=utf-8" }],
  ]),
  home: "/demo",
  findObstacle: async () => obstacle,
  findRemark: () => "The clock jumped.",
};
const served = await serveRoutes(createPages(parts));
after(served.stop);

/** The given number of answers to these requests on one connection. */
function send(requests: readonly string[], answers = requests.length) {
  const bytes = requests.map((head) => head.replace("\r\n", " HTTP/1.1\r\nHost: localhost\r\n"));
  return exchange(Number(new URL(served.baseUrl).port), bytes.join(""), {
    answers,
    withinMs: 5000,
  });
}

const bare = (method: string, path: string, ...headers: readonly string[]): string =>
  `${[`${method} ${path}`, ...headers].join("\r\n")}\r\n\r\n`;

test("compresses a file for clients that accept it, and does not send it again to one that has it", async () => {
  const zipped = await fetch(`${served.baseUrl}/stile.js`, {
    headers: { "accept-encoding": "br, gzip;q=0.5" },
  });
  assert.equal(zipped.headers.get("content-encoding"), "gzip");
  assert.equal(zipped.headers.get("vary"), "Accept-Encoding");
  assert.equal(await zipped.text(), plain.toString());
  const known = await fetch(`${served.baseUrl}/stile.js`, {
    headers: { "if-none-match": file.etag },
  });
  assert.deepEqual(
    [known.status, await known.text(), known.headers.get("etag")],
    [304, "", file.etag],
  );
  assert.equal(known.headers.get("cache-control"), "public, max-age=300");
});

test("lets a page's own fetch with extra headers load a language after a preflight, for any origin (D8, challenge)", async () => {
  const headers = { origin: "https://shop.test", "access-control-request-method": "GET" };
  const asked = await fetch(`${served.baseUrl}/languages/de.json`, { method: "OPTIONS", headers });
  assert.deepEqual(
    [
      asked.status,
      ...["origin", "methods", "headers"].map((name) =>
        asked.headers.get(`access-control-allow-${name}`),
      ),
    ],
    [204, "https://shop.test", "GET", "Content-Type, Authorization, *"],
  );
  const got = await fetch(`${served.baseUrl}/languages/de.json`, { headers });
  assert.deepEqual(
    [
      "access-control-allow-origin",
      "access-control-allow-credentials",
      "vary",
      "cache-control",
    ].map((name) => got.headers.get(name)),
    ["*", null, "Accept-Encoding", "public, max-age=300"],
  );
});

test("answers HEAD with the headers of GET and no body, and the connection stays in step", async () => {
  const paths = ["/stile.js", "/healthz", "/", "/api/v1/openapi.json"];
  for (const path of paths) {
    const [got, head] = [
      await fetch(served.baseUrl + path, {
        redirect: "manual",
        headers: { "accept-encoding": "identity" },
      }),
      await fetch(served.baseUrl + path, {
        redirect: "manual",
        method: "HEAD",
        headers: { "accept-encoding": "identity" },
      }),
    ];
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => !/^(x-request-id|date|connection|keep-alive)$/.test(name));
    assert.equal(head.status, got.status, path);
    assert.deepEqual(headersOf(head), headersOf(got), path);
    assert.equal(head.headers.get("content-length"), String((await got.bytes()).length), path);
    assert.equal((await head.bytes()).length, 0, path);
  }
});

test("redirects the bare address, and answers any other method or path with 404 in JSON", async () => {
  const home = await fetch(served.baseUrl, { redirect: "manual" });
  assert.deepEqual([home.status, home.headers.get("location")], [302, "/demo"]);
  for (const [method, path] of [
    ["POST", "/stile.js"],
    ["OPTIONS", "/stile.js"],
    ["DELETE", "/"],
    ["GET", "/stile.js/"],
    ["GET", "/%73tile.js"],
    ["GET", "//healthz"],
  ] as const) {
    const answer = await fetch(served.baseUrl + path, { method });
    const { success, error } = (await answer.json()) as {
      success: boolean;
      error: Record<string, string>;
    };
    assert.deepEqual(
      [answer.status, success, error.code],
      [404, false, "not_found"],
      `${method} ${path}`,
    );
    assert.equal(error.request_id, answer.headers.get("x-request-id"));
  }
});

test("reports ready with a remark, or not ready with a reason", async () => {
  const ready = await fetch(`${served.baseUrl}/readyz`);
  assert.deepEqual(
    [ready.status, await ready.json()],
    [200, { status: "ready", remark: "The clock jumped." }],
  );
  obstacle = "the service is stopping";
  const busy = await fetch(`${served.baseUrl}/readyz`);
  obstacle = undefined;
  assert.deepEqual(
    [busy.status, await busy.json()],
    [503, { status: "not_ready", reason: "the service is stopping" }],
  );
});

test("answers despite an unread body: it skips a short one, and closes the connection after a long one", async () => {
  const short = `${bare("GET", "/healthz", "Content-Length: 5")}12345`;
  const kept = await send([
    short,
    `${bare("POST", "/nothing", "Content-Length: 5")}12345`,
    bare("GET", "/healthz"),
  ]);
  assert.deepEqual(
    kept.answers.map(({ status }) => status),
    [200, 404, 200],
  );
  for (const length of ["Content-Length: 2000000", "Transfer-Encoding: chunked"]) {
    const { answers, isClosed } = await send([bare("POST", "/nothing", length)], 2);
    assert.deepEqual([answers.map(({ status }) => status), isClosed], [[404], true], length);
    assert.equal(answers[0]?.headers.connection, "close");
  }
});
