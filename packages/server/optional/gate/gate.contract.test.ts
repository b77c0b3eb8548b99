import assert from "node:assert/strict";
import { after, test } from "node:test";
import { rotateSecret } from "@stile/core/use-cases/site/rotate-secret";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { type MintOptions, mintToken, newSite, VISITOR } from "@stile/testkit/contract/sites";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";

const HOUR_MS = 3_600_000;
const HOST = "shop.example";
const OTHER_NETWORK = "198.51.100.1";

const without = await startInProcess();
const store = createMemoryStore();
const site = await newSite(
  { ...without, ports: { ...without.ports, sites: store.sites } },
  { domains: [HOST, "admin.example"] },
);
const gate = await startInProcess(
  {
    STILE_GATE_SECRET_KEY: site.secretKey,
    STILE_GATE_HOURS: "2",
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_BASE_URL: "https://stile.example",
  },
  { name: "memory", open: async () => store },
);
after(async () => {
  await gate.stop();
  await without.stop();
});

type Visit = {
  readonly path: string;
  readonly host?: string;
  readonly address?: string;
  readonly cookie?: string;
  readonly uri?: string;
  readonly proto?: string;
  readonly form?: Record<string, string>;
};

/** A request that a proxy on this machine passes on. */
function visit({ path, host = HOST, address = VISITOR.address, ...more }: Visit) {
  const { cookie, uri, proto = "https", form } = more;
  return fetch(gate.baseUrl + path, {
    redirect: "manual",
    method: form ? "POST" : "GET",
    headers: {
      "user-agent": VISITOR.userAgent,
      "x-forwarded-for": address,
      "x-forwarded-host": host,
      "x-forwarded-proto": proto,
      ...(uri !== undefined && { "x-forwarded-uri": uri }),
      ...(cookie !== undefined && { cookie }),
    },
    ...(form && { body: new URLSearchParams(form) }),
  });
}

const enter = (options: MintOptions = {}, more: Partial<Visit> = {}, to = "/") =>
  visit({ path: "/gate", form: { to, "stile-response": mintToken(gate, site, options) }, ...more });

async function passOf(more: Partial<Visit> = {}): Promise<string> {
  const answer = await enter({}, more);
  assert.equal(answer.status, 303);
  return (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
}

const checked = async (more: Partial<Visit>): Promise<number> =>
  (await visit({ path: "/gate/check", ...more })).status;

test("is off without a setting: no address of it exists", async () => {
  for (const path of ["/gate", "/gate/check", "/gate/gate.js", "/gate/gate.css"])
    assert.equal((await fetch(without.baseUrl + path)).status, 404, path);
});

test("lets a visitor with a token pass for the chosen time, with one cookie for this host alone", async () => {
  const answer = await enter({}, {}, "/cart?item=7&x=1");
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/cart?item=7&x=1"]);
  const [cookie = "", ...others] = answer.headers.getSetCookie();
  assert.deepEqual(others, []);
  assert.match(
    cookie,
    /^__Host-stile-gate=[\w.-]+; Max-Age=7200; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  const pass = cookie.split(";")[0] ?? "";
  assert.equal(await checked({ cookie: `a=1; ${pass}; b=2` }), 204);
  gate.clock.advance(2 * HOUR_MS - 1000);
  assert.equal(await checked({ cookie: pass }), 204);
  gate.clock.advance(1000);
  assert.equal(await checked({ cookie: pass }), 401);
});

test("sends visitors without a pass to the page on request, with the path that they wanted", async () => {
  assert.equal(await checked({}), 401);
  const way = async (uri: string) => {
    const answer = await visit({ path: "/gate/check?redirect=1", uri });
    return [answer.status, answer.headers.get("location")];
  };
  assert.deepEqual(await way("/a?b=1&c=2"), [302, "/gate?to=/a?b=1&c=2"]);
  assert.deepEqual(await way("//evil.test/x"), [302, "/gate?to=/"]);
  const page = await visit({ path: "/gate?to=/a?b=1&c=%22%3E%3Cscript%3E" });
  const text = await page.text();
  assert.equal(page.status, 200);
  assert.ok(text.includes(`name="to" value="/a?b=1&amp;c=%22%3E%3Cscript%3E"`));
  assert.ok(text.includes(site.siteKey) && !text.includes(site.secretKey));
  assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
});

test("returns only to the protected host", async () => {
  for (const to of ["//evil.test", "https://evil.test/", "/\\evil.test", "/.//evil.test"])
    assert.equal((await enter({}, {}, to)).headers.get("location"), "/", to);
});

test("refuses a pass in another network, at another host, or changed in any place", async () => {
  const cookie = await passOf();
  assert.equal(await checked({ cookie }), 204);
  assert.equal(await checked({ cookie, address: "203.0.113.99" }), 204, "the same network");
  assert.equal(await checked({ cookie, address: OTHER_NETWORK }), 401);
  assert.equal(await checked({ cookie, host: "admin.example" }), 401);
  assert.equal(await checked({ cookie, host: `www.${HOST}` }), 401);
  const value = cookie.slice(cookie.indexOf("=") + 1);
  for (let at = 0; at < value.length - 1; at++) {
    const other = value[at] === "1" ? "2" : "1";
    const changed = `${value.slice(0, at)}${other}${value.slice(at + 1)}`;
    assert.equal(await checked({ cookie: `stile-gate=${changed}` }), 401, `character ${at}`);
  }
  const [key = "", made = "", signature = ""] = value.split(".");
  for (const forged of [`${key}.${Number(made) + 1}.${signature}`, `999.${made}.${signature}`, ""])
    assert.equal(await checked({ cookie: `__Host-stile-gate=${forged}` }), 401);
});

test("sets no cookie for a token that is used, foreign, expired, doubtful or from another host or network", async () => {
  const token = mintToken(gate, site);
  const first = await visit({ path: "/gate", form: { to: "/", "stile-response": token } });
  assert.equal(first.status, 303);
  const other = await newSite(gate);
  const tokens = {
    used: token,
    foreign: mintToken(gate, other),
    expired: mintToken(gate, site, { ageSeconds: 301 }),
    "of another host": mintToken(gate, site, { hostname: "admin.example" }),
    "of another network": mintToken(gate, site, { address: OTHER_NETWORK }),
    "of another browser": mintToken(gate, site, { userAgent: "curl/8" }),
    blocked: mintToken(gate, site, { score: 0.7 }),
    "doubtful in a mode that asks nobody": mintToken(gate, site, { mode: "invisible", score: 0.4 }),
    none: "",
    long: "x".repeat(20_000),
  };
  for (const [what, response] of Object.entries(tokens)) {
    const answer = await visit({ path: "/gate", form: { to: "/", "stile-response": response } });
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [403, []], what);
  }
});

test("is nowhere for a host that the site does not have, even if the request names it", async () => {
  const cookie = await passOf();
  for (const host of ["evil.test", "shop.example.evil.test", "", "x y"]) {
    assert.equal(await checked({ cookie, host }), 401, host);
    assert.equal((await visit({ path: "/gate", host })).status, 404, host);
  }
});

test("sets a cookie without Secure only where the proxy says that the visitor came by http", async () => {
  const plain = await enter({}, { proto: "http" });
  const [cookie = ""] = plain.headers.getSetCookie();
  assert.match(cookie, /^stile-gate=[\w.-]+; Max-Age=7200; Path=\/; HttpOnly; SameSite=Lax$/);
});

test("ends when the site is disabled, and when its secret key is replaced and revoked", async () => {
  const cookie = await passOf();
  await updateSite(gate.ports, site, { isEnabled: false });
  assert.equal(await checked({ cookie }), 401);
  await updateSite(gate.ports, site, { isEnabled: true });
  assert.equal(await checked({ cookie }), 204);
  await rotateSecret(gate.ports, site);
  assert.equal(await checked({ cookie }), 204, "in the grace of the replaced key");
  gate.clock.advance(25 * HOUR_MS);
  assert.equal(await checked({ cookie: cookie }), 401);
  assert.equal((await visit({ path: "/gate" })).status, 404);
});
