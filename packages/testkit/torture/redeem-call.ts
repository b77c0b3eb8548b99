import { type Agent, request } from "node:http";
import { REPEAT_SECONDS, TURNSTILE_REPEAT_SECONDS } from "@stile/protocol/limits";
import type { RedeemOutcome } from "./check-history.ts";

/** The calls by which a token can be redeemed: ours, and those of other vendors' libraries. */
export const REDEEM_WAYS = [
  "native",
  "recaptcha",
  "recaptcha by GET",
  "enterprise",
  "hcaptcha",
  "turnstile",
  "friendly",
] as const;
/** One of these calls. */
export type RedeemWay = (typeof REDEEM_WAYS)[number];

/** Whether the call can carry an idempotency key. */
export const takesKey = (way: RedeemWay): boolean => way === "native" || way === "turnstile";

/** For how long the call's exact repeat gets the same answer, ms. */
export const repeatMsOf = (way: RedeemWay): number =>
  (way === "turnstile" ? TURNSTILE_REPEAT_SECONDS : REPEAT_SECONDS) * 1000;

const VENDOR_PATHS = {
  recaptcha: "/recaptcha/api/siteverify",
  hcaptcha: "/siteverify",
  turnstile: "/turnstile/v0/siteverify",
  friendly: "/api/v2/captcha/siteverify",
} as const;

const JSON_TYPE = { "Content-Type": "application/json" };

type Written = {
  readonly method?: "GET";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** A call: a POST unless it says otherwise. */
function write(secret: string, { way = "native", token, idempotencyKey }: RedeemMessage): Written {
  const fields = { idempotency_key: idempotencyKey };
  if (way === "native")
    return {
      path: "/api/v1/token/verify",
      headers: { Authorization: `Bearer ${secret}`, ...JSON_TYPE },
      body: JSON.stringify({ token, ...fields }),
    };
  if (way === "recaptcha by GET") {
    const query = new URLSearchParams({ secret, response: token });
    return { method: "GET", path: `${VENDOR_PATHS.recaptcha}?${query}` };
  }
  if (way === "enterprise")
    return {
      path: "/v1/projects/shop/assessments",
      headers: { "X-Goog-Api-Key": secret, ...JSON_TYPE },
      body: JSON.stringify({ event: { token } }),
    };
  return {
    path: VENDOR_PATHS[way],
    headers: { "X-API-Key": secret, ...JSON_TYPE },
    body: JSON.stringify({ secret, response: token, ...fields }),
  };
}

/** What vendors' answers call a used and an expired token. */
const VENDOR_REASONS: Readonly<Record<string, HeardOutcome>> = {
  token_already_used: "used",
  DUPE: "used",
  token_expired: "expired",
  EXPIRED: "expired",
  rate_limited: "limited",
};

function readVendor(text: string): Heard {
  const { success, stile, tokenProperties } = JSON.parse(text) as {
    success?: boolean;
    stile?: { reason_code?: string };
    tokenProperties?: { valid: boolean; invalidReason: string };
  };
  const reason = stile?.reason_code ?? tokenProperties?.invalidReason ?? "";
  const outcome = (success ?? tokenProperties?.valid) ? "verified" : VENDOR_REASONS[reason];
  if (outcome === undefined) throw new Error(`a redemption was answered with ${text}`);
  return { outcome };
}

/** The sent fields: the token, and the idempotency key if the caller has one. */
export type RedeemMessage = {
  /** How the call is made; natively by default. */
  readonly way?: RedeemWay | undefined;
  readonly token: string;
  readonly idempotencyKey?: string | undefined;
};

/**
 * The answer to a caller; `unsent` if nothing was listening, so that nothing was done; `limited` is
 * a 429.
 */
export type HeardOutcome = RedeemOutcome | "unsent" | "limited";

/**
 * The answer, and when the token was verified according to the service, ms since 1970 (D2,
 * redemption). `isStanding`: the call was sent over a connection on which another one had been
 * answered.
 */
export type Heard = {
  readonly outcome: HeardOutcome;
  readonly verifiedAtMs?: number;
  readonly isStanding?: boolean;
};

function read(way: RedeemWay, status: number, text: string): Heard {
  if (status === 503) return { outcome: "unavailable" };
  if (status === 429) return { outcome: "limited" };
  if (way !== "native") return readVendor(text);
  const body = JSON.parse(text) as {
    reasonCode?: string;
    data: { verified: boolean; timestamp: string };
  };
  if (status === 200 && body.data.verified) {
    return { outcome: "verified", verifiedAtMs: Date.parse(body.data.timestamp) };
  }
  if (status === 200 && body.reasonCode === "token_already_used") return { outcome: "used" };
  if (status === 200 && body.reasonCode === "token_expired") return { outcome: "expired" };
  throw new Error(`a redemption was answered with ${status} ${text}`);
}

/**
 * Redeems over the agent's connections, as the message says; rejects on an answer that a valid token
 * must never get.
 */
export function redeemOnce(
  baseUrl: string,
  secretKey: string,
  agent: Agent,
  message: RedeemMessage,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const { method = "POST", path, headers, body } = write(secretKey, message);
    const call = request(baseUrl + path, { method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", () => resolve({ outcome: "cut", isStanding: call.reusedSocket }));
      response.on("end", () => {
        try {
          resolve(read(message.way ?? "native", response.statusCode ?? 0, text));
        } catch (error) {
          reject(error);
        }
      });
    });
    call.on("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(
        code === "ECONNREFUSED"
          ? { outcome: "unsent" }
          : { outcome: "cut", isStanding: call.reusedSocket },
      ),
    );
    call.end(body);
  });
}
