import { type Agent, request } from "node:http";
import type { RedeemOutcome } from "./judge-history.ts";

/** The sent fields: the token, and the idempotency key if the caller has one. */
export type RedeemMessage = {
  readonly token: string;
  readonly idempotencyKey?: string | undefined;
};

/**
 * The answer to a caller; `unsent` if nothing was listening, so that nothing was done; `limited` is
 * a 429.
 */
export type HeardOutcome = RedeemOutcome | "unsent" | "limited";

/**
 * The answer, and when the token was verified according to the service, ms since 1970 (D2).
 * `isStanding`: the call was sent over a connection on which another one had been answered.
 */
export type Heard = {
  readonly outcome: HeardOutcome;
  readonly verifiedAtMs?: number;
  readonly isStanding?: boolean;
};

function read(status: number, text: string): Heard {
  if (status === 503) return { outcome: "unavailable" };
  if (status === 429) return { outcome: "limited" };
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
 * POST /api/v1/token/verify over the agent's connections; rejects on an answer that a valid token
 * must never get.
 */
export function redeemOnce(
  baseUrl: string,
  secretKey: string,
  agent: Agent,
  { token, idempotencyKey }: RedeemMessage,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" };
    const call = request(
      `${baseUrl}/api/v1/token/verify`,
      { method: "POST", agent, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("error", () => resolve({ outcome: "cut", isStanding: call.reusedSocket }));
        response.on("end", () => {
          try {
            resolve(read(response.statusCode ?? 0, text));
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    call.on("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(
        code === "ECONNREFUSED"
          ? { outcome: "unsent" }
          : { outcome: "cut", isStanding: call.reusedSocket },
      ),
    );
    call.end(JSON.stringify({ token, idempotency_key: idempotencyKey }));
  });
}
