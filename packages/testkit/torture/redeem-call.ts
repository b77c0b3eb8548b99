import { type Agent, request } from "node:http";
import type { RedeemOutcome } from "./check-history.ts";

/** The calls by which a token can be redeemed: ours, and those of other vendors' libraries. */
export const REDEEM_WAYS = ["native", "recaptcha", "hcaptcha", "turnstile", "friendly"] as const;
/** One of these calls. */
export type RedeemWay = (typeof REDEEM_WAYS)[number];

/** Whether the call can carry an idempotency key. */
export const takesKey = (way: RedeemWay): boolean => way === "native" || way === "turnstile";

const VENDOR_PATHS = {
  recaptcha: "/recaptcha/api/siteverify",
  hcaptcha: "/siteverify",
  turnstile: "/turnstile/v0/siteverify",
  friendly: "/api/v2/captcha/siteverify",
} as const;

const JSON_TYPE = { "Content-Type": "application/json" };

/** The path, headers and body of a call. */
function write(
  secret: string,
  { way = "native", token, idempotencyKey }: RedeemMessage,
): { path: string; headers: Record<string, string>; body: string } {
  const fields = { idempotency_key: idempotencyKey };
  if (way === "native")
    return {
      path: "/api/v1/token/verify",
      headers: { Authorization: `Bearer ${secret}`, ...JSON_TYPE },
      body: JSON.stringify({ token, ...fields }),
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
  token_expired: "expired",
  rate_limited: "limited",
};

function readVendor(text: string): Heard {
  const { success, stile } = JSON.parse(text) as {
    success: boolean;
    stile: { reason_code?: string };
  };
  const outcome = success ? "verified" : VENDOR_REASONS[stile.reason_code ?? ""];
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
    const { path, headers, body } = write(secretKey, message);
    const call = request(baseUrl + path, { method: "POST", agent, headers }, (response) => {
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
