import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { type ApiCall, callApi } from "@stile/testkit/contract/call";
import { bearer, outcomeOf, redeem, SCORE } from "@stile/testkit/contract/redeem";
import { type ServiceFixture, startFixtures } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";

function askScore(
  fixture: ServiceFixture,
  site: TestSite,
  body: ApiCall["body"],
  more: Partial<ApiCall> = {},
) {
  return callApi(fixture.baseUrl, { path: SCORE, body, headers: bearer(site.secretKey), ...more });
}

for (const fixture of await startFixtures()) {
  suite(`refusals (spec 4.2; D7, score request; D11, errors), ${fixture.name}`, () => {
    test("answers 401 missing_secret without a key and 401 invalid_secret with a wrong one, data empty (spec 5.1)", async () => {
      const none = await callApi(fixture.baseUrl, { path: SCORE, body: {} });
      const wrong = await callApi(fixture.baseUrl, {
        path: SCORE,
        body: {},
        headers: bearer("sk_wrong"),
      });
      for (const [answer, code, challenge] of [
        [none, "missing_secret", "Bearer"],
        [wrong, "invalid_secret", 'Bearer error="invalid_token"'],
      ] as const) {
        assert.equal(answer.status, 401);
        assert.deepEqual(
          { ...answer.body, error: answer.body.error?.code },
          { success: false, data: {}, error: code },
        );
        assert.equal(answer.headers["www-authenticate"], challenge);
      }
    });

    test("answers 403 site_disabled for a disabled site", async () => {
      const site = await newSite(fixture);
      await updateSite(fixture.ports, site, { isEnabled: false });
      const answer = await askScore(fixture, site, {});
      assert.deepEqual([answer.status, answer.body.error?.code], [403, "site_disabled"]);
    });

    test("answers 429 with Retry-After over the limit, while the site's other endpoint continues (spec 8)", async () => {
      const site = await newSite(fixture, { scorePerMinute: 1 });
      assert.equal((await askScore(fixture, site, {})).status, 200);
      const limited = await askScore(fixture, site, {});
      assert.deepEqual([limited.status, limited.body.error?.code], [429, "rate_limited"]);
      assert.match(limited.headers["retry-after"] ?? "", /^[1-9]\d*$/);
      assert.match(limited.headers.ratelimit ?? "", /^"score";r=0;t=\d+$/);
      assert.equal(
        outcomeOf(await redeem(fixture, site, { token: mintToken(fixture, site) })),
        "verified",
      );
    });

    test("answers 400 to a body of the wrong type, 415 to a media type, 405 to a method", async () => {
      const site = await newSite(fixture);
      const text = { headers: { ...bearer(site.secretKey), "content-type": "text/plain" } };
      const answers = [
        await askScore(fixture, site, { ip: 7 }),
        await askScore(fixture, site, { headers: "x" }),
        await askScore(fixture, site, "{}", text),
        await askScore(fixture, site, undefined, { method: "GET" }),
      ];
      const said = answers.map(
        ({ status, body }) => `${status} ${body.success} ${body.error?.code}`,
      );
      assert.deepEqual(said, [
        "400 false bad_request",
        "400 false bad_request",
        "415 false unsupported_media_type",
        "405 false method_not_allowed",
      ]);
    });
  });
}
