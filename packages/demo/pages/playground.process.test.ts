import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { checkTokenCode } from "@stile/protocol/check-token-code";
import { callApi } from "@stile/testkit/contract/call";
import { startInOwnProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { attributeChoices, FAILURES, readWishes } from "./playground-choices.ts";

const fixture = await startInOwnProcess({ STILE_DEMO: "on" });
after(() => fixture.stop());
const { site_key: siteKey } = JSON.parse(
  readFileSync(join(dirname(fixture.databaseFile ?? ""), "demo.json"), "utf8"),
) as { site_key: string };

const ask = (path: string, init?: RequestInit) =>
  fetch(fixture.baseUrl + path, { redirect: "manual", ...init });
const challenge = (way: string, key = siteKey) =>
  callApi(fixture.baseUrl, {
    method: "GET",
    path: `/playground/as/${way}/api/v1/pow/challenge?site_key=${key}`,
  });
const wishes = (query: string) =>
  readWishes(Object.fromEntries(new URLSearchParams(query)), attributeChoices(["de"]));

test("runs its page under the demo's policy, and shows text from the URL as text", async () => {
  const hostile = encodeURIComponent('"><script>alert(1)</script><img src=x onerror=alert(1)>');
  const fields = ["action", "cdata", "more", "theme", "language", "mode", "failure", "size"];
  const response = await ask(`/playground?${fields.map((name) => `${name}=${hostile}`).join("&")}`);
  const policy = response.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'.*trusted-types 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  const page = await response.text();
  assert.doesNotMatch(page, /<script>|<img|<script(?![^>]*\ssrc=)|<style|\sstyle=/);
  assert.match(page, /action="&quot;&gt;&lt;script&gt;/);
});

test("takes attributes of the widget from the URL, but no handlers, functions, looks or keys", () => {
  const refused = [
    "onclick=a",
    "onfocus=a",
    "callback=stop",
    "error-callback=stop",
    "style=x",
    "sitekey=pk_x",
    "nonce=x",
  ];
  const asked = wishes(
    `more=${encodeURIComponent([...refused, "ONX=a", "a/b=c", "retry=never"].join(" "))}`,
  );
  assert.deepEqual([...asked.attributes], [["retry", "never"]]);
  assert.equal(asked.leftOut.length, refused.length + 2);
  const wording = wishes(
    `more=${encodeURIComponent('strings={"verify":"Pay"} title=Pay aria-label=Pay role=img inert=')}`,
  );
  assert.deepEqual(
    [[...wording.attributes], wording.leftOut],
    [[], ["strings", "title", "aria-label", "role", "inert"]],
  );
  assert.deepEqual(
    [...wishes("more=on-unavailable%3Dblock").attributes],
    [["on-unavailable", "block"]],
  );
});

test("ignores a URL that is longer than any the page makes, or that repeats a name", async () => {
  const themeOf = async (query: string) =>
    /class="stage" data-theme="(\w+)"/.exec(
      await (await ask(`/playground?theme=dark${query}`)).text(),
    )?.[1];
  assert.equal(await themeOf(""), "dark");
  for (const more of ["&%E0%A4".repeat(800), `&more=${"x".repeat(3000)}`, "&theme=light"]) {
    assert.equal(await themeOf(more), "auto", more.slice(0, 20));
  }
});

test("shows the shared checkToken as server code, which acts on a challenge in modes that never ask (D9, submission)", async () => {
  const linesFor = async (mode: string): Promise<string> => {
    const [, markup = ""] =
      /id="server-code">(.*?)<\/pre>/s.exec(await (await ask(`/playground?mode=${mode}`)).text()) ??
      [];
    const text = markup.replace(/<\/?span[^>]*>/g, "");
    return text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
  };
  const code = checkTokenCode({
    baseUrl: "https://stile.example.org",
    hosts: '["www.example.org"]',
  });
  for (const mode of ["", "managed", "interactive", "invisible", "non_interactive"]) {
    const lines = await linesFor(mode);
    assert.ok(lines.startsWith(code), lines);
    assert.equal(
      lines.includes('if it is "challenge"'),
      ["invisible", "non_interactive"].includes(mode),
      mode,
    );
  }
});

test("ignores names and values that it does not know", () => {
  const asked = wishes("theme=pink&language=xx&mode=__proto__&failure=toString&unknown=1");
  assert.deepEqual([asked.mode, asked.failure, [...asked.attributes]], [undefined, "none", []]);
});

test("serves the service's own widget files, and redirects to no other address", async () => {
  for (const file of ["stile.js", "run.js", "frame", "languages/de.json"]) {
    const answer = await ask(`/playground/as/own/none/${file}`);
    assert.deepEqual([answer.status, answer.headers.get("location")], [302, `/${file}`]);
  }
  const foreign = [
    "/evil.example",
    "/evil.example/x.js",
    "..%2fx.js",
    "\\evil.js",
    "dashboard",
    "",
  ];
  for (const rest of foreign) {
    const answer = await ask(`/playground/as/own/none/${rest}`);
    assert.ok([400, 404].includes(answer.status), `${rest}: ${answer.status}`);
  }
  for (const way of ["none", "pink/none", "own/pink", "own/__proto__", "constructor/none"]) {
    assert.equal((await ask(`/playground/as/${way}/stile.js`)).status, 404, way);
  }
});

test("refuses every site except the demo's", async () => {
  const { siteKey: other } = await newSite(fixture);
  for (const failure of Object.keys(FAILURES).filter(
    (name) => name !== "away" && name !== "rate_limited",
  )) {
    assert.equal((await challenge(`interactive/${failure}`, other)).status, 404, failure);
    if (failure === "blocked") continue;
    // A challenge of the other site, submitted here.
    const path = `/api/v1/pow/challenge?site_key=${other}`;
    const { data } = (await callApi(fixture.baseUrl, { method: "GET", path })).body;
    const body = JSON.stringify({ site_key: other, challenge: data?.challenge, solution: "AA" });
    const headers = { "content-type": "application/json", origin: "http://localhost" };
    const handedIn = await ask(`/playground/as/own/${failure}/api/v1/verify`, {
      method: "POST",
      headers,
      body,
    });
    const { error } = (await handedIn.json()) as { error?: { code: string } };
    assert.deepEqual([handedIn.status, error?.code], [404, "invalid_site_key"], failure);
  }
});

test("lets pages of other origins read nothing", async () => {
  for (const path of ["/playground", "/playground/as/own/none/api/v1/pow/challenge?site_key=x"]) {
    const answer = await ask(path, { headers: { origin: "https://shop.example" } });
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
    assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin");
  }
});

test("reports each mode to the widget, and never asks for less than the demo's site does", async () => {
  const { data: own } = (await challenge("own/none")).body as { data: Record<string, unknown> };
  assert.deepEqual([own?.mode, own?.interaction], ["managed", "none"]);
  for (const mode of ["managed", "invisible", "non_interactive", "interactive"]) {
    const { data } = (await challenge(`${mode}/none`)).body as { data: Record<string, unknown> };
    assert.deepEqual(
      [data?.mode, data?.interaction],
      [mode, mode === "interactive" ? "click" : "none"],
    );
  }
  const site = await fixture.store.sites.findSite(siteKey);
  assert.equal(site?.mode, "managed");
});

test("reports the work of a challenge in its Server-Timing", async () => {
  const { headers } = await ask(`/playground/as/own/none/api/v1/pow/challenge?site_key=${siteKey}`);
  assert.match(headers.get("server-timing") ?? "", /^work;desc="16 nonces, about [\d,]+ hashes"$/);
});

test("answers failures as the service does", async () => {
  const limited = await challenge("own/rate_limited");
  assert.deepEqual([limited.status, limited.headers["retry-after"]], [429, "30"]);
  const foreign = await challenge("own/wrong_host");
  assert.deepEqual(
    [foreign.status, (foreign.body as { error: { code: string } }).error.code],
    [403, "domain_mismatch"],
  );
  const blocked = await ask("/playground/as/own/blocked/api/v1/verify", {
    method: "POST",
    body: "{}",
  });
  const { data } = (await blocked.json()) as { data: Record<string, unknown> };
  assert.deepEqual([data.verified, data.next], [false, "blocked"]);
  assert.equal(data.request_id, blocked.headers.get("x-request-id"));
});

test("makes an unreachable endpoint fail in the browser without a proxy marking the service as dead", async () => {
  for (const path of ["pow/challenge?site_key=x", "verify"]) {
    const url = `/playground/as/own/away/api/v1/${path}`;
    const { status, headers } = await ask(url);
    assert.deepEqual(
      [status, headers.get("location"), headers.get("cache-control")],
      [302, "data:,", "no-store"],
    );
    await assert.rejects(ask(url, { redirect: "follow", mode: "cors" }));
  }
});

test("answers many slow requests at once without delaying other requests", async () => {
  const slow = Array.from({ length: 80 }, () => challenge("own/slow", "pk_x"));
  // The first answer did not wait: only a few requests can wait here.
  assert.equal((await Promise.race(slow)).status, 404);
  assert.equal((await ask("/healthz")).status, 200);
  for (const { status } of await Promise.all(slow)) assert.equal(status, 404);
});
