import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import type { SiteMode } from "@stile/protocol/site-settings";
import { type ServerFacts, serverSnippets } from "./server-snippets.ts";

const FACTS: ServerFacts = {
  baseUrl: "https://stile.example",
  domains: ["example.org", "shop.example"],
  mode: "managed",
  thresholds: { challenge: 0.3, block: 0.6 },
};

test("every server part calls token/verify, waits 10 s at most, checks verified and hostname, and fails closed (spec 4.1, D1)", () => {
  const snippets = serverSnippets(FACTS);
  assert.deepEqual(
    snippets.map(({ label }) => label),
    ["Express", "Fastify", "Next", "PHP", "Python", "Go"],
  );
  for (const { code, label } of snippets) {
    assert.ok(code.includes("https://stile.example/api/v1/token/verify"), label);
    assert.match(code, /timeout\(10_000\)|CURLOPT_TIMEOUT => 10,|timeout=10\)|Timeout: 10 \* time\.Second/, label);
    assert.match(
      code,
      /verified !== true|\['verified'\] !== true|\["verified"\] is not True|!verdict\.Data\.Verified/,
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

test("what the service answered in the place of a verdict comes before who runs the server, and what a part needs is told", () => {
  const codeOf = (id: string): string => serverSnippets(FACTS).find((it) => it.id === id)?.code ?? "";
  for (const id of ["express", "fastify", "next", "go"]) assert.match(codeOf(id), /[Ss]tile answered (\$\{|%d)/, id);
  assert.match(codeOf("php"), /Stile answered \$status/);
  assert.match(codeOf("php"), /^<\?php\n\/\/ PHP 8 with the extension curl /);
  // Neither logs by itself why a handler failed.
  assert.match(codeOf("fastify"), /Fastify\(\{ logger: true \}\)/);
  assert.match(codeOf("go"), /if err != nil \{\n\t\tlog\.Print\(err\)/);
  assert.match(codeOf("python"), /^from flask import Flask, abort, request$/m);
});

test("no part holds a secret key: servers read it from their environment (D13)", () => {
  for (const { code, label } of serverSnippets(FACTS)) {
    assert.match(code, /STILE_SECRET/, label);
    assert.doesNotMatch(code, /sk_/, label);
  }
});

test("a server part accepts no token solved on localhost, unless the site has only hosts for testing (D13)", () => {
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

test("where every visitor gets a token, the server part refuses a score that the site would block, and elsewhere looks at none (D9)", () => {
  for (const mode of ["non_interactive", "invisible"] as const) {
    for (const { code, label } of serverSnippets({ ...FACTS, mode, thresholds: { challenge: 0.2, block: 0.75 } })) {
      assert.match(code, /(?:data\.score|\['score'\]|\["score"\]|Data\.Score) >= 0\.75\b/, `${label}, ${mode}`);
    }
  }
  for (const mode of ["managed", "interactive"] as const) {
    for (const { code, label } of serverSnippets({ ...FACTS, mode })) assert.doesNotMatch(code, /score/i, label);
  }
});

/** The function `checkToken` of the snippet, without its web server. */
async function loadCheckToken(
  baseUrl: string,
  mode: SiteMode = "managed",
): Promise<(token: unknown, userAgent: unknown) => Promise<unknown>> {
  const code = serverSnippets({ ...FACTS, baseUrl, mode }).find(({ id }) => id === "next")?.code ?? "";
  const module = await import(`data:text/javascript,${encodeURIComponent(`${code}\nexport { checkToken };`)}`);
  return module.checkToken;
}

test("takes a subdomain of the site for its own and no host that only ends alike; anything but 200 throws (D2, D8)", async (t) => {
  const { createServer } = await import("node:http");
  let answer = { status: 200, verified: true, hostname: "example.org", score: 1 };
  let call: { headers?: object; body?: string } = {};
  const server = createServer(async (request, response) => {
    const chunks: string[] = [];
    for await (const chunk of request.setEncoding("utf8")) chunks.push(chunk);
    call = { headers: request.headers, body: chunks.join("") };
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        success: true,
        data: { ...answer, reasonCode: "token_expired" },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as import("node:net").AddressInfo;
  process.env.STILE_SECRET = "the-secret";
  const checkToken = await loadCheckToken(`http://127.0.0.1:${port}`);

  const table: [string, boolean, boolean][] = [
    ["example.org", true, true],
    ["www.example.org", true, true],
    ["shop.example", true, true],
    ["example.org", false, false],
    ["notexample.org", true, false],
    ["example.org.evil.example", true, false],
  ];
  for (const [hostname, verified, expected] of table) {
    answer = { ...answer, verified, hostname };
    const { isPerson, reason } = (await checkToken("token", "Browser/1")) as { isPerson: boolean; reason: string };
    assert.equal(isPerson, expected, hostname);
    assert.equal(
      reason,
      expected ? "" : verified ? `solved on ${hostname}, not on example.org or shop.example` : "token_expired",
    );
  }
  assert.deepEqual(JSON.parse(call.body ?? ""), { token: "token", user_agent: "Browser/1" });
  assert.equal((call.headers as { authorization?: string }).authorization, "Bearer the-secret");
  const checkInvisible = await loadCheckToken(`http://127.0.0.1:${port}`, "invisible");
  for (const score of [0.05, 0.59, 0.6, 1]) {
    answer = { status: 200, verified: true, hostname: "example.org", score };
    const isPerson = score < 0.6;
    assert.deepEqual(await checkInvisible("token", "Browser/1"), {
      isPerson,
      reason: isPerson ? "" : `score ${score}`,
    });
  }
  for (const status of [401, 429, 503]) {
    answer = { ...answer, status, verified: true, hostname: "example.org" };
    await assert.rejects(checkToken("token", "Browser/1"), new RegExp(String(status)));
  }
});
