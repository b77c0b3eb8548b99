import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { deleteSite } from "@stile/core/use-cases/site/delete-site";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import {
  NO_SCRIPT_AGENT as AGENT,
  fieldsOf,
  NO_SCRIPT_HEADERS as HEADERS,
  noScriptVisitors,
  type ShownPage,
  tokenOf,
} from "@stile/testkit/contract/no-script-visitor";
import { redeem } from "@stile/testkit/contract/redeem";
import { SQLITE, startInProcess } from "@stile/testkit/contract/service-fixtures";
import { newSite } from "@stile/testkit/contract/sites";
import { askChallenge, challengeOf, signalsOf, submit } from "@stile/testkit/contract/visitor";
import { startOnEveryEngine } from "@stile/testkit/postgres/every-engine";

for (const fixture of await startOnEveryEngine({ STILE_TRUSTED_PROXIES: "127.0.0.1" })) {
  const { clock } = fixture;
  const { newAddress, show, open, send, offering, waited } = noScriptVisitors(fixture);

  suite(`refusals without JavaScript (D18, no JavaScript), ${fixture.name}`, () => {
    test("accepts a wait only for its site, action, network and browser", async () => {
      const [site, other] = [await offering(), await offering()];
      const { address, fields } = await waited(site, { action: "sign-up" });
      const wrong: readonly ShownPage[] = [
        await send({ ...fields, sitekey: other.siteKey }, address),
        await send({ ...fields, action: "pay" }, address),
        await send(fields, newAddress()),
        await send(fields, address, { "user-agent": `${AGENT} Other/1` }),
      ];
      for (const { status, title } of wrong)
        assert.deepEqual([status, title], [400, "Please start again"]);
      assert.ok(tokenOf(await send(fields, address)), "no wrong call used up the wait");
    });

    test("rejects a forged wait: changed anywhere, spliced from two, cut, or a challenge of the widget", async () => {
      const site = await offering();
      const { address, fields } = await waited(site);
      const { fields: late } = await waited(site);
      const { delay = "" } = fields;
      const challenge = challengeOf(
        await askChallenge(fixture, { site_key: site.siteKey }),
      ).challenge;
      const swap = (at: number) =>
        delay.slice(0, at) + (delay[at] === "A" ? "B" : "A") + delay.slice(at + 1);
      const forged = [
        ...Array.from({ length: delay.length }, (_, at) => swap(at)),
        delay.slice(0, -24) + (late.delay ?? "").slice(-24),
        (late.delay ?? "").slice(0, 60) + delay.slice(60),
        delay.slice(1),
        `${delay}A`,
        "",
        "A".repeat(delay.length),
        challenge,
      ];
      for (const one of forged)
        assert.equal(tokenOf(await send({ ...fields, delay: one }, address)), undefined, one);
      assert.ok(tokenOf(await send(fields, address)));
    });

    test("rejects a wait that somebody solves as a challenge of the widget", async () => {
      const site = await offering();
      const { fields } = await waited(site);
      const body = {
        site_key: site.siteKey,
        challenge: fields.delay,
        solution: "A".repeat(86),
        signals: signalsOf(),
      };
      const answer = await submit(fixture, body, { headers: { "x-forwarded-for": newAddress() } });
      assert.equal(answer.body.data.next, "retry");
    });

    test("gives a network 5 tokens for waiting a minute, says how long to wait, and loses no wait (D18, no JavaScript)", async () => {
      const [site, other] = [await offering(), await offering()];
      const address = newAddress();
      const neighbour = address.replace(/7$/, "9");
      const waits: ShownPage[] = [];
      for (let i = 0; i < 5; i++) waits.push(await open({ sitekey: site.siteKey }, address));
      const last = await open({ sitekey: other.siteKey, action: "pay" }, neighbour);
      clock.advance(120_000);
      for (const wait of waits) assert.ok(tokenOf(await send(fieldsOf(wait), address)));
      const refused = await send(fieldsOf(last), neighbour);
      assert.deepEqual([refused.status, refused.title], [429, "Not quite yet"]);
      const seconds = Number(refused.headers.get("retry-after"));
      assert.ok(seconds > 0 && seconds <= 120);
      assert.ok(refused.text.includes(`${seconds} seconds`));
      const elsewhere = await waited(site);
      assert.ok(tokenOf(await send(elsewhere.fields, elsewhere.address)), "another network");
      clock.advance(seconds * 1000);
      assert.ok(tokenOf(await send(fieldsOf(refused), neighbour)), "the same wait");
    });

    test("gives all networks of a site 60 tokens for waiting a minute, and another site its own (D18, no JavaScript)", async () => {
      const [site, other] = [await offering(), await offering()];
      const waitFor = async ({ siteKey }: { siteKey: string }) => {
        const address = newAddress();
        return { address, fields: fieldsOf(await open({ sitekey: siteKey }, address)) };
      };
      const waits = [];
      for (let i = 0; i < 61; i++) waits.push(await waitFor(site));
      const elsewhere = await waitFor(other);
      clock.advance(120_000);
      const statuses = [];
      for (const { fields, address } of waits) statuses.push((await send(fields, address)).status);
      assert.deepEqual(statuses, [...new Array(60).fill(200), 429]);
      assert.equal((await send(elsewhere.fields, elsewhere.address)).status, 200);
    });

    test("takes none from others for waits that nobody submits: 60 a minute from 150 networks (D18, no JavaScript)", async () => {
      const site = await offering();
      clock.advance(120_000);
      for (let i = 0; i < 60; i++) await open({ sitekey: site.siteKey }, `198.19.${i}.7`);
      for (let i = 0; i < 15; i++) {
        const { address, fields } = await waited(site);
        assert.ok(tokenOf(await send(fields, address)), `visitor ${i}`);
        for (let more = 0; more < 30; more++)
          await open({ sitekey: site.siteKey }, `198.19.${60 + ((30 * i + more) % 90)}.7`);
      }
    });

    test("keeps few networks from using up a site's tokens: others get their share, IPv4 and IPv6, also later (D18, no JavaScript)", async () => {
      const site = await offering();
      const waitAt = async (address: string) => ({
        address,
        fields: fieldsOf(await open({ sitekey: site.siteKey }, address)),
      });
      const submitAll = async (waits: readonly Awaited<ReturnType<typeof waitAt>>[]) => {
        const statuses = [];
        for (const { fields, address } of waits)
          statuses.push((await send(fields, address)).status);
        return statuses;
      };
      const attackers = [
        ...Array.from({ length: 20 }, () => newAddress()),
        // As many networks as the attacker likes, all of one provider.
        ...Array.from({ length: 30 }, (_, at) => `2001:db8:${at}::7`),
      ];
      for (let minute = 0; minute < 3; minute++) {
        const people = [
          newAddress(),
          newAddress(),
          newAddress(),
          `2001:${100 + minute}::7`,
          newAddress(),
        ];
        const honest = await Promise.all(people.map(waitAt));
        const taken = await Promise.all(
          Array.from({ length: 5 }, () => attackers)
            .flat()
            .map(waitAt),
        );
        clock.advance(60_000);
        const given = (await submitAll(taken)).filter((status) => status === 200).length;
        assert.deepEqual(await submitAll(honest), [200, 200, 200, 200, 200], `minute ${minute}`);
        assert.ok(given + honest.length <= 60);
      }
    });

    test("charges no waits to visitors or site for pictures, frames and scripts of other pages", async () => {
      const site = await offering();
      const address = newAddress();
      for (const dest of ["image", "iframe", "script", "empty", "style"]) {
        for (let i = 0; i < 5; i++) {
          const shown = await open({ sitekey: site.siteKey }, address, { "sec-fetch-dest": dest });
          assert.equal(shown.status, 400, dest);
        }
      }
      assert.equal(
        (await open({ sitekey: site.siteKey }, address, { "sec-fetch-dest": "document" })).status,
        200,
      );
    });

    test("charges no waits for pages that have the link fetched ahead of a visit", async () => {
      const site = await offering();
      const address = newAddress();
      for (const ahead of [
        { "sec-purpose": "prefetch" },
        { "sec-purpose": "prefetch;prerender" },
        { purpose: "prefetch" },
      ]) {
        const headers = { "sec-fetch-dest": "document", ...ahead };
        for (let i = 0; i < 5; i++) {
          assert.equal(
            (await open({ sitekey: site.siteKey }, address, headers)).status,
            400,
            JSON.stringify(ahead),
          );
        }
      }
      assert.equal((await open({ sitekey: site.siteKey }, address)).status, 200);
    });

    test("offers it only on sites whose owner allows it, and stops as soon as the owner forbids it", async () => {
      const off = await newSite(fixture);
      const refused = await open({ sitekey: off.siteKey }, newAddress());
      assert.deepEqual([refused.status, refused.title], [403, "This form needs JavaScript"]);
      const site = await offering();
      const { address, fields } = await waited(site);
      await updateSite(fixture.ports, site, { noScript: "off" });
      assert.equal((await send(fields, address)).title, "This form needs JavaScript");
      await updateSite(fixture.ports, site, { noScript: "wait" });
      assert.ok(tokenOf(await send(fields, address)));
    });

    test("names the problem of disabled, deleted, unknown and malformed site keys", async () => {
      const disabled = await offering({ isEnabled: false });
      const deleted = await offering();
      await deleteSite(fixture.ports, deleted);
      const cases = [
        [{ sitekey: disabled.siteKey }, 403, "This site has no codes right now"],
        [{ sitekey: deleted.siteKey }, 404, "This link does not work"],
        [{ sitekey: `pk_${"0".repeat(22)}` }, 404, "This link does not work"],
        [{ sitekey: "nonsense" }, 404, "This link does not work"],
        [{}, 400, "This link is incomplete"],
        [{ sitekey: disabled.siteKey, action: "no action!" }, 400, "This link is incomplete"],
      ] as const;
      for (const [query, status, title] of cases) {
        const shown = await open(query, newAddress());
        assert.deepEqual([shown.status, shown.title], [status, title]);
      }
    });

    test("serves pages that run no script, load nothing from elsewhere, and are neither framed, cached nor indexed", async () => {
      const site = await offering();
      for (const shown of [
        await open({ sitekey: site.siteKey }, newAddress()),
        await open({}, newAddress()),
      ]) {
        assert.match(
          shown.headers.get("content-security-policy") ?? "",
          /^default-src 'none'; style-src 'self'; form-action 'self'/,
        );
        assert.equal(shown.headers.get("cache-control"), "no-store");
        assert.equal(shown.headers.get("x-frame-options"), "DENY");
        assert.equal(shown.headers.get("x-robots-tag"), "noindex");
        assert.match(shown.text, /<html lang="en" dir="ltr">/);
        assert.doesNotMatch(shown.text, /<script|style=|https?:|http-equiv/);
      }
    });

    test("returns a stranger's text in address and form as text, or not at all", async () => {
      const site = await offering();
      const evil = `"><b>x`;
      for (const query of [
        { sitekey: evil },
        { sitekey: site.siteKey, action: evil },
        { sitekey: site.siteKey, host: evil },
      ]) {
        const shown = await open(query, newAddress());
        assert.ok(shown.status >= 400 && !shown.text.includes("<b>x"), JSON.stringify(query));
        const sent = await send({ host: "shop.example", delay: evil, ...query }, newAddress());
        assert.ok(sent.status >= 400 && !sent.text.includes("<b>x"), JSON.stringify(query));
      }
    });

    test("puts only real host names into a token, not texts that end in a domain of the site", async () => {
      const site = await offering();
      const { address, fields } = await waited(site);
      const before = [
        '"><b>x</b>',
        "evil.example/",
        "a b",
        "me@evil.example:443",
        "%00",
        "ä".repeat(200),
        "a..b",
      ];
      for (const host of [
        ...before.map((text) => `${text}.shop.example`),
        ".shop.example",
        "shop.example/x",
        "",
      ]) {
        const shown = await send({ ...fields, host }, address);
        assert.deepEqual([shown.status, tokenOf(shown)], [400, undefined], host);
      }
      const token = tokenOf(await send({ ...fields, host: "Pay.Shop.Example." }, address));
      assert.equal((await redeem(fixture, site, { token })).body.data.hostname, "pay.shop.example");
    });

    test("refuses other methods, other bodies and too large ones with a page", async () => {
      const site = await offering();
      const { address, fields } = await waited(site);
      assert.equal((await show("/noscript", { method: "PUT", headers: HEADERS })).status, 405);
      assert.equal((await send({ ...fields, more: "x".repeat(3000) }, address)).status, 400);
      const { host, ...without } = fields;
      assert.equal(host, "shop.example");
      assert.equal((await send(without, address)).status, 400);
      const twice = `${new URLSearchParams(fields)}&delay=x`;
      const headers = { ...HEADERS, "x-forwarded-for": address };
      const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      assert.equal(
        (await show("/noscript", { method: "POST", headers: form, body: twice })).status,
        400,
      );
      const json = { ...headers, "content-type": "application/json" };
      assert.equal(
        (await show("/noscript", { method: "POST", headers: json, body: JSON.stringify(fields) }))
          .status,
        400,
      );
      const head = await show(`/noscript?sitekey=${site.siteKey}`, {
        method: "HEAD",
        headers: { ...headers, referer: "https://shop.example/sign-up" },
      });
      assert.deepEqual([head.status, head.text], [200, ""]);
    });
  });
}

test("says on the page that the store fails, and keeps the wait valid (D15, outage)", async () => {
  const fixture = await startInProcess({}, SQLITE);
  after(fixture.stop);
  await fixture.store.close();
  const url = `${fixture.baseUrl}/noscript?sitekey=pk_${"0".repeat(22)}`;
  const response = await fetch(url, { headers: HEADERS });
  assert.ok(response.status >= 500);
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(await response.text(), /<h1>The service has a problem<\/h1>/);
});

test("gives a network over its free tokens two tokens for waiting a minute, and others five (D10, limits; D18, no JavaScript)", async () => {
  const fixture = await startInProcess(
    { STILE_TRUSTED_PROXIES: "127.0.0.1", STILE_LIMIT_TOKENS: "5" },
    SQLITE,
  );
  after(fixture.stop);
  const { newAddress, open, send, offering } = noScriptVisitors(fixture);
  const site = await offering();
  const address = newAddress();
  const waits = [];
  for (let i = 0; i < 3; i++) waits.push(fieldsOf(await open({ sitekey: site.siteKey }, address)));
  const elsewhere = newAddress();
  const other = fieldsOf(await open({ sitekey: site.siteKey }, elsewhere));
  fixture.clock.advance(60_000);
  const statuses = [];
  for (const fields of waits) statuses.push((await send(fields, address)).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.ok(tokenOf(await send(other, elsewhere)));
});
