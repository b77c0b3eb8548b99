import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { updateSite } from "@stile/core/flows/site/update-site";
import { type ApiCall, callApi } from "@stile/testkit/contract/call";
import { type Ground, startGrounds } from "@stile/testkit/contract/grounds";
import { bearer, outcomeOf, redeem, SCORE } from "@stile/testkit/contract/redeem";
import { mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";

function askScore(ground: Ground, site: TestSite, body: ApiCall["body"], more: Partial<ApiCall> = {}) {
  return callApi(ground.baseUrl, { path: SCORE, body, headers: bearer(site.secretKey), ...more });
}

for (const ground of await startGrounds()) {
  suite(`what is refused (spec 4.2, D7, D11), ${ground.name}`, () => {
    test("without a key: 401 missing_secret; with a wrong one: 401 invalid_secret; success false, data empty (spec 5.1)", async () => {
      const none = await callApi(ground.baseUrl, { path: SCORE, body: {} });
      const wrong = await callApi(ground.baseUrl, { path: SCORE, body: {}, headers: bearer("sk_wrong") });
      for (const [answer, code, challenge] of [
        [none, "missing_secret", "Bearer"],
        [wrong, "invalid_secret", 'Bearer error="invalid_token"'],
      ] as const) {
        assert.equal(answer.status, 401);
        assert.deepEqual({ ...answer.body, error: answer.body.error?.code }, { success: false, data: {}, error: code });
        assert.equal(answer.headers["www-authenticate"], challenge);
      }
    });

    test("a disabled site gets 403 site_disabled", async () => {
      const site = await newSite(ground);
      await updateSite(ground.ports, site, { isEnabled: false });
      const answer = await askScore(ground, site, {});
      assert.deepEqual([answer.status, answer.body.error?.code], [403, "site_disabled"]);
    });

    test("over the limit: 429 with Retry-After, and the other endpoint of the site goes on (spec 8)", async () => {
      const site = await newSite(ground, { scorePerMinute: 1 });
      assert.equal((await askScore(ground, site, {})).status, 200);
      const limited = await askScore(ground, site, {});
      assert.deepEqual([limited.status, limited.body.error?.code], [429, "rate_limited"]);
      assert.match(limited.headers["retry-after"] ?? "", /^[1-9]\d*$/);
      assert.match(limited.headers.ratelimit ?? "", /^"score";r=0;t=\d+$/);
      assert.equal(outcomeOf(await redeem(ground, site, { token: mintToken(ground, site) })), "verified");
    });

    test("a body over 64 KiB is 413, one of the wrong type 400, media type 415, method 405", async () => {
      const site = await newSite(ground);
      const text = { headers: { ...bearer(site.secretKey), "content-type": "text/plain" } };
      const answers = [
        await askScore(ground, site, { url: "x".repeat(65_536) }),
        await askScore(ground, site, { ip: 7 }),
        await askScore(ground, site, { headers: "x" }),
        await askScore(ground, site, "{}", text),
        await askScore(ground, site, undefined, { method: "GET" }),
      ];
      const said = answers.map(({ status, body }) => `${status} ${body.success} ${body.error?.code}`);
      assert.deepEqual(said, [
        "413 false payload_too_large",
        "400 false bad_request",
        "400 false bad_request",
        "415 false unsupported_media_type",
        "405 false method_not_allowed",
      ]);
    });
  });
}
