import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import { startFixtures } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { askChallenge, PAGE_HEADERS } from "@stile/testkit/contract/visitor";

const PATH = "/api/v1/pow/challenge";

for (const fixture of await startFixtures()) {
  suite(`spec 4.3 and D8 (challenge), ${fixture.name}`, () => {
    test("returns a challenge with exactly the fields of D8 (challenge), never cached, for 300 s", async () => {
      const site = await newSite(fixture, { theme: "dark", language: "de", difficultyOffset: 1 });
      const answer = await askChallenge(fixture, { site_key: site.siteKey, action: "login" });
      const { challenge, receipt, expires_at: expiresAt, ...data } = answer.body.data;
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
      assert.match(String(receipt), /^[\w-]{20}$/);
      const lifeMs = Date.parse(String(expiresAt)) - fixture.ports.clock.nowMs();
      assert.ok(lifeMs > 290_000 && lifeMs <= 300_000);
    });

    test("says with each challenge that a site keeps forms in an outage (D15, outage)", async () => {
      const site = await newSite(fixture, { onUnavailable: "block" });
      assert.equal(
        (await askChallenge(fixture, { site_key: site.siteKey })).body.data.on_unavailable,
        "block",
      );
    });

    test("gives no receipt without a batch of reports, and refuses a malformed batch", async () => {
      const site = await newSite(fixture);
      const askWith = (more: string) =>
        callApi(fixture.baseUrl, {
          method: "GET",
          path: `${PATH}?site_key=${site.siteKey}${more}`,
          headers: PAGE_HEADERS,
        });
      const { data } = (await askWith("")).body;
      assert.deepEqual([typeof data.challenge, data.receipt], ["string", undefined]);
      for (const batch of ["", "x", "1~~~", `1~~${"1_".repeat(400)}1`, "1~1.2.3_~"]) {
        assert.equal((await askWith(`&batch=${batch}`)).status, 400, batch);
      }
    });

    for (const [mode, interaction] of [
      ["managed", "none"],
      ["interactive", "click"],
      ["non_interactive", "none"],
      ["invisible", "none"],
    ] as const) {
      test(`asks for ${interaction} at first in mode ${mode} (D9, submission)`, async () => {
        const site = await newSite(fixture, { mode });
        const { data } = (await askChallenge(fixture, { site_key: site.siteKey })).body;
        assert.deepEqual([data.mode, data.interaction], [mode, interaction]);
      });
    }
  });

  suite(`CORS (D8, challenge), ${fixture.name}`, () => {
    for (const [path, method] of [
      [PATH, "GET"],
      ["/api/v1/verify", "POST"],
    ] as const) {
      test(`answers a preflight of ${path} with 204 for any origin, without credentials`, async () => {
        const headers = { origin: "https://anyone.test", "access-control-request-method": method };
        const { status, headers: answered } = await callApi(fixture.baseUrl, {
          path,
          method: "OPTIONS",
          headers,
        });
        assert.equal(status, 204);
        assert.equal(answered["access-control-allow-origin"], "https://anyone.test");
        assert.equal(answered["access-control-allow-methods"], method);
        assert.match(answered["access-control-allow-headers"] ?? "", /content-type/i);
        assert.equal(answered["access-control-allow-credentials"], undefined);
        assert.match(answered.vary ?? "", /\borigin\b/i);
      });
    }
  });
}
