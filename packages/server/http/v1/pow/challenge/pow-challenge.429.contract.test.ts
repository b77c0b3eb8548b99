import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { callApi } from "@stile/testkit/contract/call";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite, PAGE_ORIGIN } from "@stile/testkit/contract/sites";
import { askChallenge, PAGE_HEADERS } from "@stile/testkit/contract/visitor";

suite("challenges for a network and for the account (spec 8; D10, limits), in process", async () => {
  const fixture = await startInProcess({
    STILE_LIMIT_CHALLENGE: "5",
    STILE_LIMIT_CHALLENGE_TOTAL: "12",
  });
  test.after(fixture.stop);
  const ask = (siteKey: string, from: string) =>
    askChallenge(fixture, { site_key: siteKey }, { from });

  test("gives a client its network's share over all sites; then it waits, while other networks don't", async () => {
    const site = await newSite(fixture);
    const sibling = await newSite(fixture, {}, site.accountId);
    for (let i = 0; i < 5; i++)
      assert.equal((await ask(i % 2 ? site.siteKey : sibling.siteKey, "127.1.0.2")).status, 200);
    const limited = await ask(site.siteKey, "127.1.0.2");
    assert.deepEqual([limited.status, limited.body.error?.code], [429, "rate_limited"]);
    assert.match(limited.headers["retry-after"] ?? "", /^[1-9]\d*$/);
    assert.equal(limited.headers["access-control-allow-origin"], PAGE_ORIGIN);
    assert.equal((await ask(site.siteKey, "127.2.0.2")).status, 200);
    assert.equal((await ask(sibling.siteKey, "127.2.0.2")).status, 200);
    fixture.clock.advance(Number(limited.headers["retry-after"]) * 1000);
    assert.equal((await ask(site.siteKey, "127.1.0.2")).status, 200);
  });

  test("serves clients that asked for little before others once the account's total is used up", async () => {
    const site = await newSite(fixture);
    for (let i = 0; i < 12; i++)
      assert.equal((await ask(site.siteKey, `127.${i % 3}.1.2`)).status, 200);
    assert.equal((await ask(site.siteKey, "127.0.1.2")).status, 429);
    assert.equal((await ask(site.siteKey, "127.9.1.2")).status, 200);
  });

  test("does not charge visitors' networks for images that other pages load from this address", async () => {
    const site = await newSite(fixture);
    const path = `/api/v1/pow/challenge?site_key=${site.siteKey}`;
    const { origin: _, ...ownHeaders } = PAGE_HEADERS;
    const picture = { ...ownHeaders, "sec-fetch-dest": "image" };
    const pictures = [
      { ...picture, "sec-fetch-mode": "no-cors" },
      // <img crossorigin> and `shape-outside: url()` in a stranger's text on a page of the site.
      { ...picture, "sec-fetch-mode": "cors", origin: PAGE_ORIGIN },
    ];
    for (const headers of pictures) {
      for (let i = 0; i < 20; i++)
        await callApi(fixture.baseUrl, { method: "GET", path, headers, from: "127.4.0.2" });
    }
    assert.equal((await ask(site.siteKey, "127.4.0.2")).status, 200);
  });

  test("leaves another account's sites unaffected (spec 8)", async () => {
    const site = await newSite(fixture);
    for (let i = 0; i < 6; i++) await ask(site.siteKey, "127.0.0.5");
    assert.equal((await ask((await newSite(fixture)).siteKey, "127.0.0.5")).status, 200);
  });
});
