import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { checkTokenCode } from "@stile/protocol/check-token-code";
import type { SiteMode } from "@stile/protocol/site-settings";
import { type ServerFacts, serverSnippets } from "./server-snippets.ts";

const FACTS: ServerFacts = {
  baseUrl: "https://stile.example",
  domains: ["example.org", "shop.example"],
  mode: "managed",
};

test("every server part calls token/verify, waits 10 s at most, checks verified and hostname, and fails closed (spec 4.1; D1, status and body)", () => {
  const snippets = serverSnippets(FACTS);
  assert.deepEqual(
    snippets.map(({ label }) => label),
    ["Express", "Fastify", "Next", "PHP", "Python", "Go"],
  );
  for (const { code, label } of snippets) {
    assert.ok(code.includes("https://stile.example/api/v1/token/verify"), label);
    assert.match(
      code,
      /timeout\(10_000\)|CURLOPT_TIMEOUT => 10,|timeout=10\)|Timeout: 10 \* time\.Second/,
      label,
    );
    assert.match(
      code,
      /verified !== true|\['verified'\] \?\? false\) !== true|\["verified"\] is not True|!data\.Verified/,
      label,
    );
    assert.match(code, /hostname/i, label);
    assert.match(code, /reasonCode/i, label);
    assert.match(code, /Refused: /, label);
    assert.match(code, /solved on /, label);
    assert.match(code, /"example\.org", "shop\.example"/, label);
    assert.match(code, /stile-response/, label);
    assert.match(code, /403|Forbidden/, label);
    // A body that is not a form has no such field, which is not the server's fault.
    assert.doesNotMatch(code, /\.body\[/, label);
  }
});

test("every server part sends the visitor's address, and says how it is known behind a proxy (D5, binding)", () => {
  const settings: Readonly<Record<string, RegExp>> = {
    express: /app\.set\("trust proxy", .*req\.ip/s,
    fastify: /trustProxy: .*request\.ip/s,
    next: /proxy has to set X-Real-IP .*"x-real-ip"/s,
    php: /Behind a proxy .*set_real_ip_from.*\$_SERVER\['REMOTE_ADDR'\]/s,
    python: /PROXIES = 0 .*x_for=PROXIES.*request\.remote_addr/s,
    go: /behindProxy = false.*r\.RemoteAddr/s,
  };
  for (const { id, code } of serverSnippets(FACTS)) {
    assert.match(code, /\bremoteip\b/, id);
    assert.match(code, settings[id] ?? assert.fail(id), id);
  }
});

test("every server part names the packages it needs, and refuses everybody while Stile gives no verdict", () => {
  const codeOf = (id: string): string =>
    serverSnippets(FACTS).find((it) => it.id === id)?.code ?? "";
  assert.match(codeOf("express"), /^\/\/ npm install express@5 multer\n/);
  assert.match(
    codeOf("fastify"),
    /^\/\/ npm install fastify@5 @fastify\/formbody @fastify\/multipart\n/,
  );
  assert.match(codeOf("php"), /^<\?php\n\/\/ PHP 8 with the extension curl /);
  assert.match(codeOf("python"), /^from flask import Flask, abort, request$/m);
  for (const { id, code } of serverSnippets(FACTS)) {
    assert.match(code, /[Ss]tile answered /, id);
    assert.match(
      code,
      /No verdict: a 5xx, or no answer in 10 s\. You decide what happens then; ["']allow["'] would accept every form/,
      id,
    );
    assert.match(code, /recommendation(: |, reason = |, \$reason\] = \[)["']block["']/, id);
  }
});

test("no part holds a secret key: servers read it from their environment (D13, formats)", () => {
  for (const { code, label } of serverSnippets(FACTS)) {
    assert.match(code, /STILE_SECRET/, label);
    assert.doesNotMatch(code, /sk_/, label);
  }
});

test("a server part accepts no token solved on localhost, unless the site has only hosts for testing (D13, formats)", () => {
  const hostsOf = (domains: readonly string[]) =>
    /HOSTS = (.*);/.exec(serverSnippets({ ...FACTS, domains })[0]?.code ?? "")?.[1];
  assert.equal(hostsOf(["localhost", "example.org", "127.0.0.1", "[::1]"]), '["example.org"]');
  assert.equal(hostsOf(["localhost", "127.0.0.1"]), '["localhost", "127.0.0.1"]');
});

test("the parts for Node are modules that Node can read", () => {
  for (const { code, label, language } of serverSnippets(FACTS)) {
    if (language !== "js") continue;
    execFileSync(process.execPath, ["--check", "--input-type=module", "-"], { input: code });
    assert.ok(label);
  }
});

test("a challenge leads to a second step only in the modes that ask nobody (D9, submission)", () => {
  const hasSecondStep = (mode: SiteMode): readonly boolean[] =>
    serverSnippets({ ...FACTS, mode }).map(
      ({ code }) => /== ["']challenge["']/.test(code) && /second_?step\(/i.test(code),
    );
  for (const mode of ["non_interactive", "invisible"] as const)
    assert.ok(hasSecondStep(mode).every(Boolean), mode);
  for (const mode of ["managed", "interactive"] as const)
    assert.ok(!hasSecondStep(mode).some(Boolean), mode);
});

/** The function `checkToken` of the samples for Node. */
async function loadCheckToken(baseUrl: string) {
  const code = checkTokenCode({ baseUrl, hosts: JSON.stringify(FACTS.domains) });
  const module = await import(
    `data:text/javascript,${encodeURIComponent(`${code}\nexport { checkToken };`)}`
  );
  return module.checkToken as (
    ...args: readonly string[]
  ) => Promise<{ recommendation: string; reason: string }>;
}

test("checkToken accepts a subdomain of the site, and refuses a host that merely ends with the same letters (D2, redemption)", async (t) => {
  const { createServer } = await import("node:http");
  let status = 200;
  let data = {
    verified: true,
    hostname: "example.org",
    score: 0.1,
    recommendation: "allow",
    reasonCode: "token_expired",
  };
  let call: { headers?: object; body?: string } = {};
  const server = createServer(async (request, response) => {
    const chunks: string[] = [];
    for await (const chunk of request.setEncoding("utf8")) chunks.push(chunk);
    call = { headers: request.headers, body: chunks.join("") };
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ success: true, data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as import("node:net").AddressInfo;
  process.env.STILE_SECRET = "the-secret";
  const checkToken = await loadCheckToken(`http://127.0.0.1:${port}`);
  const check = () => checkToken("token", "192.0.2.7", "Browser/1");

  for (const hostname of ["example.org", "www.example.org", "shop.example"]) {
    data = { ...data, hostname };
    assert.deepEqual(await check(), { recommendation: "allow", reason: "score 0.1" });
  }
  for (const hostname of ["notexample.org", "example.org.evil.example"]) {
    data = { ...data, hostname };
    const reason = `solved on ${hostname}, not on example.org or shop.example`;
    assert.deepEqual(await check(), { recommendation: "block", reason });
  }
  assert.deepEqual(JSON.parse(call.body ?? ""), {
    token: "token",
    remoteip: "192.0.2.7",
    user_agent: "Browser/1",
  });
  assert.equal((call.headers as { authorization?: string }).authorization, "Bearer the-secret");

  data = { ...data, hostname: "example.org" };
  for (const recommendation of ["allow", "challenge", "block"]) {
    data = { ...data, recommendation };
    assert.equal((await check()).recommendation, recommendation);
  }
  await t.test(
    "checkToken blocks a refused token and a refused call, whatever else the answer says",
    async () => {
      data = { ...data, recommendation: "allow", verified: false };
      assert.deepEqual(await check(), { recommendation: "block", reason: "token_expired" });
      data = { ...data, verified: true };
      for (status of [401, 403, 429])
        assert.deepEqual(await check(), {
          recommendation: "block",
          reason: `Stile answered ${status}`,
        });
    },
  );
  await t.test("checkToken rejects only if Stile gives no verdict", async () => {
    for (status of [500, 503])
      await assert.rejects(check(), new RegExp(`Stile answered ${status}`));
    await assert.rejects(
      (await loadCheckToken("http://127.0.0.1:1"))("token", "192.0.2.7", "Browser/1"),
    );
  });
});
