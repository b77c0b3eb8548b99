import { setTimeout as sleep } from "node:timers/promises";
import type { RunningService } from "@stile/testkit/service/service";

/** How long a customer's server waits for an answer before it lets its visitor through, ms. */
export const PATIENCE_MS = 5000;

/**
 * The answer that a customer's server got to a redemption, and after how many ms; "cut": the
 * connection broke unanswered.
 */
export type Heard = {
  readonly kind: "verified" | "used" | "refused" | "unavailable" | "gave_up" | "cut";
  readonly afterMs: number;
};

type Target = Pick<RunningService, "baseUrl" | "secretKey">;

function kindOf(
  status: number,
  body: { reasonCode?: string; data: { verified?: boolean } },
): Heard["kind"] {
  if (status === 503) return "unavailable";
  if (status === 200 && body.data.verified === true) return "verified";
  return body.reasonCode === "token_already_used" ? "used" : "refused";
}

/** The idempotency key that identifies the exact repeat of a call (D2, redemption). */
export const repeatKeyOf = (token: string): string => `accident-${token.slice(-20)}`;

/** Redeems a token as a customer's server that gives up after PATIENCE_MS. */
export async function redeemPatiently(
  service: Target,
  token: string,
  repeatKey?: string,
): Promise<Heard> {
  const startedAt = performance.now();
  const heard = (kind: Heard["kind"]): Heard => ({ kind, afterMs: performance.now() - startedAt });
  try {
    const response = await fetch(`${service.baseUrl}/api/v1/token/verify`, {
      method: "POST",
      headers: { Authorization: `Bearer ${service.secretKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        token,
        ...(repeatKey !== undefined && { idempotency_key: repeatKey }),
      }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = (await response.json()) as Parameters<typeof kindOf>[1];
    return heard(kindOf(response.status, body));
  } catch (error) {
    return heard((error as Error).name === "TimeoutError" ? "gave_up" : "cut");
  }
}

/**
 * Sends one call every `everyMs`, whether or not the earlier ones were answered, and waits for all.
 */
export async function sendSteadily<Item, Answer>(
  items: readonly Item[],
  everyMs: number,
  send: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const startedAt = performance.now();
  const pending: Promise<Answer>[] = [];
  for (const [index, item] of items.entries()) {
    await sleep(Math.max(0, startedAt + index * everyMs - performance.now()));
    pending.push(send(item));
  }
  return await Promise.all(pending);
}

/**
 * Redeems tokens one after another until one is verified; returns after how many ms that was, at
 * most `atMostMs`.
 */
export async function untilVerified(
  service: Target,
  tokens: readonly string[],
  atMostMs: number,
): Promise<number> {
  const startedAt = performance.now();
  for (const token of tokens) {
    const { kind } = await redeemPatiently(service, token);
    const tookMs = performance.now() - startedAt;
    if (kind === "verified") return tookMs;
    if (tookMs >= atMostMs) break;
    await sleep(100);
  }
  return atMostMs;
}

/** How many of the tokens are verified when redeemed once more now. */
export async function countVerified(service: Target, tokens: readonly string[]): Promise<number> {
  const heard = await sendSteadily(tokens, 2, (token) => redeemPatiently(service, token));
  return heard.filter(({ kind }) => kind === "verified").length;
}

/** The value below which this share of the values lies; 0 if there are none. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
