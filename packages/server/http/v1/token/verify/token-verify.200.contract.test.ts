import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { deleteSite } from "@stile/core/use-cases/site/delete-site";
import { callApi } from "@stile/testkit/contract/call";
import { outcomeOf, redeem, TOKEN_VERIFY } from "@stile/testkit/contract/redeem";
import { startFixtures } from "@stile/testkit/contract/service-fixtures";
import { MINTED_SCORE, mintToken, newSite, VISITOR } from "@stile/testkit/contract/sites";

const OTHER_ADDRESS = "198.51.100.1";
const ADDRESS_NAMES = ["remoteip", "ip", "clientIP", "client_ip"];
const AGENT_NAMES = ["user_agent", "userAgent"];
const SITE_KEY_NAMES = ["site_key", "siteKey"];

for (const fixture of await startFixtures()) {
  /** The result of redeeming a fresh token, made with `options`, with these fields. */
  const outcome = async (
    fields: object,
    options: Parameters<typeof mintToken>[2] = {},
    settings = {},
  ) => {
    const site = await newSite(fixture, settings);
    return redeem(fixture, site, { token: mintToken(fixture, site, options), ...fields });
  };

  suite(`spec 4.1 and D2 (redemption), ${fixture.name}`, () => {
    test("returns exactly the fields of spec 2.1 and the recommendation, times in ISO 8601 UTC (spec 4.1.1)", async () => {
      const site = await newSite(fixture);
      const before = fixture.ports.clock.nowMs();
      const challengeAtMs = before - 12_345;
      const token = mintToken(fixture, site, {
        challengeAtMs,
        actionName: "login",
        cdata: "order 7",
      });
      const body = {
        token,
        remoteip: VISITOR.address,
        user_agent: VISITOR.userAgent,
        site_key: site.siteKey,
      };
      const answer = await redeem(fixture, site, body);
      const { timestamp, ...data } = answer.body.data;
      const told = {
        verified: true,
        score: MINTED_SCORE,
        recommendation: "allow",
        hostname: "shop.example",
        action: "login",
        cdata: "order 7",
      };
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { success: true, data: answer.body.data });
      assert.deepEqual(data, { ...told, challenge_ts: new Date(challengeAtMs).toISOString() });
      const at = Date.parse(String(timestamp));
      assert.equal(new Date(at).toISOString(), timestamp);
      assert.ok(at >= before && at <= fixture.ports.clock.nowMs());
      assert.match(answer.headers.ratelimit ?? "", /^"verify";r=999;t=([1-9]|[1-5]\d|60)$/);
      assert.equal(answer.headers["ratelimit-policy"], '"verify";q=1000;w=60');
    });

    test("leaves out action and cdata if none was given, and returns empty ones (spec 2.1)", async () => {
      const names = async (options: object) =>
        Object.keys((await outcome({}, options)).body.data).sort();
      assert.deepEqual(await names({}), [
        "challenge_ts",
        "hostname",
        "recommendation",
        "score",
        "timestamp",
        "verified",
      ]);
      assert.ok((await names({ cdata: "" })).includes("cdata"));
    });

    for (const name of ADDRESS_NAMES) {
      test(`takes the visitor's address from ${name} (spec 4.1; D2, redemption)`, async () => {
        assert.equal(outcomeOf(await outcome({ [name]: VISITOR.address })), "verified");
        assert.equal(outcomeOf(await outcome({ [name]: OTHER_ADDRESS })), "binding_mismatch");
        assert.equal(outcomeOf(await outcome({ [name]: null })), "verified");
      });
    }

    test("takes empty optional fields as absent, as the JSON encoders of Go, C# and Java write them (D2, redemption; D5, binding)", async () => {
      const empty = {
        remoteip: "",
        ip: "",
        user_agent: "",
        site_key: "",
        idempotency_key: "",
        vendor_verdict: " ",
      };
      const answer = await outcome(empty, VISITOR);
      assert.deepEqual([outcomeOf(answer), answer.body.data.score], ["verified", MINTED_SCORE]);
      assert.equal(
        outcomeOf(await outcome({ remoteip: "", client_ip: OTHER_ADDRESS })),
        "binding_mismatch",
      );
    });

    test("takes a token with blanks and line breaks around it (D2, redemption)", async () => {
      const site = await newSite(fixture);
      const token = mintToken(fixture, site);
      assert.equal(outcomeOf(await redeem(fixture, site, { token: ` ${token}\r\n` })), "verified");
      assert.equal(outcomeOf(await redeem(fixture, site, { token })), "token_already_used");
      assert.equal(outcomeOf(await redeem(fixture, site, { token: " \n" })), "missing_token");
    });

    for (const name of AGENT_NAMES) {
      test(`takes the visitor's user agent from ${name} (D2, redemption)`, async () => {
        assert.equal(outcomeOf(await outcome({ [name]: VISITOR.userAgent })), "verified");
        assert.equal(outcomeOf(await outcome({ [name]: "curl/8.0" })), "binding_mismatch");
      });
    }

    for (const name of SITE_KEY_NAMES) {
      test(`answers site_key_mismatch to a ${name} that is not the secret's site (D2, redemption)`, async () => {
        const site = await newSite(fixture);
        const token = mintToken(fixture, site);
        assert.equal(
          outcomeOf(await redeem(fixture, site, { token, [name]: "pk_foreign" })),
          "site_key_mismatch",
        );
        assert.equal(
          outcomeOf(await redeem(fixture, site, { token, [name]: site.siteKey })),
          "verified",
        );
      });
    }

    test("ignores unlisted fields (D2, redemption)", async () => {
      assert.equal(
        outcomeOf(await outcome({ sitekey: "pk_foreign", hostname: "evil.example", score: [1] })),
        "verified",
      );
    });

    test("reveals neither score nor host name of a token to another site's secret (D2, redemption)", async () => {
      const foreign = await redeem(fixture, await newSite(fixture), {
        token: mintToken(fixture, await newSite(fixture)),
      });
      const data = {
        verified: false,
        score: 1,
        error_codes: ["invalid-input-response"],
        reasonCode: "site_key_mismatch",
      };
      assert.deepEqual(foreign.body.data, data);
    });

    test("gives a verdict on a megabyte sent as a token, and keeps the connection (D1, status and body)", async () => {
      const site = await newSite(fixture);
      for (let i = 0; i < 10; i++) {
        assert.equal(
          outcomeOf(await redeem(fixture, site, { token: "x".repeat(2 ** 20) })),
          "invalid_signature",
        );
      }
    });
  });

  suite(`order of checks (D2, redemption), ${fixture.name}`, () => {
    const call = (method: string, type: string, body: string, authorization = "") => {
      const headers = { "content-type": type, ...(authorization && { authorization }) };
      return callApi(fixture.baseUrl, { path: TOKEN_VERIFY, method, headers, body });
    };

    test("checks method, then size, then media type, then secret, then body", async () => {
      const huge = "x".repeat(20_000);
      assert.equal((await call("PUT", "text/plain", huge)).status, 405);
      assert.equal((await call("POST", "text/plain", huge)).status, 413);
      assert.equal((await call("POST", "text/plain", "{")).status, 415);
      assert.equal((await call("POST", "application/json", "{")).status, 401);
      assert.equal((await call("POST", "application/json", "{", "Bearer wrong")).status, 401);
    });

    test("checks body, token present, authentic, site exists, key matches, enabled, expiry, binding, single use", async () => {
      const wrong = { site_key: "pk_foreign", remoteip: OTHER_ADDRESS };
      const site = await newSite(fixture, { isEnabled: false });
      const gone = await newSite(fixture);
      const ofGone = mintToken(fixture, gone, { ageSeconds: 301 });
      await deleteSite(fixture.ports, gone);
      const expired = mintToken(fixture, site, { ageSeconds: 301 });
      const steps: readonly [object, string][] = [
        [{ ...wrong, user_agent: 7 }, "bad_request"],
        [wrong, "missing_token"],
        [{ ...wrong, token: "x" }, "invalid_signature"],
        [{ ...wrong, token: ofGone }, "invalid_site_key"],
        [{ ...wrong, token: mintToken(fixture, await newSite(fixture)) }, "site_key_mismatch"],
        [{ ...wrong, token: expired }, "site_key_mismatch"],
        [{ token: expired, remoteip: OTHER_ADDRESS }, "site_disabled"],
      ];
      for (const [body, expected] of steps)
        assert.equal(outcomeOf(await redeem(fixture, site, body)), expected);
      const open = await newSite(fixture);
      const late = mintToken(fixture, open, { ageSeconds: 301 });
      const spent = mintToken(fixture, open);
      await redeem(fixture, open, { token: spent });
      const bound = { remoteip: OTHER_ADDRESS };
      assert.equal(
        outcomeOf(await redeem(fixture, open, { token: late, ...bound })),
        "token_expired",
      );
      assert.equal(
        outcomeOf(await redeem(fixture, open, { token: spent, ...bound })),
        "binding_mismatch",
      );
    });

    test("refuses the text of a widget that could not reach the service, and returns it (D15, outage)", async () => {
      const { body } = await redeem(fixture, await newSite(fixture), { token: "unavailable" });
      assert.deepEqual(
        [body.data.verified, body.reasonCode, body.data.response],
        [false, "missing_token", "unavailable"],
      );
    });

    test("spends no token in a refused attempt", async () => {
      const [site, other] = [await newSite(fixture), await newSite(fixture)];
      const token = mintToken(fixture, site);
      assert.equal(
        outcomeOf(await redeem(fixture, site, { token, remoteip: OTHER_ADDRESS })),
        "binding_mismatch",
      );
      assert.equal(
        outcomeOf(await redeem(fixture, site, { token, site_key: "pk_x" })),
        "site_key_mismatch",
      );
      assert.equal(outcomeOf(await redeem(fixture, other, { token })), "site_key_mismatch");
      assert.equal(
        outcomeOf(await redeem(fixture, site, { token, remoteip: VISITOR.address })),
        "verified",
      );
    });
  });

  suite(`exact repeats (D2, redemption), ${fixture.name}`, () => {
    const key = randomBytes(16).toString("hex");

    test("repeats the verdict for the exact call that spent the token, and for no other call", async () => {
      const site = await newSite(fixture);
      const body = {
        token: mintToken(fixture, site),
        idempotency_key: key,
        remoteip: VISITOR.address,
      };
      const first = await redeem(fixture, site, body);
      assert.deepEqual((await redeem(fixture, site, body)).body, first.body);
      assert.equal(first.body.data.verified, true);
      for (const change of [
        { remoteip: undefined },
        { idempotency_key: `${key}x` },
        { user_agent: VISITOR.userAgent },
      ]) {
        assert.equal(
          outcomeOf(await redeem(fixture, site, { ...body, ...change })),
          "token_already_used",
        );
      }
    });

    test("takes keys of 16 to 64 characters", async () => {
      for (const [length, expected] of [
        [15, "bad_request"],
        [16, "verified"],
        [64, "verified"],
        [65, "bad_request"],
      ] as const) {
        assert.equal(outcomeOf(await outcome({ idempotency_key: "k".repeat(length) })), expected);
      }
    });

    test("ignores a key that equals the token", async () => {
      const site = await newSite(fixture);
      const token = mintToken(fixture, site);
      assert.equal(
        outcomeOf(await redeem(fixture, site, { token, idempotency_key: token })),
        "verified",
      );
      assert.equal(
        outcomeOf(await redeem(fixture, site, { token, idempotency_key: token })),
        "token_already_used",
      );
    });

    test("ignores a key that equals the token apart from blanks around either (D2, redemption)", async () => {
      const site = await newSite(fixture);
      for (const [before, after] of [
        ["", "\n"],
        ["\n", ""],
      ]) {
        const token = mintToken(fixture, site);
        const body = { token: `${token}${before}`, idempotency_key: `${token}${after}` };
        assert.equal(outcomeOf(await redeem(fixture, site, body)), "verified");
        assert.equal(outcomeOf(await redeem(fixture, site, body)), "token_already_used");
      }
    });
  });

  suite(`binding (D5, binding), ${fixture.name}`, () => {
    const CASES: readonly {
      readonly fields: object;
      readonly strict: string;
      readonly options?: object;
    }[] = [
      { fields: { ip: "203.0.113.250" }, strict: "verified" },
      { fields: { ip: "::ffff:203.0.113.9" }, strict: "verified" },
      { fields: { ip: "203.0.114.7" }, strict: "binding_mismatch" },
      { fields: { ip: "unknown" }, strict: "verified, raised" },
      { fields: { ip: "" }, strict: "verified" },
      { fields: { ip: "203.0.113.9:49152" }, strict: "verified" },
      { fields: { ip: " 203.0.113.9 " }, strict: "verified" },
      { fields: { ip: "203.0.113.9, 198.51.100.1" }, strict: "verified" },
      { fields: { ip: "198.51.100.1, 203.0.113.9" }, strict: "binding_mismatch" },
      {
        fields: { ip: "[2001:db8::1%eth0]:443" },
        options: { address: "2001:db8::1" },
        strict: "verified",
      },
      { fields: { ip: "2001:db8::1" }, strict: "verified, raised" },
      { fields: { user_agent: "curl/8.0" }, strict: "binding_mismatch" },
      {
        fields: { ip: "2001:db8:0:ffff::1" },
        options: { address: "2001:db8::1" },
        strict: "verified",
      },
      {
        fields: { ip: "2001:db8:1::1" },
        options: { address: "2001:db8::1" },
        strict: "binding_mismatch",
      },
      { fields: { ip: "203.0.114.7" }, options: { address: null }, strict: "verified" },
    ];
    const say = (answer: Awaited<ReturnType<typeof outcome>>): string =>
      outcomeOf(answer) + (Number(answer.body.data.score) > MINTED_SCORE ? ", raised" : "");

    for (const { fields, options, strict } of CASES) {
      const bound = { ...VISITOR, ...options };
      test(`${JSON.stringify(fields)} for a token of ${bound.address}: strict ${strict}`, async () => {
        const flagged = strict === "verified" ? "verified" : "verified, raised";
        assert.equal(say(await outcome(fields, options)), strict);
        assert.equal(say(await outcome(fields, options, { binding: "flag" })), flagged);
        assert.equal(say(await outcome(fields, options, { binding: "off" })), "verified");
      });
    }
  });
}
