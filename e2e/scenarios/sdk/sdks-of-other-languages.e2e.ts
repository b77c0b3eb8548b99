import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import { findFreePort } from "@stile/testkit/free-port";
import { type MintedVisitor, mintTokens } from "@stile/testkit/minting/mint-tokens";
import { addSite } from "@stile/testkit/service/operator-site";
import { startService } from "@stile/testkit/service/service";

const SDK = join(import.meta.dirname, "..", "..", "..", "sdk");
const [ADDRESS, AGENT] = ["203.0.113.7", "Visitor/1"];
const service = await startService({ STILE_LOG_LEVEL: "silent" });
const site = await addSite(service.dataDirectory, { name: "Shop", mode: "invisible" });
const directory = mkdtempSync(join(tmpdir(), "stile-sdks-"));

/** What a test server says of one call of `verify`, or of the options. */
type Outcome = {
  readonly ok: boolean;
  readonly recommendation: string;
  readonly reason: string | null;
  readonly verdict: Readonly<Record<string, unknown>> | null;
  readonly wasAbleToVerify: boolean;
  readonly error?: string;
  readonly email?: string;
};
type Sdk = { readonly name: string; readonly url: string };

/** Starts an SDK's test server, as its last argument a free port, and returns where it listens. */
async function startSdk(name: string, command: string, args: readonly string[]): Promise<Sdk> {
  const port = await findFreePort();
  const address = command === "php" ? ["-S", `127.0.0.1:${port}`, ...args] : [...args, `${port}`];
  const env = { ...process.env, STILE_SECRET: site.secretKey, SERVICE_URL: service.baseUrl };
  const server = spawn(command, address, { env, stdio: "ignore" });
  after(async () => {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/verify`, { method: "POST", body: "{}" }).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) assert.equal(server.exitCode, null, name);
  return { name, url };
}

/** The SDKs whose language this machine has. */
async function startSdks(): Promise<readonly Sdk[]> {
  const runs = (command: string, ...args: string[]): boolean =>
    spawnSync(command, args).status === 0;
  const sdks: Sdk[] = [];
  if (runs("php", "-r", "exit(function_exists('curl_init') ? 0 : 1);"))
    sdks.push(await startSdk("PHP", "php", [join(SDK, "php", "tests", "server.php")]));
  if (runs("python3", "-c", "pass"))
    sdks.push(await startSdk("Python", "python3", [join(SDK, "python", "tests", "server.py")]));
  if (runs("go", "version")) {
    const program = join(directory, "testserver");
    const options = { cwd: join(SDK, "go"), env: { ...process.env, CGO_ENABLED: "0" } };
    execFileSync("go", ["build", "-o", program, "./internal/testserver"], options);
    sdks.push(await startSdk("Go", program, []));
  }
  return sdks;
}

after(async () => {
  await service.dispose();
  rmSync(directory, { recursive: true, force: true });
});
const sdks = await startSdks();

const OPTIONS = { secretKey: site.secretKey, baseUrl: service.baseUrl };
const VISITOR = { remoteIp: ADDRESS, userAgent: AGENT };

async function mint(wish: MintedVisitor = {}): Promise<string> {
  const { siteKey } = site;
  const visitor = { address: ADDRESS, userAgent: AGENT, hostname: "www.shop.example" };
  const { dataDirectory } = service;
  const kind = { dataDirectory, siteKey, count: 1, mode: "invisible" as const };
  const [token = ""] = await mintTokens({ ...kind, ...visitor, ...wish });
  return token;
}

/** Runs one call of `verify` in an SDK. */
async function verify(
  { url }: Sdk,
  token: unknown,
  options: Readonly<Record<string, unknown>> = {},
  visitor: Readonly<Record<string, unknown>> = {},
): Promise<Outcome> {
  const call = { token, options: { ...OPTIONS, ...options }, visitor: { ...VISITOR, ...visitor } };
  const response = await fetch(`${url}/verify`, { method: "POST", body: JSON.stringify(call) });
  return (await response.json()) as Outcome;
}

/** A refusal with that reason, without its verdict. */
const refused = (reason: string) => ({
  ok: false,
  recommendation: "block",
  reason,
  wasAbleToVerify: true,
});
const brief = ({ verdict: _, ...rest }: Outcome): Omit<Outcome, "verdict"> => rest;

/** An answer of a service that behaves badly: status, body and headers, or what it does instead. */
type Bad =
  | readonly [status: number, body: string, headers?: Readonly<Record<string, string>>]
  | ((response: ServerResponse) => void);

/** Runs `use` with a service that gives these answers in turn; collects what it was sent. */
async function withAnswers(
  answers: readonly Bad[],
  use: (baseUrl: string, calls: Readonly<Record<string, string>>[]) => Promise<void>,
): Promise<void> {
  const calls: Record<string, string>[] = [];
  const server = createServer(async (request, response) => {
    calls.push(JSON.parse(`${await buffer(request)}`));
    assert.equal(request.url, "/api/v1/token/verify");
    assert.equal(request.headers.authorization, `Bearer ${site.secretKey}`);
    const answer = answers[calls.length - 1] ?? [200, PASS()];
    if (typeof answer === "function") return answer(response);
    const [status, body, headers = {}] = answer;
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The body of a passed verification. */
const PASS = (data: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    success: true,
    data: {
      verified: true,
      score: 0.1,
      recommendation: "allow",
      hostname: "shop.example",
      action: "login",
      ...data,
    },
  });

test("this machine runs at least one of the SDKs", () => {
  assert.ok(sdks.length > 0);
});

for (const sdk of sdks) {
  suite(`server SDK for ${sdk.name}`, () => {
    test("accepts a valid token once, with the service's verdict", async () => {
      const token = await mint();
      const { verdict, ...passed } = await verify(sdk, token, { hostnames: ["Shop.example"] });
      const allowed = { ok: true, recommendation: "allow", reason: null, wasAbleToVerify: true };
      assert.deepEqual(passed, allowed);
      assert.deepEqual([verdict?.hostname, verdict?.score], ["www.shop.example", 0.05]);
      const again = await verify(sdk, token);
      assert.deepEqual(brief(again), refused("token_already_used"));
      assert.deepEqual(again.verdict?.error_codes, ["timeout-or-duplicate"]);
    });

    test("refuses what is no valid token, even if outages are accepted", async () => {
      const accept = { onUnavailable: "accept" };
      for (const nothing of [undefined, null, "", " ", 7, ["token"], { token: "x" }]) {
        const outcome = await verify(sdk, nothing, accept);
        assert.deepEqual(outcome, { ...refused("missing_token"), verdict: null });
      }
      const forged = `${(await mint()).slice(0, -8)}AAAAAAAA`;
      for (const token of [forged, "x".repeat(5_000), "x".repeat(500_000), "\u0000ü"]) {
        const outcome = await verify(sdk, token, accept);
        assert.deepEqual(brief(outcome), refused("invalid_signature"), token.slice(0, 20));
      }
      const endless = await verify(sdk, await mint(), accept, { userAgent: "x".repeat(500_000) });
      assert.deepEqual(brief(endless), refused("invalid_signature"));
      const word = await verify(sdk, "unavailable", accept);
      assert.deepEqual(brief(word), refused("missing_token"));
      assert.equal(word.verdict?.response, "unavailable");
      const expired = await verify(sdk, await mint({ lifeSeconds: -1 }), accept);
      assert.deepEqual(brief(expired), refused("token_expired"));
    });

    test("passes the visitor on, so a token of another network or browser is refused", async () => {
      for (const visitor of [{ remoteIp: "198.51.100.9" }, { userAgent: "Other/1" }]) {
        const outcome = await verify(sdk, await mint(), {}, visitor);
        assert.deepEqual(brief(outcome), refused("binding_mismatch"));
      }
    });

    test("refuses with a wrong secret key, even if outages are accepted", async () => {
      const wrong = { secretKey: "sk_wrong", onUnavailable: "accept" };
      assert.deepEqual(brief(await verify(sdk, await mint(), wrong)), refused("invalid_secret"));
    });

    test("refuses a token of another host, for another action or above the highest score", async () => {
      for (const hostname of ["localhost", "evilshop.example", "shop.example.evil"]) {
        const outcome = await verify(sdk, await mint({ hostname }), {
          hostnames: ["other.example", "shop.example"],
        });
        assert.deepEqual(brief(outcome), refused("hostname_mismatch"), hostname);
      }
      const action = await verify(sdk, await mint(), {}, { action: "login" });
      assert.deepEqual(brief(action), refused("action_mismatch"));
      const high = await verify(sdk, await mint({ score: 0.2 }), { maxScore: 0.19 });
      assert.deepEqual(brief(high), refused("score_too_high"));
      const highest = await verify(sdk, await mint({ score: 0.2 }), { maxScore: 0.2 });
      assert.equal(highest.ok, true);
    });

    test("returns the recommendations challenge and block as such", async () => {
      assert.deepEqual(brief(await verify(sdk, await mint({ score: 0.45 }))), {
        ...refused("recommendation_challenge"),
        recommendation: "challenge",
      });
      const block = await verify(sdk, await mint({ score: 0.6 }));
      assert.deepEqual(brief(block), refused("recommendation_block"));
    });

    test("does what onUnavailable says while nothing listens, and rejects by default", async () => {
      const baseUrl = `http://127.0.0.1:${await findFreePort()}`;
      const unavailable = { reason: "unavailable", verdict: null, wasAbleToVerify: false };
      const rejected = { ok: false, recommendation: "block", ...unavailable };
      assert.deepEqual(await verify(sdk, "token", { baseUrl }), rejected);
      const reject = { baseUrl, onUnavailable: "reject" };
      assert.deepEqual(await verify(sdk, "token", reject), rejected);
      const accepted = await verify(sdk, "token", { baseUrl, onUnavailable: "accept" });
      assert.deepEqual(accepted, { ok: true, recommendation: "allow", ...unavailable });
    });

    test("names a wrong option and what is allowed, but not the secret key", async () => {
      const wrong: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
        [{ secretKey: "pk_hidden" }, /secret_?key must be a text that begins with sk_/i],
        [{ secretKey: "sk_hid\nden" }, /secret_?key must be/i],
        [{ secretKey: "" }, /secret_?key must be/i],
        [{ secretKey: undefined }, /secret_?key/i],
        [{ baseUrl: undefined }, /base_?url/i],
        [{ baseUrl: "captcha.example.org" }, /base_?url must be an address such as https:/i],
        [{ baseUrl: "ftp://captcha.example.org" }, /base_?url must be/i],
        [{ baseUrl: "https://captcha.example.org\n" }, /base_?url must be/i],
        [{ baseUrl: "https://a@captcha.example.org" }, /base_?url must be/i],
        [{ onUnavailable: "allow" }, /on_?unavailable must be "accept" or "reject"/i],
        [{ hostnames: [] }, /hostnames must be a list of hosts without scheme and port/i],
        [{ hostnames: ["https://shop.example"] }, /hostnames must be/i],
        [{ hostnames: ["shop.example", ""] }, /hostnames must be/i],
        [{ maxScore: 1.5 }, /max_?score must be a number from 0 to 1/i],
        [{ maxScore: -0.1 }, /max_?score must be/i],
      ];
      for (const [options, message] of wrong) {
        const { error = "" } = await verify(sdk, "token", options);
        assert.match(error, message, JSON.stringify(options));
        assert.doesNotMatch(error, /hid/);
      }
    });

    test("repeats the same call once after a 5xx or a lost connection", async () => {
      const lost = (response: ServerResponse): void => void response.destroy();
      const cut = (response: ServerResponse): void => {
        response.writeHead(200, { "Content-Length": "1000" }).write('{"success"');
        setImmediate(() => response.destroy());
      };
      for (const first of [[500, "{}"] as const, [503, "Busy"] as const, lost, cut]) {
        await withAnswers([first], async (baseUrl, calls) => {
          const { ok } = await verify(sdk, "token", { baseUrl });
          assert.equal(ok, true);
          const [one, two] = calls;
          assert.deepEqual(two, one);
          assert.match(one?.idempotency_key ?? "", /^[0-9a-f]{32}$/);
          await verify(sdk, "token", { baseUrl });
          assert.notEqual(calls[2]?.idempotency_key, one?.idempotency_key);
          assert.equal(calls.length, 3);
        });
      }
      await withAnswers([[502, "{}"], lost], async (baseUrl, calls) => {
        const { reason } = await verify(sdk, "token", { baseUrl });
        assert.deepEqual([reason, calls.length], ["unavailable", 2]);
      });
    });

    test("takes a redirect or an answer without data for an outage, and does not follow or repeat", async () => {
      const away = { Location: "/elsewhere" };
      const answers: readonly Bad[] = [
        [302, "{}", away],
        [307, PASS(), away],
        [200, "<!doctype html><title>Shop</title>", { "Content-Type": "text/html" }],
        [200, ""],
        [200, "[]"],
        [200, "null"],
        [200, '{"success":true}'],
        [200, '{"success":true,"data":[true]}'],
        [200, '{"success":true,"data":"verified"}'],
      ];
      await withAnswers(answers, async (baseUrl, calls) => {
        for (const [i, answer] of answers.entries()) {
          const { ok, reason, wasAbleToVerify } = await verify(sdk, "token", { baseUrl });
          assert.deepEqual(
            [ok, reason, wasAbleToVerify],
            [false, "unavailable", false],
            `${answer}`,
          );
          assert.equal(calls.length, i + 1);
        }
      });
    });

    test("takes every 4xx for a refusal, even if outages are accepted", async () => {
      const answers: readonly (readonly [number, string, string])[] = [
        [429, '{"success":false,"data":{},"error":{"code":"rate_limited"}}', "rate_limited"],
        [401, '{"data":{},"reasonCode":"invalid_secret","error":{"code":"x"}}', "invalid_secret"],
        [413, "<h1>Too large</h1>", "http_413"],
        [400, '{"reasonCode":7,"error":"none"}', "http_400"],
        [403, PASS(), "http_403"],
      ];
      const bodies = answers.map(([status, body]) => [status, body] as const);
      await withAnswers(bodies, async (baseUrl, calls) => {
        for (const [status, , reason] of answers) {
          const outcome = await verify(sdk, "token", { baseUrl, onUnavailable: "accept" });
          assert.deepEqual(brief(outcome), refused(reason), `${status}`);
        }
        assert.equal(calls.length, answers.length);
      });
    });

    test("tolerates unknown reasons and recommendations, and never passes without verified", async () => {
      const answers: readonly (readonly [string, string])[] = [
        ['{"data":{"verified":false},"reasonCode":"of_tomorrow"}', "of_tomorrow"],
        ['{"success":true,"data":{"verified":"true"}}', "http_200"],
        ['{"success":true,"data":{}}', "http_200"],
        [PASS({ verified: 1 }), "http_200"],
        [PASS({ recommendation: "later" }), "recommendation_block"],
        [PASS({ recommendation: undefined }), "recommendation_block"],
        [PASS({ hostname: undefined }), "hostname_mismatch"],
        [PASS({ action: ["login"] }), "action_mismatch"],
        [PASS({ score: "0" }), "score_too_high"],
      ];
      const bodies = answers.map(([body]) => [200, body] as const);
      await withAnswers(bodies, async (baseUrl) => {
        const options = { baseUrl, hostnames: ["shop.example"], maxScore: 0.5 };
        for (const [body, reason] of answers) {
          const outcome = await verify(sdk, "token", options, { action: "login" });
          assert.deepEqual(brief(outcome), refused(reason), body);
        }
        const passed = await verify(sdk, "token", options, { action: "login" });
        assert.equal(passed.ok, true);
      });
    });

    test("finds the token, the address and the user agent in a request, and leaves the form readable", async () => {
      const token = (): Promise<string> => mint({ address: "127.0.0.1" });
      const post = async (init: RequestInit): Promise<Outcome> => {
        const headers = { ...init.headers, "User-Agent": AGENT };
        return (await (
          await fetch(`${sdk.url}/form`, { ...init, method: "POST", headers })
        ).json()) as Outcome;
      };
      const email = "ada@example.org";
      const fields = async () => ({ email, "stile-response": await token() });
      const urlencoded = await post({ body: new URLSearchParams(await fields()) });
      assert.deepEqual([urlencoded.reason, urlencoded.email], [null, email]);
      const headers = { "stile-response": await token() };
      const byHeader = await post({ body: new URLSearchParams({ email }), headers });
      assert.deepEqual([byHeader.reason, byHeader.email], [null, email]);
      const none = await post({ body: new URLSearchParams({ email }) });
      assert.equal(none.reason, "missing_token");
      const stolen = await post({
        body: new URLSearchParams({ "stile-response": await mint() }),
      });
      assert.equal(stolen.reason, "binding_mismatch");
      const json = { "Content-Type": "application/json; charset=utf-8" };
      const inJson = await post({ body: JSON.stringify(await fields()), headers: json });
      assert.deepEqual([inJson.reason, inJson.email], [null, email]);
      // A framework parses multipart bodies for Python.
      if (sdk.name === "Python") return;
      const multipart = new FormData();
      for (const [name, value] of Object.entries(await fields())) multipart.set(name, value);
      const inParts = await post({ body: multipart });
      assert.deepEqual([inParts.reason, inParts.email], [null, email]);
    });

    test("refuses a form whose field is no text, or whose JSON is no object", async () => {
      const post = async (init: RequestInit): Promise<Outcome> =>
        (await (await fetch(`${sdk.url}/form`, { method: "POST", ...init })).json()) as Outcome;
      const token = await mint({ address: "127.0.0.1" });
      const forged = { headers: { "stile-response": token }, method: "GET", ip: "127.0.0.1" };
      const fields = [7, null, true, [token], {}, forged].map((field) => ({
        "stile-response": field,
      }));
      const headers = { "Content-Type": "application/json", "User-Agent": AGENT };
      for (const value of [...fields, [], null, 7, token, [fields], "x".repeat(2 ** 21)]) {
        const body = JSON.stringify(value);
        assert.equal((await post({ body, headers })).reason, "missing_token", body.slice(0, 99));
      }
      assert.equal((await post({ body: "{", headers })).reason, "missing_token");
      for (const name of ["stile-response[]", "stile-response[headers][stile-response]"]) {
        const nested = await post({ body: new URLSearchParams({ [name]: token }) });
        assert.equal(nested.reason, "missing_token", name);
      }
      const twice = new URLSearchParams([..."ab"].map((text) => ["stile-response", text]));
      assert.equal((await post({ body: twice })).reason, "invalid_signature");
    });

    test("keeps running after an upload that breaks off", async () => {
      for (const contentType of ["application/json", "application/x-www-form-urlencoded"]) {
        const visitor = connect(Number(new URL(sdk.url).port), "127.0.0.1");
        const head = `POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}`;
        visitor.end(`${head}\r\nContent-Length: 1000\r\n\r\n{`);
        await once(visitor.resume(), "close");
        assert.equal((await verify(sdk, await mint())).ok, true);
      }
    });
  });
}

test("gives up after 10 s if the service keeps silent and then sends its answer byte by byte", async () => {
  const drip = (response: ServerResponse): void => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const timer = setInterval(() => response.write(" "), 500);
    response.once("close", () => clearInterval(timer));
  };
  const silence = (): void => {};
  const took = sdks.map((sdk) =>
    withAnswers([silence, drip], async (baseUrl, calls) => {
      const start = performance.now();
      const { reason } = await verify(sdk, "token", { baseUrl });
      const seconds = (performance.now() - start) / 1000;
      assert.deepEqual([reason, calls.length], ["unavailable", 2], sdk.name);
      assert.ok(seconds > 9 && seconds < 15, `${sdk.name}: ${seconds} s`);
    }),
  );
  await Promise.all(took);
});
