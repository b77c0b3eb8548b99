import { USER_AGENT } from "@stile/testkit/minting/solver-client";
import type { Workload } from "./messages.ts";

/** The keys of the site that the requests are meant for. */
export type SiteKeys = { readonly siteKey: string; readonly secretKey: string };

/**
 * A constant answer of the size of the real one, with the headers that the endpoint adds to those
 * of every answer.
 */
export type ControlAnswer = {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * A request that is sent again and again. In its headers and body, `{line}` is the next minted line
 * and `{token}` a token from an answer of this run; in its headers, `{client}` is a different
 * address each time.
 */
export type Step = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: ControlAnswer;
};

/** How a row is defined. */
export type WorkloadPlan = {
  /** One request, or the three of a token's life. */
  readonly steps: (keys: SiteKeys) => readonly Step[];
  /** The kind of minted lines: see `mintLines`; `none` if all requests are alike. */
  readonly lines:
    | "redemptions"
    | "submissions"
    | "varied-submissions"
    | "forged-redemptions"
    | "forged-submissions"
    | "secrets"
    | "none";
  /**
   * Whether a line may be sent again: if it was refused once, it is refused in the same way the
   * second time.
   */
  readonly mayRepeat: boolean;
  /**
   * The metric by which the store counts a correct answer, and prefixes of those of wrong ones;
   * undefined: it counts neither.
   */
  readonly metrics: { readonly wanted: string; readonly wasted: readonly string[] } | undefined;
  /** Whether the load generator acts as a proxy, whose visitors have different addresses. */
  readonly isBehindProxy: boolean;
  /** The least time under load until the hot functions are compiled, seconds. */
  readonly warmSeconds: number;
  /** Lines for one second of the first load; later ones depend on what was measured. */
  readonly firstRate: number;
};

const ORIGIN = "http://localhost";
/** The address of the load generator's visitors, who have no proxy in front of them. */
export const LOAD_ADDRESS = "127.0.0.1";

const JSON_TYPE = { "Content-Type": "application/json" };
const BROWSER = { Origin: ORIGIN, "User-Agent": USER_AGENT };
/** An attacker has many addresses; from a single one, the limit on wrong keys would be measured. */
const FROM_ANYWHERE = { "X-Forwarded-For": "{client}" };

const CORS = {
  "Access-Control-Allow-Origin": ORIGIN,
  "Access-Control-Expose-Headers": "Date, Retry-After, X-Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
  Vary: "Origin",
};
const LIMITS = {
  "RateLimit-Policy": '"verify";q=10000000;w=60',
  RateLimit: '"verify";r=9999999;t=30',
};
const MOMENT = "2026-01-01T00:00:00.000Z";

const redeem = ({ secretKey }: SiteKeys, body: string): Step => ({
  method: "POST",
  path: "/api/v1/token/verify",
  headers: { ...JSON_TYPE, Authorization: `Bearer ${secretKey}` },
  body,
  answer: {
    status: 200,
    headers: LIMITS,
    body: {
      success: true,
      data: {
        verified: true,
        score: 0.05,
        hostname: "localhost",
        timestamp: MOMENT,
        challenge_ts: MOMENT,
      },
    },
  },
});

const issue = ({ siteKey }: SiteKeys): Step => ({
  method: "GET",
  path: `/api/v1/pow/challenge?site_key=${siteKey}`,
  headers: BROWSER,
  answer: {
    status: 200,
    headers: CORS,
    body: {
      success: true,
      data: {
        challenge: "A".repeat(132),
        algorithm: 2,
        k: 16,
        difficulty: 524_288,
        expires_at: MOMENT,
        mode: "managed",
        theme: "auto",
        language: "auto",
        interaction: "none",
      },
    },
  },
});

const submit = (): Step => ({
  method: "POST",
  path: "/api/v1/verify",
  headers: { ...JSON_TYPE, ...BROWSER },
  body: "{line}",
  answer: {
    status: 200,
    headers: CORS,
    body: { success: true, data: { verified: true, token: "A".repeat(160), expires_at: MOMENT } },
  },
});

const refusedToken = {
  verified: false,
  score: 1,
  error_codes: ["invalid_token"],
  reasonCode: "invalid_signature",
};
const refusedSecret = {
  success: true,
  data: {
    verified: false,
    score: 1,
    error_codes: ["invalid-input-secret"],
    reasonCode: "invalid_secret",
  },
  reasonCode: "invalid_secret",
  error: { code: "invalid_secret", message: "x".repeat(102), request_id: "x".repeat(36) },
};

/** All rows. */
export const WORKLOAD_PLANS: Readonly<Record<Workload, WorkloadPlan>> = {
  redeem: {
    steps: (keys) => [redeem(keys, "{line}")],
    lines: "redemptions",
    mayRepeat: false,
    metrics: { wanted: "token_redeemed", wasted: ["refused:"] },
    isBehindProxy: false,
    warmSeconds: 3,
    firstRate: 8000,
  },
  issue: {
    steps: (keys) => [issue(keys)],
    lines: "none",
    mayRepeat: true,
    metrics: { wanted: "challenge_issued", wasted: [] },
    isBehindProxy: false,
    warmSeconds: 3,
    firstRate: 0,
  },
  submit: {
    steps: () => [submit()],
    lines: "submissions",
    mayRepeat: false,
    metrics: { wanted: "challenge_solved", wasted: ["challenge_failed"] },
    isBehindProxy: false,
    warmSeconds: 6,
    firstRate: 1000,
  },
  // Like recorded users: their paths differ from each other, and there are up to three.
  "submit-varied": {
    steps: () => [submit()],
    lines: "varied-submissions",
    mayRepeat: false,
    metrics: { wanted: "challenge_solved", wasted: ["challenge_failed"] },
    isBehindProxy: false,
    warmSeconds: 6,
    firstRate: 1000,
  },
  // Solving the issued challenge would be the load generator's work, not the server's. So it
  // submits a solved challenge, and redeems the token that it gets for it.
  life: {
    steps: (keys) => [
      issue(keys),
      submit(),
      redeem(keys, `{"token":"{token}","remoteip":"${LOAD_ADDRESS}"}`),
    ],
    lines: "submissions",
    mayRepeat: false,
    metrics: { wanted: "token_redeemed", wasted: ["challenge_failed", "refused:"] },
    isBehindProxy: false,
    warmSeconds: 6,
    firstRate: 700,
  },
  "forged-tokens": {
    steps: (keys) => {
      const step = redeem(keys, "{line}");
      const body = { success: true, data: refusedToken, reasonCode: refusedToken.reasonCode };
      return [{ ...step, answer: { ...step.answer, body } }];
    },
    lines: "forged-redemptions",
    mayRepeat: true,
    metrics: { wanted: "refused:invalid_signature", wasted: ["token_redeemed"] },
    isBehindProxy: false,
    warmSeconds: 3,
    firstRate: 8000,
  },
  "forged-challenges": {
    steps: () => {
      const step = submit();
      const body = {
        success: true,
        data: { verified: false, error_codes: ["invalid_token"], next: "retry" },
      };
      return [
        {
          ...step,
          headers: { ...step.headers, ...FROM_ANYWHERE },
          answer: { ...step.answer, body },
        },
      ];
    },
    lines: "forged-submissions",
    mayRepeat: true,
    metrics: { wanted: "challenge_failed", wasted: ["challenge_solved"] },
    isBehindProxy: true,
    warmSeconds: 3,
    firstRate: 2000,
  },
  "wrong-secrets": {
    steps: (keys) => {
      const step = redeem(keys, `{"token":"${"A".repeat(160)}"}`);
      const headers = { ...step.headers, Authorization: "Bearer {line}", ...FROM_ANYWHERE };
      const answer = {
        status: 401,
        body: refusedSecret,
        headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
      };
      return [{ ...step, headers, answer }];
    },
    lines: "secrets",
    mayRepeat: true,
    metrics: undefined,
    isBehindProxy: true,
    warmSeconds: 3,
    firstRate: 8000,
  },
};
