// The server SDK for Node against a running service, and against answers that no service gives.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { REASON_CODES } from "@stile/protocol/reason-codes";
import { findFreePort } from "@stile/testkit/free-port";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { addSite } from "@stile/testkit/service/operator-site";
import { startService } from "@stile/testkit/service/service";
import express from "express";
import fastify from "fastify";
import multer from "multer";
import { stileCaptcha } from "../../../sdk/node/src/adapters/better-auth.ts";
import { requirePerson as inExpress } from "../../../sdk/node/src/adapters/express.ts";
import { requirePerson as inFastify } from "../../../sdk/node/src/adapters/fastify.ts";
import { requirePerson as inHono } from "../../../sdk/node/src/adapters/hono.ts";
import { requirePerson as inNest } from "../../../sdk/node/src/adapters/nest.ts";
import { requirePerson as inNext } from "../../../sdk/node/src/adapters/next.ts";
import { verifyEvent as inNuxt } from "../../../sdk/node/src/adapters/nuxt.ts";
import { verifyEvent as inSvelteKit } from "../../../sdk/node/src/adapters/sveltekit.ts";
import {
  createStile,
  type NodeRequest,
  type ScoreOptions,
  type StileOptions,
  type VerifyOptions,
} from "../../../sdk/node/src/index.ts";

const service = await startService({ STILE_LOG_LEVEL: "silent" });
const invisible = await addSite(service.dataDirectory, { name: "Invisible", mode: "invisible" });
after(() => service.dispose());

const VISITOR = { address: "127.0.0.1", userAgent: "Visitor/1" };
const options = { secretKey: service.secretKey, baseUrl: service.baseUrl };
const stile = createStile(options);
const from = { remoteIp: VISITOR.address, userAgent: VISITOR.userAgent };

async function newToken(visitor: { score?: number; mode?: "invisible" } = {}): Promise<string> {
  const { siteKey } = visitor.mode === "invisible" ? invisible : service;
  const [token = ""] = await mintTokens({
    dataDirectory: service.dataDirectory,
    siteKey,
    count: 1,
    ...VISITOR,
    ...visitor,
  });
  return token;
}

/** Serves on a free port of this machine during `use`. */
async function withServer<T>(
  listener: RequestListener,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

suite("a token", () => {
  test("is accepted once, then refused with the service's reason", async () => {
    const token = await newToken();
    const first = await stile.verify(token, from);
    assert.deepEqual(
      [first.ok, first.recommendation, first.reason, first.wasAbleToVerify],
      [true, "allow", null, true],
    );
    assert.equal(first.verdict?.hostname, "localhost");
    const second = await stile.verify(token, from);
    assert.deepEqual([second.ok, second.reason], [false, "token_already_used"]);
  });

  test("is refused if missing, forged, too long, or of another visitor or site", async () => {
    const foreign = await newToken({ mode: "invisible" });
    for (const [token, reason, visitor = from] of [
      [undefined, "missing_token"],
      ["", "missing_token"],
      [" ", "missing_token"],
      ["forged", "invalid_signature"],
      ["x".repeat(5000), "invalid_signature"],
      ["x".repeat(100_000), "invalid_signature"],
      [foreign, "site_key_mismatch"],
      [await newToken(), "binding_mismatch", { ...from, remoteIp: "203.0.113.9" }],
    ] as const) {
      const found = await stile.verify(token, visitor);
      assert.deepEqual([found.ok, found.recommendation, found.reason], [false, "block", reason]);
      assert.equal(found.wasAbleToVerify, true);
    }
  });

  test("is refused for another host, another action, or a score above the highest", async () => {
    const elsewhere = createStile({ ...options, hostnames: ["shop.example", "calhost"] });
    assert.equal((await elsewhere.verify(await newToken(), from)).reason, "hostname_mismatch");
    const here = createStile({ ...options, hostnames: ["LocalHost"] });
    assert.equal((await here.verify(await newToken(), from)).ok, true);
    const login = await stile.verify(await newToken(), { ...from, action: "login" });
    assert.equal(login.reason, "action_mismatch");
    const strict = createStile({ ...options, maxScore: 0.01 });
    assert.equal((await strict.verify(await newToken(), from)).reason, "score_too_high");
  });

  test("may be recommended for a second step if it is for an invisible site", async () => {
    const invisibly = createStile({ ...options, secretKey: invisible.secretKey });
    const token = await newToken({ mode: "invisible", score: 0.4 });
    const found = await invisibly.verify(token, from);
    assert.deepEqual(
      [found.ok, found.recommendation, found.reason],
      [false, "challenge", "recommendation_challenge"],
    );
  });

  test("is refused with a wrong secret key, whatever happens when the service is down", async () => {
    const wrong = createStile({ ...options, secretKey: "sk_wrong", onUnavailable: "accept" });
    const found = await wrong.verify(await newToken(), from);
    assert.deepEqual([found.ok, found.reason], [false, "invalid_secret"]);
  });
});

suite("without a verdict", () => {
  /** Verifies against answers of this listener, and returns the outcome and the bodies it got. */
  async function verifyAgainst(
    answers: readonly { status: number; body: string; headers?: Record<string, string> }[],
    more: Partial<StileOptions> = {},
  ) {
    const calls: { idempotency_key: string }[] = [];
    const listener: RequestListener = async (request, response) => {
      calls.push(JSON.parse(await text(request)));
      const { status, body, headers } = answers[calls.length - 1] ?? answers.at(-1)!;
      response.writeHead(status, headers).end(body);
    };
    return withServer(listener, async (baseUrl) => {
      const found = await createStile({ ...options, baseUrl, ...more }).verify("a token");
      return { found, calls };
    });
  }
  const passed = {
    status: 200,
    body: JSON.stringify({
      success: true,
      data: { verified: true, score: 0.05, recommendation: "allow", hostname: "localhost" },
    }),
  };
  const broken = { status: 503, body: '{"success":true,"data":{"verified":false}}' };

  test("a call is repeated once, under the same idempotency key", async () => {
    const { found, calls } = await verifyAgainst([broken, passed]);
    assert.equal(found.ok, true);
    const keys = calls.map((call) => call.idempotency_key);
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
    assert.match(keys[0] ?? "", /^[a-z0-9]{32}$/);
  });

  test("the option decides: reject by default, or accept", async () => {
    const html = { status: 200, body: "<!doctype html>" };
    const moved = { status: 302, body: "{}", headers: { location: service.baseUrl } };
    const empty = { status: 200, body: "{}" };
    const nothing = { status: 200, body: "null" };
    for (const answer of [broken, html, moved, empty, nothing]) {
      const rejected = (await verifyAgainst([answer])).found;
      assert.deepEqual([rejected.ok, rejected.reason], [false, "unavailable"]);
      assert.equal(rejected.wasAbleToVerify, false);
      const accepted = (await verifyAgainst([answer], { onUnavailable: "accept" })).found;
      assert.deepEqual(
        [accepted.ok, accepted.recommendation, accepted.wasAbleToVerify],
        [true, "allow", false],
      );
    }
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const down = createStile({ ...options, baseUrl: nobody, onUnavailable: "accept" });
    assert.deepEqual((await down.verify("a token")).wasAbleToVerify, false);
  });

  test("a refusal that a visitor can cause is never accepted for it", async () => {
    const limited = {
      status: 429,
      body: '{"success":false,"data":{},"error":{"code":"rate_limited"}}',
    };
    const tooLarge = { status: 413, body: "<h1>Too large</h1>" };
    for (const [answer, reason] of [
      [limited, "rate_limited"],
      [tooLarge, "http_413"],
    ] as const) {
      const { found, calls } = await verifyAgainst([answer], { onUnavailable: "accept" });
      assert.deepEqual([found.ok, found.reason, calls.length], [false, reason, 1]);
    }
  });

  test("a token or user agent that no service would read is refused without a call", async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const accepting = createStile({ ...options, baseUrl: nobody, onUnavailable: "accept" });
    for (const found of [
      await accepting.verify("x".repeat(17_000)),
      await accepting.verify("x", { userAgent: "x".repeat(17_000) }),
    ]) {
      assert.deepEqual([found.ok, found.reason], [false, "invalid_signature"]);
    }
  });

  test("a reason or recommendation that this version does not know is passed on and refused", async () => {
    const news = { verified: false, score: 1, reasonCode: "a_new_reason" };
    const body = JSON.stringify({ success: true, data: news, reasonCode: "a_new_reason" });
    const refused = (await verifyAgainst([{ status: 200, body }])).found;
    assert.deepEqual([refused.ok, refused.reason], [false, "a_new_reason"]);
    const strange = { verified: true, score: 0.1, recommendation: "inspect" };
    const inspected = JSON.stringify({ success: true, data: strange });
    assert.equal((await verifyAgainst([{ status: 200, body: inspected }])).found.ok, false);
    assert.ok(!("a_new_reason" in REASON_CODES));
  });
});

suite("a request", () => {
  const headers = { "user-agent": VISITOR.userAgent };
  const bodiesOf = (token: string): readonly RequestInit[] => {
    const form = new FormData();
    form.set("email", "ada@example.org");
    form.set("stile-response", token);
    return [
      { body: new URLSearchParams({ email: "a", "stile-response": token }), headers },
      { body: form, headers },
      {
        body: JSON.stringify({ email: "a", "stile-response": token }),
        headers: { ...headers, "content-type": "application/json; charset=utf-8" },
      },
      { headers: { ...headers, "stile-response": token } },
    ];
  };
  const KINDS = ["urlencoded", "multipart", "JSON", "header"];

  for (const [at, kind] of KINDS.entries()) {
    test(`has its token found if it is a web Request: ${kind}; its body can still be read`, async () => {
      const request = new Request("http://localhost/login", {
        method: "POST",
        ...bodiesOf(await newToken())[at],
      });
      assert.equal((await stile.verify(request, { remoteIp: VISITOR.address })).reason, null);
      if (at < 3) assert.match(await request.text(), /email/);
    });

    test(`has its token found if it is a Node request: ${kind}; its fields are left in body`, async () => {
      const token = await newToken();
      const listener: RequestListener = async (request: IncomingMessage & NodeRequest, response) =>
        response.end(JSON.stringify([await stile.verify(request), request.body]));
      await withServer(listener, async (url) => {
        const answer = await fetch(url, { method: "POST", ...bodiesOf(token)[at] });
        const [found, body] = (await answer.json()) as [{ reason: string }, { email: string }];
        assert.equal(found.reason, null);
        if (at < 3) assert.match(body.email, /^a/);
      });
    });
  }

  test("without a token is refused, whatever its body is", async () => {
    const form = (body: BodyInit, type: string): Request =>
      new Request("http://localhost/", {
        method: "POST",
        body,
        headers: { "content-type": type },
      });
    const field = "stile-response";
    for (const request of [
      form("{", "application/json"),
      form("null", "application/json"),
      form("[]", "application/json"),
      form(`{"__proto__": {"${field}": "x"}}`, "application/json"),
      form(`{"${field}": {"a": 1}}`, "application/json"),
      form(`${field}=`, "application/x-www-form-urlencoded"),
      form(`${field}=x`, "text/plain"),
      form("x", "multipart/form-data; boundary=y"),
      form(`${field}=x&pad=${"x".repeat(1_100_000)}`, "application/x-www-form-urlencoded"),
      new Request("http://localhost/?stile-response=x"),
    ]) {
      assert.equal((await stile.verify(request)).reason, "missing_token");
    }
  });

  test("whose body was read before is an error that says what to do", async () => {
    const request = new Request("http://localhost/", { method: "POST", body: "x" });
    await request.text();
    await assert.rejects(stile.verify(request), /Verify first, or pass the token/);
  });

  test("is refused, and not taken for an outage, if it is too large to score", async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const accepting = createStile({ ...options, baseUrl: nobody, onUnavailable: "accept" });
    const request = new Request("http://localhost/");
    const found = await accepting.score(request, { signals: "x".repeat(66_000) });
    assert.deepEqual([found.ok, found.reason, found.score], [false, "too_large", null]);
  });

  test("is unavailable for a score if the answer holds none, and too high above the limit", async () => {
    const request = new Request("http://localhost/");
    await withServer(
      (_request, response) => response.end("{}"),
      async (baseUrl) => {
        const found = await createStile({ ...options, baseUrl }).score(request);
        assert.deepEqual([found.ok, found.wasAbleToVerify], [false, false]);
      },
    );
    const body = '{"success":true,"data":{"score":0.2,"flags":[],"action":"allow"}}';
    await withServer(
      (_request, response) => response.end(body),
      async (baseUrl) => {
        const found = await createStile({ ...options, baseUrl, maxScore: 0.1 }).score(request);
        assert.deepEqual([found.ok, found.reason, found.score], [false, "score_too_high", 0.2]);
      },
    );
  });

  test("can be scored without a widget, and its cookies do not reach the service", async () => {
    let sent = "";
    await withServer(
      async (request, response) => {
        sent = await text(request);
        const answer = await fetch(`${service.baseUrl}/api/v1/score`, {
          method: "POST",
          headers: {
            authorization: `${request.headers.authorization}`,
            "content-type": "application/json",
          },
          body: sent,
        });
        response.writeHead(answer.status).end(await answer.text());
      },
      async (baseUrl) => {
        const request = new Request("http://localhost/search", {
          headers: { ...headers, cookie: "session=1", authorization: "Basic eA==" },
        });
        const found = await createStile({ ...options, baseUrl }).score(request, {
          remoteIp: VISITOR.address,
          action: "search",
        });
        assert.ok(found.score !== null && found.score >= 0.3);
        assert.ok(found.flags.includes("low_evidence"));
        assert.doesNotMatch(sent, /session=1|eA==/);
        assert.deepEqual(
          [found.wasAbleToVerify, found.ok],
          [true, found.recommendation === "allow"],
        );
      },
    );
  });
});

suite("an adapter", () => {
  const formOf = (token: string): RequestInit => ({
    method: "POST",
    body: new URLSearchParams({ "stile-response": token }),
    headers: { "user-agent": VISITOR.userAgent },
  });
  const postTwice = async (url: string, init: RequestInit): Promise<readonly number[]> => [
    (await fetch(url, init)).status,
    (await fetch(url, init)).status,
  ];

  test("lets a token in once in Express, behind its own body parser, multer, or none", async () => {
    const app = express();
    const letIn = (_request: unknown, response: { send: (body: string) => void }) =>
      response.send("in");
    app.post("/none", inExpress(stile), letIn);
    app.use(express.urlencoded());
    app.post("/parsed", inExpress(stile), letIn);
    const parts = multer().none();
    app.post("/parts", parts, inExpress(stile), letIn);
    await withServer(app, async (url) => {
      for (const path of ["/none", "/parsed"])
        assert.deepEqual(await postTwice(url + path, formOf(await newToken())), [200, 403]);
      const form = new FormData();
      form.set("stile-response", await newToken());
      const init = { method: "POST", body: form, headers: { "user-agent": VISITOR.userAgent } };
      assert.deepEqual(await postTwice(`${url}/parts`, init), [200, 403]);
    });
  });

  test("lets an Express application answer a refusal itself (onRefused)", async () => {
    const app = express();
    const guard = inExpress(stile, {
      action: "login",
      onRefused: (_request, response, { reason }) => response.status(401).send(`${reason}`),
    });
    app.post("/", guard);
    await withServer(app, async (url) => {
      const answer = await fetch(url, formOf(await newToken()));
      assert.deepEqual([answer.status, await answer.text()], [401, "action_mismatch"]);
    });
  });

  test("lets a token in once in Fastify", async () => {
    const app = fastify();
    app.post("/", { preHandler: inFastify(stile) }, async () => "in");
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const headers = { "user-agent": VISITOR.userAgent, "content-type": "application/json" };
    const body = JSON.stringify({ "stile-response": await newToken() });
    assert.deepEqual(await postTwice(url, { method: "POST", headers, body }), [200, 403]);
    await app.close();
  });

  test("lets a token in once in Hono, Next and SvelteKit, which pass a web request", async () => {
    const answer = () => new Response("in");
    const guard = inHono(stile, { remoteIp: () => VISITOR.address });
    const hono = async (request: Request) => {
      let isIn = false;
      const text = (body: string, status: number) => new Response(body, { status });
      const refused = await guard({ req: { raw: request }, text }, async () => {
        isIn = true;
      });
      return isIn ? answer() : (refused ?? assert.fail("neither in nor refused"));
    };
    const next = inNext(stile, answer, { remoteIp: VISITOR.address });
    const svelteKit = async (request: Request) => {
      const event = { request, getClientAddress: () => VISITOR.address };
      const { ok } = await inSvelteKit(stile, event);
      return ok ? answer() : new Response("", { status: 403 });
    };
    for (const handle of [hono, next, svelteKit]) {
      const init = formOf(await newToken());
      const ask = async () => (await handle(new Request("http://localhost/", init))).status;
      assert.deepEqual([await ask(), await ask()], [200, 403]);
    }
  });

  test("lets a token in once in NestJS and Nuxt, which pass a Node request", async () => {
    const guard = inNest(stile);
    const nest = (request: NodeRequest) =>
      guard.canActivate({ switchToHttp: () => ({ getRequest: () => request }) });
    const nuxt = async (request: NodeRequest) =>
      (await inNuxt(stile, { node: { req: request } })).ok;
    for (const isIn of [nest, nuxt]) {
      await withServer(
        async (request, response) =>
          response.writeHead((await isIn(request as NodeRequest)) ? 200 : 403).end(),
        async (url) => assert.deepEqual(await postTwice(url, formOf(await newToken())), [200, 403]),
      );
    }
  });

  test("lets a token in once in better-auth, on the protected endpoints only", async () => {
    const plugin = stileCaptcha(stile);
    const ask = (path: string, token: string) =>
      plugin.onRequest(
        new Request(`http://localhost/api/auth${path}`, {
          method: "POST",
          headers: { "x-captcha-response": token, "user-agent": VISITOR.userAgent },
        }),
      );
    const token = await newToken();
    assert.equal(await ask("/sign-in/email", token), undefined);
    assert.equal((await ask("/sign-in/email", token))?.response.status, 403);
    assert.equal((await ask("/sign-in/email/", ""))?.response.status, 403);
    assert.equal(await ask("/get-session", ""), undefined);
  });
});

test("every wrong option is an error that names it, without the secret key", () => {
  for (const [wrong, expected] of [
    [{ secretKey: undefined }, /secretKey must be .* It is undefined/],
    [{ secretKey: "pk_public" }, /secretKey must be a text that begins with sk_/],
    [{ secretKey: "sk_" }, /secretKey/],
    [{ secretKey: "sk_ä" }, /secretKey/],
    [{ secretKey: "sk_a\n" }, /secretKey/],
    [{ baseUrl: "captcha.example" }, /baseUrl must be an address such as/],
    [{ baseUrl: undefined }, /baseUrl must be .* It is undefined/],
    [{ baseUrl: "https://user:must_not_show@captcha.example" }, /^(?!.*must_not_show).*baseUrl/],
    [{ baseUrl: "https://captcha.example?a" }, /baseUrl/],
    [{ baseUrl: "https://captcha.example/a#b" }, /baseUrl/],
    [{ baseUrl: "https://captcha.example\n" }, /baseUrl/],
    [{ baseUrl: "https://captcha.example:99999" }, /baseUrl/],
    [{ baseUrl: "ftp://captcha.example" }, /baseUrl/],
    [{ onUnavailable: "open" }, /onUnavailable must be "accept" or "reject". It is "open"/],
    [{ hostnames: "shop.example" }, /hostnames must be a list/],
    [{ hostnames: ["https://shop.example"] }, /hostnames/],
    [{ hostnames: ["*.shop.example"] }, /hostnames/],
    [{ hostnames: ["shop.example:443"] }, /hostnames/],
    [{ hostnames: ["shop.example", ""] }, /hostnames/],
    [{ hostnames: [] }, /hostnames/],
    [{ maxScore: 5 }, /maxScore must be a number from 0 to 1. It is 5/],
    [{ maxscore: 0.5 }, /there is no option maxscore/],
  ] as const) {
    const given = { ...options, ...wrong } as unknown as StileOptions;
    assert.throws(() => createStile(given), expected);
  }
  const secret = { ...options, secretKey: "secret_that_must_not_show" };
  assert.throws(() => createStile(secret), /^(?!.*must_not_show)/);
  for (const baseUrl of ["https://captcha.example/a/", "http://[::1]:8080", "http://10.0.0.1"])
    createStile({ ...options, baseUrl });
});

test("every wrong option of a call is an error that names it", async () => {
  const request = new Request("http://localhost/");
  const rejects = (call: Promise<unknown>, message: RegExp): Promise<void> =>
    assert.rejects(call, { name: "TypeError", message });
  for (const [wrong, expected] of [
    [{ acton: "login" }, /there is no option acton. The options are .*action/],
    [{ remoteip: VISITOR.address }, /there is no option remoteip/],
    [{ remoteIp: 5 }, /remoteIp must be a text. It is 5/],
    [{ action: null }, /action must be a text. It is null/],
    [null, /the options of a call must be an object. They are null/],
    ["login", /the options of a call must be an object. They are "login"/],
  ] as const) {
    await rejects(stile.verify("", wrong as VerifyOptions), expected);
    await rejects(stile.score(request, wrong as ScoreOptions), expected);
  }
  await rejects(stile.verify("", { userAgent: {} } as VerifyOptions), /userAgent must be a text/);
  await rejects(stile.score(request, { userAgent: "x" } as ScoreOptions), /no option userAgent/);
  await rejects(stile.score({ headers: {} }), /score needs a request/);
});

test("an address or a user agent may be unknown", async () => {
  const unknown = { remoteIp: null, userAgent: undefined, action: undefined };
  assert.equal((await stile.verify(await newToken(), unknown)).reason, null);
});

test("the built package loads as a module and by require, has types, and weighs at most 4 KB", () => {
  const folder = join(import.meta.dirname, "../../../sdk/node");
  execFileSync(process.execPath, [join(folder, "build.mjs")]);
  const run = (code: string, ...flags: string[]) =>
    execFileSync(process.execPath, [...flags, "-e", code], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
  const loaded = "console.log(typeof createStile, typeof requirePerson)";
  assert.equal(
    run(
      `import { createStile } from "@stile/server-sdk"; import { requirePerson } from "@stile/server-sdk/express"; ${loaded}`,
      "--input-type=module",
    ),
    "function function",
  );
  assert.equal(
    run(
      `const { createStile } = require("@stile/server-sdk"); const { requirePerson } = require("@stile/server-sdk/express"); ${loaded}`,
      "--input-type=commonjs",
    ),
    "function function",
  );
  const files = globSync(join(folder, "dist/esm/*.js")).map((path) => readFileSync(path));
  const bytes = gzipSync(Buffer.concat(files), { level: 9 }).length;
  assert.ok(files.length > 0 && bytes <= 4_096, `${bytes} bytes with gzip`);
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8" }),
  ) as [{ files: { path: string }[] }];
  const paths = packed.files.map(({ path }) => path);
  for (const path of ["package.json", "README.md", "dist/esm/index.d.ts", "dist/cjs/index.d.ts"])
    assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => !/^(dist\/|package\.json$|README\.md$|LICENSE$)/.test(path)),
    [],
  );
});
