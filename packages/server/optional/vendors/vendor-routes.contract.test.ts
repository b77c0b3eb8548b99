import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { toDecisionId } from "@stile/core/domain/statistics/decision";
import { updateSite } from "@stile/core/use-cases/site/update-site";
import { secretKeyChecksum } from "@stile/protocol/key-formats";
import { RATE_LIMITS } from "@stile/protocol/limits";
import { outcomeOf, redeem } from "@stile/testkit/contract/redeem";
import { holdDatabase } from "@stile/testkit/contract/second-process";
import {
  type ServiceFixture,
  startFixtures,
  startInOwnProcess,
  startInProcess,
} from "@stile/testkit/contract/service-fixtures";
import { MINTED_SCORE, mintToken, newSite, VISITOR } from "@stile/testkit/contract/sites";
import { DIALECTS } from "./dialects.ts";

const [RECAPTCHA = "", HCAPTCHA = "", TURNSTILE = "", FRIENDLY = ""] = DIALECTS.map(
  ({ path }) => path,
);
const ENTERPRISE = "/v1/projects/shop-1/assessments";
const PATHS = [RECAPTCHA, HCAPTCHA, TURNSTILE, FRIENDLY] as const;
const UNKNOWN = `sk_${"A".repeat(43)}`;
const KEY_THAT_NOBODY_HAS = UNKNOWN + secretKeyChecksum(UNKNOWN);
const FORM = "application/x-www-form-urlencoded";

type Answered = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: five vendors have five shapes.
  readonly body: any;
};

async function read(response: Response): Promise<Answered> {
  assert.match(response.headers.get("content-type") ?? "", /^application\/json(;|$)/);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("access-control-allow-origin"), null);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** How a call's fields are sent. */
const SENDERS = {
  form: (url: string, fields: Record<string, string>, headers = {}) =>
    fetch(url, { method: "POST", body: new URLSearchParams(fields), headers }),
  multipart: (url: string, fields: Record<string, string>, headers = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return fetch(url, { method: "POST", body, headers });
  },
  json: (url: string, fields: Record<string, string>, headers = {}) =>
    fetch(url, {
      method: "POST",
      body: JSON.stringify(fields),
      headers: { "content-type": "application/json", ...headers },
    }),
  get: (url: string, fields: Record<string, string>, headers = {}) =>
    fetch(`${url}?${new URLSearchParams(fields)}`, { headers }),
} as const;

/** Calls a dialect as its libraries do. */
async function call(
  { baseUrl }: Pick<ServiceFixture, "baseUrl">,
  path: string,
  { secret = "", ...fields }: Record<string, string>,
  how: keyof typeof SENDERS = "form",
): Promise<Answered> {
  const url = baseUrl + path;
  if (path === FRIENDLY)
    return read(await SENDERS[how](url, fields, secret ? { "x-api-key": secret } : {}));
  if (path !== ENTERPRISE)
    return read(await SENDERS[how](url, { ...fields, ...(secret && { secret }) }));
  const { response: token = "", remoteip: userIpAddress, sitekey: siteKey } = fields;
  const body = JSON.stringify({ event: { token, userIpAddress, siteKey } });
  const headers = { "content-type": "application/json" };
  return read(await fetch(`${url}?key=${secret}`, { method: "POST", body, headers }));
}

const codeOf = ({ body }: Answered): string =>
  body["error-codes"]?.[0] ?? body.error?.error_code ?? body.tokenProperties?.invalidReason;
const isAccepted = ({ body }: Answered): boolean =>
  body.success === true || body.tokenProperties?.valid === true;

for (const fixture of await startFixtures()) {
  suite(`the calls of other vendors' libraries, ${fixture.name}`, () => {
    for (const path of [...PATHS, ENTERPRISE]) {
      test(`${path} accepts a token once, and no path accepts it again`, async () => {
        const { secretKey: secret, ...site } = await newSite(fixture);
        const response = mintToken(fixture, site);
        const first = await call(fixture, path, { secret, response, remoteip: VISITOR.address });
        assert.deepEqual([first.status, isAccepted(first)], [200, true]);
        for (const again of [...PATHS, ENTERPRISE])
          assert.equal(isAccepted(await call(fixture, again, { secret, response })), false, again);
        const native = await redeem(fixture, { ...site, secretKey: secret }, { token: response });
        assert.equal(outcomeOf(native), "token_already_used");
      });

      test(`${path} answers 200 without a success to everything that a visitor can cause`, async () => {
        const { secretKey: secret, ...site } = await newSite(fixture);
        const used = mintToken(fixture, site);
        await call(fixture, path, { secret, response: used });
        const token = mintToken(fixture, site);
        const causes = {
          empty: "",
          blank: " ",
          forged: `${token.slice(0, 60)}${token[60] === "A" ? "B" : "A"}${token.slice(61)}`,
          expired: mintToken(fixture, site, { ageSeconds: 301 }),
          used,
          foreign: mintToken(fixture, await newSite(fixture)),
          "5,000 characters": "x".repeat(5000),
          "20,000 characters": "x".repeat(20_000),
          "1,000 escapes": "ä".repeat(500),
          "a byte order mark and zeros": "\ufeff\u0000\ud800",
          "the word of a widget without a token": "pending",
        };
        for (const [cause, response] of Object.entries(causes)) {
          const answer = await call(fixture, path, { secret, response });
          assert.deepEqual([answer.status, isAccepted(answer)], [200, false], cause);
          assert.match(codeOf(answer), /^[\w-]{4,40}$/, cause);
        }
        const elsewhere = { secret, response: token, remoteip: "198.51.100.1" };
        assert.equal(isAccepted(await call(fixture, path, elsewhere)), false);
        assert.equal(isAccepted(await call(fixture, path, { secret, response: token })), true);
      });

      test(`${path} looks at no token without the site's secret key`, async () => {
        const { secretKey: secret, ...site } = await newSite(fixture);
        const response = mintToken(fixture, site);
        const seen = [];
        for (const wrong of ["", "x", KEY_THAT_NOBODY_HAS, `${secret}x`]) {
          const [valid, forged] = [
            await call(fixture, path, { secret: wrong, response }),
            await call(fixture, path, { secret: wrong, response: "x" }),
          ];
          assert.equal(isAccepted(valid), false);
          assert.deepEqual({ ...valid.body, event: 0 }, { ...forged.body, event: 0 });
          seen.push(valid.status);
        }
        assert.deepEqual(new Set(seen), new Set([path === ENTERPRISE ? 403 : 200]));
        assert.equal(isAccepted(await call(fixture, path, { secret, response })), true);
      });

      test(`${path} says the same about every token of another site, as token/verify does`, async () => {
        const { secretKey, ...owner } = await newSite(fixture);
        const used = mintToken(fixture, owner);
        await redeem(fixture, { ...owner, secretKey }, { token: used });
        const tokens = [
          mintToken(fixture, owner),
          used,
          mintToken(fixture, owner, { ageSeconds: 301 }),
          mintToken(fixture, owner, { score: 0.7, actionName: "login", cdata: "order 7" }),
        ];
        const stranger = await newSite(fixture);
        const said = new Set<string>();
        const native = new Set<string>();
        for (const response of tokens) {
          const answer = await call(fixture, path, { secret: stranger.secretKey, response });
          assert.equal(isAccepted(answer), false);
          const { event: _, ...body } = answer.body;
          said.add(JSON.stringify([answer.status, body]));
          native.add(outcomeOf(await redeem(fixture, stranger, { token: response })));
        }
        assert.deepEqual([said.size, [...native]], [1, ["site_key_mismatch"]]);
        assert.doesNotMatch([...said].join(), /shop\.example|score":0\./);
        const [fresh = ""] = tokens;
        assert.equal(
          isAccepted(await call(fixture, path, { secret: secretKey, response: fresh })),
          true,
        );
      });
    }

    test("answers in reCAPTCHA's fields, those of v3 only if the token has an action", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      const v2 = await call(fixture, RECAPTCHA, { secret, response: mintToken(fixture, site) });
      const { challenge_ts, stile, ...told } = v2.body;
      assert.equal(new Date(challenge_ts).toISOString(), challenge_ts);
      assert.deepEqual(told, { success: true, hostname: "shop.example" });
      assert.deepEqual(stile, { score: MINTED_SCORE, recommendation: "allow" });
      const response = mintToken(fixture, site, { actionName: "login" });
      const { body } = await call(fixture, RECAPTCHA, { secret, response });
      assert.deepEqual([body.score, body.action], [1 - MINTED_SCORE, "login"]);
    });

    test("answers in the fields of hCaptcha, Turnstile, Friendly Captcha and reCAPTCHA Enterprise", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      const ask = async (path: string) => {
        const response = mintToken(fixture, site, { actionName: "login", cdata: "order 7" });
        const { body } = await call(fixture, path, { secret, response });
        return body;
      };
      const { challenge_ts, stile, ...hcaptcha } = await ask(HCAPTCHA);
      assert.deepEqual(hcaptcha, { success: true, hostname: "shop.example" });
      const { challenge_ts: time, stile: _, ...turnstile } = await ask(TURNSTILE);
      assert.deepEqual(turnstile, {
        success: true,
        hostname: "shop.example",
        action: "login",
        cdata: "order 7",
        "error-codes": [],
      });
      const friendly = await ask(FRIENDLY);
      assert.equal(friendly.data.challenge.origin, "shop.example");
      const enterprise = await ask(ENTERPRISE);
      assert.match(enterprise.name, /^projects\/shop-1\/assessments\/[0-9a-f]{13}$/);
      assert.deepEqual(enterprise.riskAnalysis, { score: 1 - MINTED_SCORE, reasons: [] });
      const { valid, action, hostname } = enterprise.tokenProperties;
      assert.deepEqual([valid, action, hostname], [true, "login", "shop.example"]);
    });

    test("takes any project's name, also one of a Google domain", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      for (const project of ["example.com:shop", "1234567890", "a%20b"]) {
        const path = `/v1/projects/${project}/assessments`;
        const headers = { "content-type": "application/json", "x-goog-api-key": secret };
        const body = JSON.stringify({ event: { token: mintToken(fixture, site) } });
        const answer = await read(
          await fetch(fixture.baseUrl + path, { method: "POST", headers, body }),
        );
        assert.equal(isAccepted(answer), true, project);
        assert.ok(answer.body.name.startsWith(path.slice("/v1/".length)), answer.body.name);
      }
    });

    test("answers a body of 1 MiB in the dialect", async () => {
      const { secretKey: secret } = await newSite(fixture);
      for (const path of [...PATHS, ENTERPRISE]) {
        const answer = await call(fixture, path, { secret, response: "x".repeat(1_048_576) });
        assert.deepEqual([answer.status, isAccepted(answer)], [200, false], path);
      }
    });

    test("uses each vendor's own error codes", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      const used = mintToken(fixture, site);
      await call(fixture, RECAPTCHA, { secret, response: used });
      const calls = [
        {},
        { secret: KEY_THAT_NOBODY_HAS, response: used },
        { secret },
        { secret, response: "x" },
        { secret, response: mintToken(fixture, site, { ageSeconds: 301 }) },
        { secret, response: used },
        { secret, response: mintToken(fixture, await newSite(fixture)) },
      ] as const;
      const codes = async (path: string) => {
        const found = [];
        for (const fields of calls) found.push(codeOf(await call(fixture, path, fields)));
        return found;
      };
      const common = [
        "missing-input-secret",
        "invalid-input-secret",
        "missing-input-response",
        "invalid-input-response",
      ];
      const late = "timeout-or-duplicate";
      assert.deepEqual(await codes(RECAPTCHA), [...common, late, late, "invalid-input-response"]);
      assert.deepEqual(await codes(TURNSTILE), [...common, late, late, "invalid-input-response"]);
      assert.deepEqual(await codes(HCAPTCHA), [
        ...common,
        "expired-input-response",
        "already-seen-response",
        "sitekey-secret-mismatch",
      ]);
      assert.deepEqual(await codes(FRIENDLY), [
        "auth_required",
        "auth_invalid",
        "response_missing",
        "response_invalid",
        "response_timeout",
        "response_duplicate",
        "sitekey_invalid",
      ]);
      const enterprise = [];
      for (const fields of calls.slice(2))
        enterprise.push(codeOf(await call(fixture, ENTERPRISE, fields)));
      assert.deepEqual(enterprise, ["MISSING", "MALFORMED", "EXPIRED", "DUPE", "MALFORMED"]);
    });

    test("takes a form, JSON and multipart at each path, and GET only as reCAPTCHA's gem sends it", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      for (const path of PATHS) {
        for (const how of ["form", "json", "multipart"] as const) {
          const response = mintToken(fixture, site);
          const answer = await call(fixture, path, { secret, response, version: "1" }, how);
          assert.equal(isAccepted(answer), true, `${path} ${how}`);
        }
        const response = mintToken(fixture, site);
        const answer = await call(fixture, path, { secret, response }, "get");
        assert.equal(isAccepted(answer), path === RECAPTCHA, `${path} get`);
      }
      const response = mintToken(fixture, site);
      const url = `${fixture.baseUrl}${RECAPTCHA}?${new URLSearchParams({ secret, response })}`;
      for (const method of ["HEAD", "PUT", "DELETE"])
        assert.equal((await fetch(url, { method })).status, 404, method);
      assert.equal(isAccepted(await call(fixture, RECAPTCHA, { secret, response })), true);
    });

    test("lets no visitor replace the secret key of a server that joins its call from texts", async () => {
      const { secretKey: secret } = await newSite(fixture);
      const evil = await newSite(fixture);
      const injected = `${mintToken(fixture, evil)}&secret=${evil.secretKey}`;
      const text = `secret=${secret}&response=${injected}`;
      const headers = { "content-type": FORM };
      for (const response of [
        await fetch(`${fixture.baseUrl}${RECAPTCHA}?${text}`),
        ...(await Promise.all(
          PATHS.slice(0, 3).map((path) =>
            fetch(fixture.baseUrl + path, { method: "POST", body: text, headers }),
          ),
        )),
      ]) {
        const { status, body } = await read(response);
        assert.deepEqual([status, body.success], [200, false]);
      }
    });

    test("accepts a score that reaches the challenge threshold only if the visitor could be asked", async () => {
      for (const [mode, accepted] of [
        ["managed", true],
        ["interactive", true],
        ["non_interactive", false],
        ["invisible", false],
      ] as const) {
        const { secretKey: secret, ...site } = await newSite(fixture, { mode });
        for (const path of PATHS) {
          const ask = (score: number, more = {}) =>
            call(fixture, path, {
              secret,
              response: mintToken(fixture, site, { mode, score, ...more }),
            });
          assert.equal(isAccepted(await ask(0.29)), true, `${mode} ${path}`);
          assert.equal(isAccepted(await ask(0.3)), accepted, `${mode} ${path}`);
          // A visitor can add an action to any page's widget.
          const doubtful = await ask(0.3, { actionName: "login" });
          assert.equal(isAccepted(doubtful), accepted, `${mode} ${path} with an action`);
          assert.equal(isAccepted(await ask(0.6)), false, `${mode} ${path}`);
        }
      }
    });

    test("reads a multipart body as libraries write it, with no part twice and no more than 32", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      const ask = async (
        write: (token: string) => readonly string[],
        type = "multipart/form-data; boundary=b-1",
      ) => {
        const parts = write(mintToken(fixture, site)).map((part) => `--b-1\r\n${part}\r\n`);
        const body = `${parts.join("")}--b-1--\r\n`;
        const headers = { "content-type": type };
        return isAccepted(
          await read(await fetch(fixture.baseUrl + HCAPTCHA, { method: "POST", headers, body })),
        );
      };
      const part = (name: string, value: string) =>
        `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
      const both = (token: string) => [part("secret", secret), part("response", token)];
      const more = (count: number) =>
        Array.from({ length: count }, (_, at) => part(`more${at}`, ""));
      assert.equal(await ask(both), true);
      assert.equal(await ask(both, 'Multipart/Form-Data; charset=utf-8; boundary="b-1"'), true);
      assert.equal(await ask((token) => [...both(token), ...more(30)]), true);
      assert.equal(
        await ask((token) => both(token).map((one) => `Content-Length: 9\r\n${one}`)),
        true,
      );
      assert.equal(await ask((token) => [...both(token), ...more(31)]), false);
      assert.equal(await ask((token) => [...both(token), part("secret", secret)]), false);
      assert.equal(await ask((token) => [...both(token), "no header"]), false);
      assert.equal(await ask(both, "multipart/form-data"), false);
      assert.equal(await ask(both, "multipart/form-data; boundary=b-2"), false);
    });

    test("asks for the secret key first where a header has it, and then for a readable body", async () => {
      const { secretKey: secret } = await newSite(fixture);
      for (const [path, statuses, codes] of [
        [FRIENDLY, [200, 200, 200], ["auth_required", "auth_invalid", "bad_request"]],
        [ENTERPRISE, [403, 403, 200], [403, 403, "MALFORMED"]],
        [`${ENTERPRISE}/0123456789abc:annotate`, [403, 403, 400], [403, 403, 400]],
      ] as const) {
        const answers = [];
        for (const key of ["", KEY_THAT_NOBODY_HAS, secret]) {
          const headers = { "x-api-key": key, "x-goog-api-key": key, "content-type": FORM };
          const body = "a=1&a=2";
          answers.push(
            await read(await fetch(fixture.baseUrl + path, { method: "POST", headers, body })),
          );
        }
        assert.deepEqual(
          answers.map(({ status }) => status),
          statuses,
          path,
        );
        assert.deepEqual(
          answers.map((one) => codeOf(one) ?? one.body.error.code),
          codes,
          path,
        );
      }
    });

    test("repeats an answer to Turnstile's idempotency key, and to no other vendor's", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      const key = crypto.randomUUID();
      for (const path of PATHS) {
        const fields = { secret, response: mintToken(fixture, site), idempotency_key: key };
        assert.equal(isAccepted(await call(fixture, path, fields)), true, path);
        assert.equal(isAccepted(await call(fixture, path, fields)), path === TURNSTILE, path);
        const short = { secret, response: mintToken(fixture, site), idempotency_key: "1" };
        assert.equal(isAccepted(await call(fixture, path, short)), true, path);
        assert.equal(isAccepted(await call(fixture, path, short)), false, path);
      }
    });

    test("answers 200 without a success over the site's limit, which a visitor can use up", async () => {
      for (const path of PATHS) {
        const { secretKey: secret, ...site } = await newSite(fixture, { verifyPerMinute: 1 });
        await call(fixture, path, { secret, response: "x" });
        const refused = await call(fixture, path, { secret, response: "x" });
        await call(fixture, path, { secret, response: mintToken(fixture, site) });
        const fresh = await call(fixture, path, { secret, response: mintToken(fixture, site) });
        for (const { status, body, headers } of [refused, fresh]) {
          assert.deepEqual([status, body.success], [200, false], path);
          assert.equal(body.stile.reason_code, "rate_limited");
          assert.match(headers.get("retry-after") ?? "", /^\d+$/);
        }
      }
    });

    test("refuses a disabled site", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      const response = mintToken(fixture, site);
      await updateSite(fixture.ports, site, { isEnabled: false });
      for (const path of PATHS)
        assert.equal(isAccepted(await call(fixture, path, { secret, response })), false, path);
    });

    test("labels the decision that an assessment is about, if one visit alone was scored at its moment", async () => {
      const { secretKey: secret, ...site } = await newSite(fixture);
      const atMs = fixture.ports.clock.nowMs() - 1000;
      const decide = (id: number): void =>
        fixture.store.decisions.append({
          siteKey: site.siteKey,
          decisionId: toDecisionId(atMs, Uint8Array.of(0, 0, 0, id)),
          requestId: crypto.randomUUID(),
          atMs,
          source: "widget",
          outcome: "token",
          recommendation: "allow",
          score: MINTED_SCORE,
          action: null,
          host: "shop.example",
          contributions: [],
          device: "desktop",
          solveMs: 900,
          label: null,
        });
      const { body } = await call(fixture, ENTERPRISE, {
        secret,
        response: mintToken(fixture, site, { challengeAtMs: atMs }),
      });
      const annotate = (annotation: string, key = secret) =>
        fetch(`${fixture.baseUrl}/v1/${body.name}:annotate?key=${key}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ annotation }),
        });
      assert.equal((await annotate("FRAUDULENT")).status, 404);
      decide(1);
      await fixture.store.decisions.flush();
      assert.equal((await annotate("FRAUDULENT")).status, 200);
      const query = { siteKey: site.siteKey, limit: 9 };
      const labels = (await fixture.store.decisions.list(query)).map(
        (one) => "label" in one && one.label,
      );
      assert.deepEqual(labels, ["bot"]);
      const [entry] = await fixture.store.auditLog.list(site.accountId, { limit: 1 });
      assert.deepEqual(
        [entry?.action, entry?.actor.name],
        ["decision_labelled", "site's secret key"],
      );
      decide(2);
      await fixture.store.decisions.flush();
      assert.equal((await annotate("LEGITIMATE")).status, 404);
      assert.equal((await annotate("FRAUDULENT", KEY_THAT_NOBODY_HAS)).status, 403);
      assert.equal((await annotate("ANNOTATION_UNSPECIFIED")).status, 400);
    });
  });
}

suite("calls of other vendors' libraries whose time the test sets", async () => {
  const fixture = await startInProcess({ STILE_TRUSTED_PROXIES: "127.0.0.1" });
  test.after(fixture.stop);

  test("repeats an answer to Turnstile's key for 10 s, since a token may bring one along", async () => {
    const { secretKey: secret, ...site } = await newSite(fixture);
    const token = mintToken(fixture, site);
    const body = `secret=${secret}&response=${token}&idempotency_key=${"a".repeat(20)}`;
    const ask = async () => {
      const headers = { "content-type": FORM };
      const url = fixture.baseUrl + TURNSTILE;
      return isAccepted(await read(await fetch(url, { method: "POST", headers, body })));
    };
    assert.equal(await ask(), true);
    fixture.clock.advance(9_999);
    assert.equal(await ask(), true);
    fixture.clock.advance(1);
    assert.equal(await ask(), false);
  });

  test("answers 429 after 60 wrong keys in headers, however unreadable the bodies are", async () => {
    for (const [at, path] of [FRIENDLY, ENTERPRISE].entries()) {
      const headers = {
        "x-api-key": KEY_THAT_NOBODY_HAS,
        "x-goog-api-key": KEY_THAT_NOBODY_HAS,
        "content-type": "multipart/form-data; boundary=b",
        "x-forwarded-for": `203.0.113.${at}`,
      };
      const statuses = [];
      for (let call = 0; call <= RATE_LIMITS.wrongSecret.perMinute; call++) {
        const { status } = await fetch(fixture.baseUrl + path, {
          method: "POST",
          headers,
          body: "--b\r\n",
        });
        statuses.push(status);
      }
      assert.deepEqual([statuses.at(-2), statuses.at(-1)], [path === FRIENDLY ? 200 : 403, 429]);
    }
  });
});

suite("secrets in a query, own process", async () => {
  const fixture = await startInOwnProcess({ STILE_LOG_LEVEL: "debug" });
  test.after(fixture.stop);

  test("reach neither the log nor the audit log, whatever becomes of the call", async () => {
    const { secretKey: secret, ...site } = await newSite(fixture);
    const response = mintToken(fixture, site);
    const get = async (fields: Record<string, string>, more = "") =>
      (await fetch(`${fixture.baseUrl}${RECAPTCHA}?${new URLSearchParams(fields)}${more}`)).status;
    const statuses = [
      await get({ secret, response }),
      await get({ secret, response }),
      await get({ secret, response }, `&secret=${secret}`),
      await get({ secret, response: "x".repeat(9000) }),
    ];
    const holder = await holdDatabase(fixture.databaseFile ?? "");
    statuses.push(await get({ secret, response: mintToken(fixture, site) }));
    await holder.release();
    assert.deepEqual(statuses, [200, 200, 200, 431, 503]);
    for (let i = 0; i <= RATE_LIMITS.wrongSecret.perMinute; i++)
      statuses.push(await get({ secret: KEY_THAT_NOBODY_HAS, response }));
    assert.equal(statuses.at(-1), 429);
    assert.match(fixture.log(), /The store failed or did not answer/);
    for (const text of [secret, KEY_THAT_NOBODY_HAS, response])
      assert.ok(!fixture.log().includes(text.slice(0, 20)), "the log");
    const audit = JSON.stringify(await fixture.store.auditLog.list(site.accountId, { limit: 100 }));
    assert.ok(!audit.includes(secret.slice(0, 20)), "the audit log");
  });

  test("answers a fault in the dialect, without a success", async () => {
    const { secretKey: secret, ...site } = await newSite(fixture);
    const responses = [...PATHS, ENTERPRISE].map(() => mintToken(fixture, site));
    const holder = await holdDatabase(fixture.databaseFile ?? "");
    const answers = await Promise.all(
      [...PATHS, ENTERPRISE].map((path, at) =>
        call(fixture, path, { secret, response: responses[at] ?? "" }),
      ),
    );
    await holder.release();
    for (const answer of answers) {
      assert.deepEqual([answer.status, isAccepted(answer)], [503, false]);
      assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
    }
  });
});
