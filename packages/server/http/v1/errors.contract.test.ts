import assert from "node:assert/strict";
import { connect } from "node:net";
import { suite, test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import { bearer, redeem, SCORE, TOKEN_VERIFY } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite } from "@stile/testkit/contract/sites";

/** Likely names for managing sites, if there were a REST interface for it (spec 1). */
const MANAGEMENT = [
  "sites",
  "site",
  "sites/1",
  "sites/1/rotate",
  "statistics",
  "accounts",
  "keys",
  "secret",
  "admin",
];
/** Addresses of the four endpoints with no version or another one, and near misses (spec 9.1). */
const UNVERSIONED = [
  "/token/verify",
  "/api/token/verify",
  "/api/v2/token/verify",
  "/api/v1/token/verify/",
  "/api/v1//token/verify",
  "/API/v1/token/verify",
  "/api/v1/../v1/score",
  "/score",
  "/api/pow/challenge",
  "/verify",
];
const VERIFY = "/api/v1/verify";
/**
 * Bodies that are refused before or by parsing (D11, errors). At the endpoint of D9 (submission)
 * also those that the Bearer endpoints score (D2, redemption; D7, score request).
 */
const BAD_BODIES: readonly (readonly [what: string, body: string | Uint8Array, path?: string])[] = [
  ["nine levels deep", `${"[".repeat(9)}${"]".repeat(9)}`, VERIFY],
  ["a key twice", '{"url":"a","url":"b"}'],
  ["a key twice, once in escapes", '{"url":"a","\\u0075rl":"b"}'],
  ["__proto__", '{"__proto__":{"admin":true}}', VERIFY],
  ["constructor, nested", '{"headers":{"constructor":{}}}', VERIFY],
  ["prototype in escapes", '{"\\u0070rototype":1}', VERIFY],
  ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d)],
  ["a byte order mark", '\ufeff{"url":"a"}'],
  ["two objects", "{}{}"],
  ["an array", "[]"],
  ["a number", "7"],
  ["nothing", ""],
];

/** Sends bytes unchanged and reads until the service closes the connection. */
function sendRaw(fixture: ServiceFixture, bytes: string): Promise<string> {
  const { hostname, port } = new URL(fixture.baseUrl);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", reject).on("close", () => resolve(text));
  });
}

/**
 * Announces a megabyte, sends it only after the answer, and rejects if the connection breaks in
 * between.
 */
function sendAfterAnswer(fixture: ServiceFixture, head: string): Promise<string> {
  const { hostname, port } = new URL(fixture.baseUrl);
  const body = "x".repeat(2 ** 20);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
    });
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.endsWith("}")) socket.write(body.slice(1), () => socket.end(body.slice(0, 1)));
    });
    socket.on("error", reject).on("close", () => resolve(text));
  });
}

function assertRawRefusal(text: string, status: number | string): void {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(head, /content-type: application\/json/i);
  const id = /x-request-id: (\S+)/i.exec(head)?.[1];
  const { success, data, error } = JSON.parse(body) as Record<string, Record<string, unknown>>;
  assert.deepEqual({ success, data }, { success: false, data: {} });
  assert.equal(error?.request_id, id);
  assert.ok(id);
}

for (const fixture of await startFixtures()) {
  suite(`errors everywhere (D11, errors), ${fixture.name}`, () => {
    test("serves site management nowhere under /api/v1, with or without the secret key (spec 1)", async () => {
      const { secretKey, siteKey } = await newSite(fixture);
      for (const name of [...MANAGEMENT, `sites/${siteKey}`]) {
        for (const method of ["GET", "POST", "PUT", "DELETE"]) {
          const path = `/api/v1/${name}`;
          const { status, body } = await callApi(fixture.baseUrl, {
            method,
            path,
            headers: bearer(secretKey),
          });
          assert.deepEqual(
            [status, body.error?.code, body.success],
            [404, "not_found", false],
            `${method} ${path}`,
          );
        }
      }
    });

    test("answers 404 in JSON to a path without its version or with another one (spec 9.1)", async () => {
      for (const path of UNVERSIONED) {
        const text = await sendRaw(
          fixture,
          `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        );
        assert.match(text, /^HTTP\/1\.1 404 /, path);
        assert.match(text, /"code":"not_found"/, path);
        assert.match(text, /x-request-id: [0-9a-f-]{36}/i, path);
      }
    });

    test("gives every answer a unique id", async () => {
      const site = await newSite(fixture);
      const ids = new Set<string | undefined>();
      for (let i = 0; i < 5; i++) {
        ids.add(
          (await redeem(fixture, site, { token: mintToken(fixture, site) })).headers[
            "x-request-id"
          ],
        );
        ids.add(
          (await callApi(fixture.baseUrl, { path: "/api/v1/nothing" })).headers["x-request-id"],
        );
      }
      assert.equal(ids.size, 10);
    });

    for (const [what, body, path = SCORE] of BAD_BODIES) {
      test(`answers 400 bad_request to a body with ${what}`, async () => {
        const { secretKey } = await newSite(fixture);
        const { status, body: answered } = await callApi(fixture.baseUrl, {
          path,
          body,
          headers: bearer(secretKey),
        });
        assert.deepEqual([status, answered.success, answered.data], [400, false, {}]);
        assert.equal(answered.error?.code, "bad_request");
      });
    }

    test("accepts eight levels", async () => {
      const { secretKey } = await newSite(fixture);
      const body = `{"headers":{"x":${"[".repeat(6)}${"]".repeat(6)}}}`;
      assert.equal(
        (await callApi(fixture.baseUrl, { path: SCORE, body, headers: bearer(secretKey) })).status,
        200,
      );
    });

    test("takes application/json with or without utf-8, and answers 415 to all else and to compressed bodies", async () => {
      const { secretKey } = await newSite(fixture);
      const statusOf = async (headers: Readonly<Record<string, string>>) =>
        (
          await callApi(fixture.baseUrl, {
            path: SCORE,
            body: "{}",
            headers: { ...bearer(secretKey), ...headers },
          })
        ).status;
      for (const type of [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON;charset=UTF-8",
      ]) {
        assert.equal(await statusOf({ "content-type": type }), 200, type);
      }
      for (const type of [
        "text/json",
        "application/json, text/html",
        "application/jsonp",
        "application/xml",
      ]) {
        assert.equal(await statusOf({ "content-type": type }), 415, type);
      }
      assert.equal(await statusOf({ "content-encoding": "gzip" }), 415);
    });

    test("answers an oversized body before it arrives, and sending it anyway breaks no connection (D1, status and body; D2, redemption)", async () => {
      const { secretKey } = await newSite(fixture);
      const head = `POST ${TOKEN_VERIFY} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secretKey}\r\n`;
      const text = await sendAfterAnswer(fixture, `${head}Content-Type: application/json\r\n`);
      assert.match(text, /^HTTP\/1\.1 200 .*connection: close.*"reasonCode":"invalid_signature"/is);
    });

    test("refuses two secret keys or two lengths, because a proxy might have read the other one", async () => {
      const { secretKey } = await newSite(fixture);
      const head = `POST ${TOKEN_VERIFY} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      const keys = `Authorization: Bearer ${secretKey}\r\nAuthorization: Bearer sk_other\r\n`;
      assertRawRefusal(await sendRaw(fixture, `${head}${keys}Content-Length: 2\r\n\r\n{}`), 400);
      assertRawRefusal(
        await sendRaw(fixture, `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `),
        400,
      );
      const both = "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n";
      assertRawRefusal(await sendRaw(fixture, `${head}${both}\r\n2\r\n{}\r\n0\r\n\r\n`), 400);
    });

    test("refuses non-HTTP bytes and too many or too large headers in JSON with an id", async () => {
      assertRawRefusal(await sendRaw(fixture, "HELO stile\r\n\r\n"), 400);
      const many = Array.from({ length: 70 }, (_, i) => `X-${i}: 1\r\n`).join("");
      // The status depends on the version of Node: either its parser counts headers, or the service
      // does.
      assertRawRefusal(
        await sendRaw(fixture, `GET / HTTP/1.1\r\nHost: x\r\n${many}\r\n`),
        "(400|431)",
      );
      assertRawRefusal(
        await sendRaw(fixture, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(9000)}\r\n\r\n`),
        431,
      );
    });

    test("reports at /healthz that it lives, and at /readyz that it can write", async () => {
      const answers = [];
      for (const path of ["/healthz", "/readyz"])
        answers.push(await (await fetch(fixture.baseUrl + path)).json());
      assert.deepEqual(answers, [{ status: "ok" }, { status: "ready" }]);
    });
  });
}
