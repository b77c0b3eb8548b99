import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { updateSite } from "@stile/core/flows/site/update-site";
import { callApi } from "@stile/testkit/contract/call";
import { startGrounds, startInProcess } from "@stile/testkit/contract/grounds";
import { newSite, PAGE_ORIGIN } from "@stile/testkit/contract/sites";
import { askChallenge } from "@stile/testkit/contract/visitor";

const PATH = "/api/v1/pow/challenge";

/** Where the request says it comes from, and what a site for shop.example answers (D8). */
const PAGES: readonly (readonly [headers: Readonly<Record<string, string>>, expected: string])[] = [
  [{}, "200"],
  [{ origin: "https://shop.example" }, "200"],
  [{ origin: "http://shop.example:8080" }, "200"],
  [{ origin: "https://www.shop.example" }, "200"],
  [{ origin: "https://SHOP.example" }, "200"],
  [{ origin: "https://shop.example.evil.test" }, "403 domain_mismatch"],
  [{ origin: "https://notshop.example" }, "403 domain_mismatch"],
  [{ origin: "https://example" }, "403 domain_mismatch"],
  [{ origin: "null" }, "403 domain_mismatch"],
  [{ origin: "https://shop.example/" }, "403 domain_mismatch"],
  [{ origin: "https://shop.example@evil.test" }, "403 domain_mismatch"],
  [{ origin: "file://shop.example" }, "403 domain_mismatch"],
  [{ referer: "https://www.shop.example/cart?x=1" }, "200"],
  [{ referer: "https://evil.test/?shop.example" }, "403 domain_mismatch"],
  [{ origin: "https://evil.test", referer: "https://shop.example/" }, "403 domain_mismatch"],
];

for (const ground of await startGrounds()) {
  const ask = (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
    callApi(ground.baseUrl, { method: "GET", path: `${PATH}?${new URLSearchParams(query)}`, headers });

  suite(`spec 4.3 and D8, ${ground.name}`, () => {
    test("a challenge has exactly the fields of D8, is never cached, lives 300 s", async () => {
      const site = await newSite(ground, { theme: "dark", language: "de", difficultyOffset: 1 });
      const answer = await askChallenge(ground, { site_key: site.siteKey, action: "login" });
      const { challenge, expires_at: expiresAt, ...data } = answer.body.data;
      assert.equal(answer.status, 200);
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.deepEqual(
        { ...answer.body, data },
        {
          success: true,
          data: {
            algorithm: 1,
            k: 16,
            difficulty: 2 ** 18,
            mode: "managed",
            theme: "dark",
            language: "de",
            interaction: "none",
          },
        },
      );
      assert.match(String(challenge), /^[\w-]{100,200}$/);
      const lifeMs = Date.parse(String(expiresAt)) - ground.ports.clock.nowMs();
      assert.ok(lifeMs > 290_000 && lifeMs <= 300_000);
    });

    for (const [mode, interaction] of [
      ["managed", "none"],
      ["interactive", "click"],
      ["non_interactive", "none"],
      ["invisible", "none"],
    ] as const) {
      test(`mode ${mode} asks for ${interaction} at first (D9)`, async () => {
        const site = await newSite(ground, { mode });
        const { data } = (await askChallenge(ground, { site_key: site.siteKey })).body;
        assert.deepEqual([data.mode, data.interaction], [mode, interaction]);
      });
    }

    for (const [headers, expected] of PAGES) {
      test(`${JSON.stringify(headers)}: ${expected}`, async () => {
        const site = await newSite(ground);
        const { status, body, headers: answered } = await ask({ site_key: site.siteKey }, headers);
        assert.equal([status, body.error?.code].join(" ").trim(), expected);
        assert.equal(answered["access-control-allow-origin"], headers.origin);
      });
    }

    test("an unknown site key is 404 invalid_site_key, a disabled site 403 site_disabled (spec 7.1)", async () => {
      const site = await newSite(ground);
      await updateSite(ground.ports, site, { isEnabled: false });
      const unknown = await ask({ site_key: "pk_0000000000000000000000" });
      const disabled = await ask({ site_key: site.siteKey });
      assert.deepEqual([unknown.status, unknown.body.error?.code], [404, "invalid_site_key"]);
      assert.deepEqual([disabled.status, disabled.body.error?.code], [403, "site_disabled"]);
    });

    test("a missing or repeated site key, or an action name of other characters, is 400", async () => {
      const { siteKey } = await newSite(ground);
      const queries = ["", "?site_key", `?site_key=${siteKey}&site_key=${siteKey}`, `?site_key=${siteKey}&action=a b`];
      queries.push(`?site_key=${siteKey}&action=${"a".repeat(65)}`, `?site_key=${"p".repeat(300)}`);
      const expected = [400, 404, 400, 400, 400, 400];
      const statuses = [];
      for (const query of queries) {
        statuses.push((await callApi(ground.baseUrl, { method: "GET", path: encodeURI(PATH + query) })).status);
      }
      assert.deepEqual(statuses, expected);
    });

    test("other methods are 405; the secret key is not needed and not looked at (spec 5.5)", async () => {
      const { siteKey } = await newSite(ground);
      const posted = await callApi(ground.baseUrl, { path: `${PATH}?site_key=${siteKey}` });
      assert.deepEqual([posted.status, posted.headers.allow], [405, "GET, OPTIONS"]);
      assert.equal((await ask({ site_key: siteKey }, { authorization: "Bearer sk_wrong" })).status, 200);
    });
  });

  suite(`CORS (D8), ${ground.name}`, () => {
    for (const [path, method] of [
      [PATH, "GET"],
      ["/api/v1/verify", "POST"],
    ] as const) {
      test(`a preflight of ${path} is 204 for any origin, without credentials`, async () => {
        const headers = { origin: "https://anyone.test", "access-control-request-method": method };
        const { status, headers: answered } = await callApi(ground.baseUrl, { path, method: "OPTIONS", headers });
        assert.equal(status, 204);
        assert.equal(answered["access-control-allow-origin"], "https://anyone.test");
        assert.equal(answered["access-control-allow-methods"], method);
        assert.match(answered["access-control-allow-headers"] ?? "", /content-type/i);
        assert.equal(answered["access-control-allow-credentials"], undefined);
        assert.match(answered.vary ?? "", /\borigin\b/i);
      });
    }

    test("the 400, 403, 404 and 405 are readable by the page that caused them, and so are their ids and waits", async () => {
      const { siteKey } = await newSite(ground);
      const origin = "https://evil.test";
      const answers = [
        await ask({}, { origin }),
        await ask({ site_key: siteKey }, { origin }),
        await ask({ site_key: "pk_unknown" }, { origin }),
        await callApi(ground.baseUrl, { path: PATH, method: "DELETE", headers: { origin } }),
      ];
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [400, 403, 404, 405],
      );
      for (const { headers } of answers) {
        assert.equal(headers["access-control-allow-origin"], origin);
        assert.match(headers["access-control-expose-headers"] ?? "", /Retry-After.*X-Request-Id/);
        assert.equal(headers["access-control-allow-credentials"], undefined);
        assert.match(headers.vary ?? "", /\borigin\b/i);
      }
    });
  });
}

suite("what a network and the account may draw (spec 8, D10), in process", async () => {
  const ground = await startInProcess({ STILE_LIMIT_CHALLENGE: "5", STILE_LIMIT_CHALLENGE_TOTAL: "12" });
  test.after(ground.stop);
  const ask = (siteKey: string, from: string) => askChallenge(ground, { site_key: siteKey }, { from });

  test("one client gets what its network may draw, over all sites; then it waits, while other networks don't", async () => {
    const site = await newSite(ground);
    const sibling = await newSite(ground, {}, site.accountId);
    for (let i = 0; i < 5; i++)
      assert.equal((await ask(i % 2 ? site.siteKey : sibling.siteKey, "127.1.0.2")).status, 200);
    const limited = await ask(site.siteKey, "127.1.0.2");
    assert.deepEqual([limited.status, limited.body.error?.code], [429, "rate_limited"]);
    assert.match(limited.headers["retry-after"] ?? "", /^[1-9]\d*$/);
    assert.equal(limited.headers["access-control-allow-origin"], PAGE_ORIGIN);
    assert.equal((await ask(site.siteKey, "127.2.0.2")).status, 200);
    assert.equal((await ask(sibling.siteKey, "127.2.0.2")).status, 200);
    ground.clock.advance(Number(limited.headers["retry-after"]) * 1000);
    assert.equal((await ask(site.siteKey, "127.1.0.2")).status, 200);
  });

  test("once the account's total is used up, who asked for little is served before who asked for much", async () => {
    const site = await newSite(ground);
    for (let i = 0; i < 12; i++) assert.equal((await ask(site.siteKey, `127.${i % 3}.1.2`)).status, 200);
    assert.equal((await ask(site.siteKey, "127.0.1.2")).status, 429);
    assert.equal((await ask(site.siteKey, "127.9.1.2")).status, 200);
  });

  test("another account's sites are not touched (spec 8)", async () => {
    const site = await newSite(ground);
    for (let i = 0; i < 6; i++) await ask(site.siteKey, "127.0.0.5");
    assert.equal((await ask((await newSite(ground)).siteKey, "127.0.0.5")).status, 200);
  });
});

suite("work instead of a refusal (D10), in process", async () => {
  const ground = await startInProcess({ STILE_LIMIT_CHALLENGE: "5", STILE_OVER_LIMIT: "work" });
  test.after(ground.stop);

  test("with STILE_OVER_LIMIT=work who is over the limit gets harder challenges, up to 2^23 hashes, and no 429", async () => {
    const { siteKey } = await newSite(ground);
    const answers = [];
    for (let i = 0; i < 800; i++)
      answers.push(await askChallenge(ground, { site_key: siteKey }, { from: "127.1.0.2" }));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const difficulties = answers.map(({ body }) => Number(body.data.difficulty));
    assert.deepEqual([difficulties[4], difficulties[5]], [2 ** 17, 2 ** 18]);
    assert.equal(Math.max(...difficulties), 2 ** 23);
    const elsewhere = await askChallenge(ground, { site_key: siteKey }, { from: "127.2.0.2" });
    assert.ok(Number(elsewhere.body.data.difficulty) <= 2 ** 19, "the rush, and nothing else");
  });
});
