import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  NO_SCRIPT_AGENT as AGENT,
  fieldsOf,
  NO_SCRIPT_HEADERS as HEADERS,
  noScriptVisitors,
  tokenOf,
} from "@stile/testkit/contract/no-script-visitor";
import { outcomeOf, redeem } from "@stile/testkit/contract/redeem";
import { startOnEveryEngine } from "@stile/testkit/postgres/every-engine";

for (const fixture of await startOnEveryEngine({ STILE_TRUSTED_PROXIES: "127.0.0.1" })) {
  const { clock } = fixture;
  const { newAddress, show, open, send, offering, waited } = noScriptVisitors(fixture);

  suite(`without JavaScript (D18, no JavaScript), ${fixture.name}`, () => {
    test("gives a visitor who waits 30 s a token that their browser redeems once, marked, with a score of 0.30", async () => {
      const site = await offering();
      const { address, fields } = await waited(site, { action: "sign-up" });
      const shown = await send(fields, address);
      assert.deepEqual([shown.status, shown.title], [200, "Your code is ready"]);
      const call = { token: tokenOf(shown), remoteip: address, user_agent: AGENT };
      const { body } = await redeem(fixture, site, call);
      const { timestamp, challenge_ts, ...data } = body.data;
      const told = {
        score: 0.3,
        recommendation: "allow",
        hostname: "shop.example",
        action: "sign-up",
        no_script: true,
      };
      assert.deepEqual(data, { verified: true, ...told });
      assert.equal(outcomeOf(await redeem(fixture, site, call)), "token_already_used");
    });

    test("binds the token like any other, so that another network or browser can't use it (D5, binding)", async () => {
      const site = await offering();
      for (const change of [{ remoteip: newAddress() }, { user_agent: "curl/8.0" }]) {
        const { address, fields } = await waited(site);
        const token = tokenOf(await send(fields, address));
        const call = { token, remoteip: address, user_agent: AGENT, ...change };
        assert.equal(outcomeOf(await redeem(fixture, site, call)), "binding_mismatch");
      }
    });

    test("continues the same wait, to the millisecond, after a press before 30 s have passed", async () => {
      const site = await offering();
      const address = newAddress();
      const first = await open({ sitekey: site.siteKey }, address);
      assert.match(first.title, /^Please wait 30 seconds$/);
      const fields = fieldsOf(first);
      for (const [aheadMs, left] of [
        [0, "30 seconds"],
        [12_400, "18 seconds"],
        [17_599, "1 second"],
      ] as const) {
        clock.advance(aheadMs);
        const early = await send(fields, address);
        assert.deepEqual(
          [early.status, early.title, tokenOf(early)],
          [200, "Not quite yet", undefined],
        );
        assert.ok(early.text.includes(`<strong>${left}</strong>`), early.text);
        assert.deepEqual(fieldsOf(early), fields);
      }
      clock.advance(1);
      assert.ok(tokenOf(await send(fields, address)));
    });

    test("yields one token per wait, and nothing for a second press or ten at once (D3, single use)", async () => {
      const site = await offering();
      const { address, fields } = await waited(site);
      const shown = await Promise.all(Array.from({ length: 10 }, () => send(fields, address)));
      assert.equal(shown.filter((one) => tokenOf(one) !== undefined).length, 1);
      const again = await send(fields, address);
      assert.deepEqual(
        [again.status, again.title, tokenOf(again)],
        [400, "Please start again", undefined],
      );
    });

    test("accepts a wait for ten minutes and not a millisecond longer", async () => {
      const site = await offering();
      const [kept, stale] = [await waited(site), await waited(site)];
      clock.advance(600_000 - 60_001);
      assert.ok(tokenOf(await send(kept.fields, kept.address)));
      clock.advance(30_001);
      assert.equal((await send(stale.fields, stale.address)).title, "Please start again");
    });

    test("names the page's host in the token: by the link, else by Referer, else the site's first domain, never a foreign one", async () => {
      const site = await offering({ domains: ["shop.example", "pay.example"] });
      const hostnameOf = async (query: Record<string, string>, referer: string) => {
        const address = newAddress();
        const shown = await open({ sitekey: site.siteKey, ...query }, address, { referer });
        if (shown.status !== 200) return shown.title;
        clock.advance(30_000);
        const token = tokenOf(await send(fieldsOf(shown), address));
        return (await redeem(fixture, site, { token })).body.data.hostname;
      };
      assert.equal(await hostnameOf({}, "https://www.pay.example/x?y"), "www.pay.example");
      assert.equal(
        await hostnameOf({ host: "pay.example" }, "https://shop.example/sign-up"),
        "pay.example",
      );
      assert.equal(await hostnameOf({}, ""), "This link belongs to another page");
      assert.equal(
        await hostnameOf({}, "https://shop.example.evil.example/"),
        "This link belongs to another page",
      );
      assert.equal(
        await hostnameOf({ host: "evil.example" }, "https://shop.example/sign-up"),
        "This link belongs to another page",
      );
      const { address, fields } = await waited(site);
      assert.equal(
        (await send({ ...fields, host: "evil.example" }, address)).title,
        "This link belongs to another page",
      );
      const bare = await show(`/noscript?sitekey=${site.siteKey}`, {
        headers: { ...HEADERS, "x-forwarded-for": newAddress() },
      });
      assert.equal(fieldsOf(bare).host, "shop.example", "nothing tells");
    });

    test("refuses an automated-looking visitor on managed and interactive sites, and scores one on others (D9, submission)", async () => {
      const tool = { "user-agent": "python-requests/2.32" };
      for (const mode of ["managed", "interactive", "non_interactive", "invisible"] as const) {
        const site = await offering({ mode });
        const address = newAddress();
        const fields = fieldsOf(await open({ sitekey: site.siteKey }, address, tool));
        clock.advance(30_000);
        const shown = await send(fields, address, tool);
        if (mode === "managed" || mode === "interactive") {
          assert.deepEqual(
            [shown.status, shown.title, tokenOf(shown)],
            [403, "You can&#39;t get a code", undefined],
          );
          assert.ok(shown.text.includes(shown.headers.get("x-request-id") ?? "-"));
          assert.equal(
            (await send(fields, address)).title,
            "Please start again",
            "and it is spent",
          );
        } else {
          const { data } = (await redeem(fixture, site, { token: tokenOf(shown) })).body;
          assert.ok(data.verified === true && Number(data.score) >= 0.6);
        }
        const honest = await waited(site);
        assert.ok(tokenOf(await send(honest.fields, honest.address)), mode);
      }
    });

    test("lets text browsers in like any other", async () => {
      const site = await offering();
      for (const agent of [
        "Lynx/2.9.2 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.8.9",
        "w3m/0.5.3+git20230121",
        "ELinks/0.17.1",
      ]) {
        const headers = {
          "user-agent": agent,
          accept: "text/html, text/*;q=0.5",
          "accept-language": "en",
        };
        const address = newAddress();
        const fields = fieldsOf(await open({ sitekey: site.siteKey }, address, headers));
        clock.advance(30_000);
        const token = tokenOf(await send(fields, address, headers));
        assert.equal((await redeem(fixture, site, { token })).body.data.score, 0.3, agent);
      }
    });

    test("gives the token at least five minutes to live, since people carry it by hand", async () => {
      const outcomeAfter = async (tokenLifeSeconds: number, seconds: number) => {
        const site = await offering({ tokenLifeSeconds });
        const { address, fields } = await waited(site);
        const token = tokenOf(await send(fields, address));
        clock.advance(seconds * 1000);
        return outcomeOf(await redeem(fixture, site, { token }));
      };
      assert.equal(await outcomeAfter(30, 299), "verified");
      assert.equal(await outcomeAfter(30, 300), "token_expired");
      assert.equal(await outcomeAfter(900, 899), "verified");
    });

    test("shows it to the owner in statistics and decisions, with the flag that says why (spec 1, View Statistics)", async () => {
      const site = await offering();
      const { address, fields } = await waited(site, { action: "sign-up" });
      await send(fields, address);
      await send(fields, address);
      await open({ sitekey: site.siteKey }, newAddress(), { referer: "https://evil.example/" });
      await fixture.store.decisions.flush();
      const entries = await fixture.store.decisions.list({
        siteKey: site.siteKey,
        limit: 50,
        beforeId: undefined,
      });
      const reasons = entries.map((entry) => ("reason" in entry ? entry.reason : entry.outcome));
      assert.deepEqual(reasons.toSorted(), ["domain_mismatch", "solution_rejected", "token"]);
      const decision = entries.find((entry) => entry.outcome === "token");
      assert.ok(decision?.outcome === "token");
      assert.deepEqual(
        [
          decision.source,
          decision.score,
          decision.action,
          decision.host,
          decision.solveMs,
          decision.recommendation,
        ],
        ["no_script", 0.3, "sign-up", "shop.example", null, "challenge"],
      );
      assert.deepEqual(
        decision.contributions.map(({ flag }) => flag),
        ["no_script"],
      );
    });
  });
}
