import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { callApi } from "@stile/testkit/contract/call";
import { startFixtures } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";

const PATH = "/api/v1/pow/challenge";

/**
 * Headers that name the origin of a request, and the answer of a site for shop.example (D8,
 * challenge).
 */
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
  [{ origin: "capacitor://shop.example" }, "200"],
  [{ origin: "capacitor://localhost" }, "403 domain_mismatch"],
  [{ origin: "file://shop.example" }, "403 domain_mismatch"],
  [{ referer: "https://www.shop.example/cart?x=1" }, "200"],
  [{ referer: "https://evil.test/?shop.example" }, "403 domain_mismatch"],
  [{ origin: "https://evil.test", referer: "https://shop.example/" }, "403 domain_mismatch"],
];

for (const fixture of await startFixtures()) {
  const ask = (
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    callApi(fixture.baseUrl, {
      method: "GET",
      path: `${PATH}?${new URLSearchParams(query)}`,
      headers,
    });

  suite(`refusals of a challenge (spec 4.3; D8, challenge), ${fixture.name}`, () => {
    for (const [headers, expected] of PAGES) {
      test(`${JSON.stringify(headers)}: ${expected}`, async () => {
        const site = await newSite(fixture);
        const { status, body, headers: answered } = await ask({ site_key: site.siteKey }, headers);
        assert.equal([status, body.error?.code].join(" ").trim(), expected);
        assert.equal(answered["access-control-allow-origin"], headers.origin);
      });
    }

    test("issues no challenge to a picture, a link or a frame on any page, since no script asks (D8, challenge)", async () => {
      const site = await newSite(fixture);
      const pages = [
        {},
        { referer: "https://shop.example/thread/7" },
        { origin: "https://shop.example" },
      ];
      for (const page of pages) {
        for (const mode of ["no-cors", "navigate", "nested-navigate", "websocket"]) {
          const { status, body } = await ask(
            { site_key: site.siteKey },
            { ...page, "sec-fetch-mode": mode },
          );
          assert.deepEqual(
            [status, body.error?.code],
            [403, "domain_mismatch"],
            `${mode} ${JSON.stringify(page)}`,
          );
        }
        for (const mode of ["cors", "same-origin"]) {
          const { status } = await ask(
            { site_key: site.siteKey },
            { ...page, "sec-fetch-mode": mode },
          );
          assert.equal(status, 200, `${mode} ${JSON.stringify(page)}`);
        }
      }
    });

    test("issues no challenge to a picture, a font or a style that is loaded with CORS, like a page's own (D8, challenge)", async () => {
      const site = await newSite(fixture);
      for (const page of [
        { origin: "https://shop.example" },
        { origin: "https://shop.example", referer: "https://shop.example/" },
      ]) {
        // As Chromium sends for `shape-outside`, `@font-face`, and <img>, <video> and <script> with
        // `crossorigin`.
        for (const destination of ["image", "font", "style", "video", "audio", "script"]) {
          const { status, body } = await ask(
            { site_key: site.siteKey },
            { ...page, "sec-fetch-mode": "cors", "sec-fetch-dest": destination },
          );
          assert.deepEqual([status, body.error?.code], [403, "domain_mismatch"], destination);
        }
        const fetched = { ...page, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
        assert.equal((await ask({ site_key: site.siteKey }, fetched)).status, 200);
      }
    });

    test("answers 404 invalid_site_key for an unknown key, and 403 site_disabled for a disabled site (spec 7.1)", async () => {
      const site = await newSite(fixture);
      await updateSite(fixture.ports, site, { isEnabled: false });
      const unknown = await ask({ site_key: "pk_0000000000000000000000" });
      const disabled = await ask({ site_key: site.siteKey });
      assert.deepEqual([unknown.status, unknown.body.error?.code], [404, "invalid_site_key"]);
      assert.deepEqual([disabled.status, disabled.body.error?.code], [403, "site_disabled"]);
    });

    test("answers 400 to a missing or repeated site key, or to an action name of other characters", async () => {
      const { siteKey } = await newSite(fixture);
      const queries = [
        "",
        "?site_key",
        `?site_key=${siteKey}&site_key=${siteKey}`,
        `?site_key=${siteKey}&action=a b`,
      ];
      queries.push(`?site_key=${siteKey}&action=${"a".repeat(65)}`, `?site_key=${"p".repeat(300)}`);
      const expected = [400, 404, 400, 400, 400, 400];
      const statuses = [];
      for (const query of queries) {
        statuses.push(
          (await callApi(fixture.baseUrl, { method: "GET", path: encodeURI(PATH + query) })).status,
        );
      }
      assert.deepEqual(statuses, expected);
    });

    test("answers 405 to other methods, and ignores the secret key (spec 5.5)", async () => {
      const { siteKey } = await newSite(fixture);
      for (const method of ["POST", "HEAD"]) {
        const { status, headers } = await fetch(`${fixture.baseUrl}${PATH}?site_key=${siteKey}`, {
          method,
        });
        assert.deepEqual([status, headers.get("allow")], [405, "GET, OPTIONS"], method);
      }
      assert.equal(
        (await ask({ site_key: siteKey }, { authorization: "Bearer sk_wrong" })).status,
        200,
      );
    });

    test("lets the page that caused a 400, 403, 404 or 405 read it, with its id and wait", async () => {
      const { siteKey } = await newSite(fixture);
      const origin = "https://evil.test";
      const answers = [
        await ask({}, { origin }),
        await ask({ site_key: siteKey }, { origin }),
        await ask({ site_key: "pk_unknown" }, { origin }),
        await callApi(fixture.baseUrl, { path: PATH, method: "DELETE", headers: { origin } }),
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
