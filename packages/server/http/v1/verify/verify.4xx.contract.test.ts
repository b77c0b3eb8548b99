import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import { startFixtures, startInProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite, PAGE_ORIGIN, type TestSite } from "@stile/testkit/contract/sites";
import {
  askChallenge,
  challengeOf,
  PAGE_HEADERS,
  signalsOf,
  solve,
  submit,
} from "@stile/testkit/contract/visitor";

/** The easiest puzzle, for tests that solve many. */
const EASY = { difficultyOffset: -1 } as const;
/** Signs that make the service ask for a click. */
const DOUBTFUL = { environment: "withheld" } as const;

function nextOf({ body }: ApiAnswer): unknown {
  return body.data.verified === true ? "verified" : body.data.next;
}

for (const fixture of await startFixtures({ STILE_LIMIT_CHALLENGE: "1000" })) {
  const site = await newSite(fixture, EASY);
  const ask = async (of: TestSite = site, more = {}) =>
    challengeOf(await askChallenge(fixture, { site_key: of.siteKey }, more));

  suite(`refusals (spec 4.4; D9, submission; D11, errors), ${fixture.name}`, () => {
    test("answers a readable 403 domain_mismatch unless Origin is one of the site's", async () => {
      const right = await solve(fixture, site, await ask());
      const { origin, ...others } = PAGE_HEADERS;
      assert.equal(origin, PAGE_ORIGIN);
      for (const foreign of [
        undefined,
        "null",
        "https://evil.test",
        "https://shop.example.evil.test",
      ]) {
        const headers = {
          "content-type": "application/json",
          ...others,
          ...(foreign && { origin: foreign }),
        };
        const response = await fetch(`${fixture.baseUrl}/api/v1/verify`, {
          method: "POST",
          headers,
          body: JSON.stringify(right),
        });
        const { error } = (await response.json()) as ApiAnswer["body"];
        assert.deepEqual([response.status, error?.code], [403, "domain_mismatch"]);
        assert.equal(response.headers.get("access-control-allow-origin"), foreign ?? null);
      }
      assert.equal(
        nextOf(await submit(fixture, right)),
        "verified",
        "none of them spent the challenge",
      );
    });

    test("answers 404 for an unknown site key, 403 for a disabled site, 400 for fields, 413 for a body over 64 KiB", async () => {
      const disabled = await newSite(fixture);
      await updateSite(fixture.ports, disabled, { isEnabled: false });
      const empty = { site_key: site.siteKey, challenge: "x", solution: "x", signals: signalsOf() };
      const cases: readonly (readonly [object | string, string])[] = [
        [{ ...empty, site_key: "pk_unknown" }, "404 invalid_site_key"],
        [{ ...empty, site_key: disabled.siteKey }, "403 site_disabled"],
        [{ ...empty, site_key: undefined }, "400 bad_request"],
        [{ ...empty, challenge: "x".repeat(513) }, "400 bad_request"],
        [{ ...empty, action: "a b" }, "400 bad_request"],
        [{ ...empty, cdata: "x".repeat(256) }, "400 bad_request"],
        [{ ...empty, cdata: "€".repeat(86) }, "400 bad_request"],
        [{ ...empty, padding: "x".repeat(65_536) }, "413 payload_too_large"],
        ["[]", "400 bad_request"],
      ];
      for (const [body, expected] of cases) {
        const { status, body: answered, headers } = await submit(fixture, body);
        assert.equal(`${status} ${answered.error?.code}`, expected);
        assert.deepEqual([answered.success, answered.data], [false, {}]);
        assert.equal(headers["access-control-allow-origin"], PAGE_ORIGIN);
      }
      const plain = await submit(fixture, "{}", { headers: { "content-type": "text/plain" } });
      assert.equal(`${plain.status} ${plain.body.error?.code}`, "415 unsupported_media_type");
      assert.equal((await submit(fixture, undefined, { method: "GET" })).status, 405);
    });
  });
}

suite("over the limits (D10, limits), in process", async () => {
  const fixture = await startInProcess({ STILE_LIMIT_CHALLENGE: "3" });
  test.after(fixture.stop);
  const askFor = (site: TestSite, from: string) =>
    askChallenge(fixture, { site_key: site.siteKey }, { from });

  test("counts a step-up against the limits, and answers a 429 that the page can read over them", async () => {
    const site = await newSite(fixture, EASY);
    const bodies = [];
    for (let i = 0; i < 2; i++)
      bodies.push(
        await solve(fixture, site, challengeOf(await askFor(site, "127.0.0.1")), DOUBTFUL),
      );
    assert.equal(nextOf(await submit(fixture, bodies[0])), "interact");
    const limited = await submit(fixture, bodies[1]);
    assert.deepEqual([limited.status, limited.body.error?.code], [429, "rate_limited"]);
    assert.match(limited.headers["retry-after"] ?? "", /^[1-9]\d*$/);
    assert.equal(limited.headers["access-control-allow-origin"], PAGE_ORIGIN);
  });
});
