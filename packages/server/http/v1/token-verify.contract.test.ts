import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deleteSite } from "@stile/core/flows/delete-site";
import { updateSite } from "@stile/core/flows/update-site";
import type { ApiErrorCode } from "@stile/protocol/api-error-codes";
import { secretKeyChecksum } from "@stile/protocol/key-formats";
import { REASON_CODES, type ReasonCode } from "@stile/protocol/reason-codes";
import { VERIFY_ERROR_CODES, type VerifyErrorCode } from "@stile/protocol/verify-error-codes";
import { type ApiAnswer, callApi } from "../../fixtures/call.ts";
import { type Ground, startGrounds } from "../../fixtures/grounds.ts";
import { bearer, redeem, TOKEN_VERIFY } from "../../fixtures/redeem.ts";
import { holdDatabase } from "../../fixtures/second-process.ts";
import { MINTED_SCORE, mintToken, newSite } from "../../fixtures/sites.ts";

/** A row of the table of D2 that is no success: how to get there, and what stands in it. */
type Row = {
  readonly situation: string;
  readonly send: (ground: Ground) => Promise<ApiAnswer>;
  readonly status: number;
  readonly success: boolean;
  readonly score: number;
  readonly reasonCode?: ReasonCode;
  readonly errorCodes: readonly VerifyErrorCode[];
  readonly errorCode?: ApiErrorCode;
  readonly headers?: Readonly<Record<string, string | RegExp>>;
};

const UNKNOWN_BODY = `sk_${"A".repeat(43)}`;
const KEY_THAT_NOBODY_HAS = UNKNOWN_BODY + secretKeyChecksum(UNKNOWN_BODY);

/** A body with the token of the given options, of the site that redeems. */
const own =
  (options: Parameters<typeof mintToken>[2], more: object = {}) =>
  async (ground: Ground): Promise<ApiAnswer> => {
    const site = await newSite(ground);
    return redeem(ground, site, { token: mintToken(ground, site, options), ...more });
  };

const withBody =
  (body: object | string | Uint8Array) =>
  async (ground: Ground): Promise<ApiAnswer> =>
    redeem(ground, await newSite(ground), body);

/** The same call without a secret key of any site. */
const withoutKey =
  (body: object | string, headers: Readonly<Record<string, string>> = {}) =>
  (ground: Ground): Promise<ApiAnswer> =>
    callApi(ground.baseUrl, { path: TOKEN_VERIFY, body, headers });

const refused = (reasonCode: ReasonCode, score = 1) => ({
  status: 200,
  success: true,
  score,
  reasonCode,
  errorCodes: REASON_CODES[reasonCode].errorCodes,
  headers: { ratelimit: /^"verify";r=\d+;t=\d+$/, "ratelimit-policy": '"verify";q=1000;w=60' },
});
const badCall = (status: number, errorCode: ApiErrorCode, success = true) => ({
  status,
  success,
  score: 1,
  errorCodes: ["bad-request"] as const,
  errorCode,
});
const wrongKey = {
  status: 401,
  success: true,
  score: 1,
  reasonCode: "invalid_secret",
  errorCodes: ["invalid-input-secret"],
  errorCode: "invalid_secret",
  headers: { "www-authenticate": 'Bearer error="invalid_token"' },
} as const;
const noKey = {
  ...wrongKey,
  errorCodes: ["missing-input-secret"],
  errorCode: "missing_secret",
  headers: { "www-authenticate": "Bearer" },
} as const;

function respell(token: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(token.at(-1) ?? "");
  return token.slice(0, -1) + alphabet[last ^ 1];
}

const ROWS: readonly Row[] = [
  ...[{}, { token: "" }, { token: 7 }, { token: null }, { token: ["x"] }, { token: { a: "b" } }].map((body) => ({
    situation: `missing token: ${JSON.stringify(body)}`,
    send: withBody(body),
    ...refused("missing_token"),
  })),
  ...["x", "!".repeat(300), "A".repeat(2048), "A".repeat(2049), "\u0000", "ünïcödé"].map((token) => ({
    situation: `malformed token: ${JSON.stringify(token.slice(0, 8))} (${token.length} characters)`,
    send: withBody({ token }),
    ...refused("invalid_signature"),
  })),
  {
    situation: "token with one character changed",
    send: async (ground) => {
      const site = await newSite(ground);
      const token = mintToken(ground, site);
      const at = 60;
      return redeem(ground, site, {
        token: token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1),
      });
    },
    ...refused("invalid_signature"),
  },
  {
    situation: "token whose last character is another spelling of the same bytes (D3)",
    send: async (ground) => {
      const site = await newSite(ground);
      const token = mintToken(ground, site);
      assert.deepEqual(Buffer.from(respell(token), "base64url"), Buffer.from(token, "base64url"));
      return redeem(ground, site, { token: respell(token) });
    },
    ...refused("invalid_signature"),
  },
  {
    situation: "body over 16 KiB with a valid key",
    send: withBody({ token: "x".repeat(16_384) }),
    ...refused("invalid_signature"),
    headers: { connection: "close" },
  },
  {
    situation: "body over 16 KiB without a valid key",
    send: withoutKey({ token: "x".repeat(16_384) }, bearer(KEY_THAT_NOBODY_HAS)),
    ...badCall(413, "payload_too_large"),
    headers: { connection: "close" },
  },
  { situation: "token past its expiry", send: own({ ageSeconds: 301 }), ...refused("token_expired", MINTED_SCORE) },
  {
    situation: "token redeemed before (spec 2.5.1)",
    send: async (ground) => {
      const site = await newSite(ground);
      const token = mintToken(ground, site);
      assert.equal((await redeem(ground, site, { token })).body.data.verified, true);
      return redeem(ground, site, { token });
    },
    ...refused("token_already_used", MINTED_SCORE),
  },
  {
    situation: "token of another site of this service (spec 2.5.3)",
    send: async (ground) => redeem(ground, await newSite(ground), { token: mintToken(ground, await newSite(ground)) }),
    ...refused("site_key_mismatch"),
  },
  {
    situation: "token of a site that no longer exists",
    send: async (ground) => {
      const doomed = await newSite(ground);
      const token = mintToken(ground, doomed);
      assert.equal(await deleteSite(ground.ports, doomed), "deleted");
      return redeem(ground, await newSite(ground), { token });
    },
    ...refused("invalid_site_key"),
  },
  {
    situation: "the secret's site is disabled",
    send: async (ground) => {
      const site = await newSite(ground);
      const token = mintToken(ground, site);
      assert.equal((await updateSite(ground.ports, site, { isEnabled: false })).kind, "updated");
      return redeem(ground, site, { token });
    },
    ...refused("site_disabled"),
  },
  {
    situation: "binding differs (spec 2.5.4)",
    send: own({}, { remoteip: "198.51.100.1" }),
    ...refused("binding_mismatch", MINTED_SCORE),
  },
  { situation: "Bearer key that nobody has", send: withoutKey({}, bearer(KEY_THAT_NOBODY_HAS)), ...wrongKey },
  { situation: "Bearer key that is none", send: withoutKey({}, bearer("hunter2")), ...wrongKey },
  { situation: "no Authorization header", send: withoutKey({ token: "x" }), ...noKey },
  { situation: "Authorization of another kind", send: withoutKey({}, { authorization: "Basic YTpi" }), ...noKey },
  { situation: "Bearer without a key", send: withoutKey({}, { authorization: "Bearer " }), ...noKey },
  ...[{ secret: "x" }, { response: "x" }, { secret: "x", response: "y" }].map((body) => ({
    situation: `siteverify-shaped call without Bearer: ${Object.keys(body)}`,
    send: withoutKey(body),
    ...noKey,
    success: false,
  })),
  {
    situation: "siteverify-shaped call with a Bearer key that nobody has",
    send: withoutKey({ secret: "x" }, bearer(KEY_THAT_NOBODY_HAS)),
    ...wrongKey,
    success: false,
  },
  ...['"secret":', '","response":"x', "secret"].map((token) => ({
    situation: `a token that reads like another service's field, without Bearer: ${token}`,
    send: withoutKey({ token }),
    ...noKey,
  })),
  ...["{", '{"a":1,"a":2}', "[]", ""].map((body) => ({
    situation: `a body that is never read, without a Bearer key: ${body}`,
    send: withoutKey(body),
    ...noKey,
  })),
  {
    situation: "siteverify-shaped call with a Bearer key",
    send: withBody({ response: "x" }),
    ...refused("missing_token"),
    success: false,
  },
  {
    situation: "siteverify-shaped call with a form body, with or without a Bearer key",
    send: async (ground) => {
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const plain = await withoutKey("secret=x&response=y", form)(ground);
      const keyed = await redeem(ground, await newSite(ground), "secret=x&response=y", { headers: form });
      assert.deepEqual([keyed.status, keyed.body.success], [plain.status, plain.body.success]);
      return keyed;
    },
    ...badCall(415, "unsupported_media_type", false),
  },
  ...["", "{", "[]", '"text"', "null", '{"token":"a","token":"b"}', `${'{"a":'.repeat(9)}1${"}".repeat(9)}`].map(
    (body) => ({
      situation: `a body that is not one JSON object: ${body.slice(0, 24)}`,
      send: withBody(body),
      ...badCall(400, "bad_request"),
    }),
  ),
  {
    situation: "a body that is not UTF-8",
    send: withBody(Buffer.from('{"token":"\xff"}', "latin1")),
    ...badCall(400, "bad_request"),
  },
  {
    situation: "a field of the wrong type",
    send: withBody({ token: "x", remoteip: 7 }),
    ...badCall(400, "bad_request"),
  },
  {
    situation: "wrong method with a Bearer key",
    send: async (ground) => redeem(ground, await newSite(ground), undefined, { method: "GET" }),
    ...badCall(405, "method_not_allowed"),
    headers: { allow: "POST" },
  },
  {
    situation: "wrong method without one",
    send: (ground) => callApi(ground.baseUrl, { path: TOKEN_VERIFY, method: "PUT" }),
    ...badCall(405, "method_not_allowed", false),
    headers: { allow: "POST" },
  },
  ...["text/plain", "application/json; charset=latin1", ""].map((type) => ({
    situation: `media type "${type}" with a Bearer key`,
    send: async (ground: Ground) =>
      redeem(ground, await newSite(ground), '{"token":"x"}', { headers: { "content-type": type } }),
    ...badCall(415, "unsupported_media_type"),
  })),
  {
    situation: "media type that is not JSON, without a Bearer key",
    send: withoutKey("x", { "content-type": "text/plain" }),
    ...badCall(415, "unsupported_media_type", false),
  },
];

/** The last row of D2, by its real cause; it needs a store that another process can hold. */
const STORE_DOWN: Row = {
  situation: "store down",
  send: async (ground) => {
    const site = await newSite(ground);
    const token = mintToken(ground, site);
    const holder = await holdDatabase(ground.databaseFile ?? "");
    try {
      return await redeem(ground, site, { token });
    } finally {
      await holder.release();
    }
  },
  status: 503,
  success: true,
  score: 1,
  reasonCode: "internal_error",
  errorCodes: [],
  errorCode: "internal_error",
  headers: { "retry-after": /^[1-9]\d*$/ },
};

function assertRow(answer: ApiAnswer, row: Row): void {
  const { status, body, headers } = answer;
  const { reasonCode, errorCodes, score, success } = row;
  const reason = reasonCode === undefined ? {} : { reasonCode };
  const { error, ...rest } = body;
  assert.equal(status, row.status);
  assert.deepEqual(rest, { success, data: { verified: false, score, error_codes: errorCodes, ...reason }, ...reason });
  assert.equal(error?.code, row.errorCode);
  for (const [name, expected] of Object.entries(row.headers ?? {})) {
    if (expected instanceof RegExp) assert.match(headers[name] ?? "", expected, name);
    else assert.equal(headers[name], expected, name);
  }
  if (status !== 401) assert.equal(headers["www-authenticate"], undefined);
}

for (const ground of await startGrounds()) {
  suite(`D2, ${ground.name}`, () => {
    const rows = ground.databaseFile === undefined ? ROWS : [...ROWS, STORE_DOWN];
    const reached = { reasons: new Set<string>(), errors: new Set<string>() };

    for (const row of rows) {
      test(`${row.status} ${row.reasonCode ?? row.errorCode} (D2): ${row.situation}`, async () => {
        const answer = await row.send(ground);
        assertRow(answer, row);
        if (answer.body.reasonCode !== undefined) reached.reasons.add(answer.body.reasonCode);
        for (const code of answer.body.data.error_codes as string[]) reached.errors.add(code);
      });
    }

    test("these causes reach every reasonCode of spec 7.3 and every error code of spec 7.2", () => {
      const inMemory = ground.databaseFile === undefined ? ["internal_error"] : [];
      assert.deepEqual([...reached.reasons, ...inMemory].sort(), Object.keys(REASON_CODES).sort());
      assert.deepEqual([...reached.errors].sort(), Object.keys(VERIFY_ERROR_CODES).sort());
    });
  });
}
