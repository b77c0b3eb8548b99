import type { RunningService } from "./service.ts";

/** Status and body of a redemption, as far as the tests check them (D2, redemption). */
export type RedeemResponse = {
  readonly status: number;
  readonly body: { readonly reasonCode?: string; readonly data: Readonly<Record<string, unknown>> };
};

/**
 * POST /api/v1/token/verify as a customer's server that sends the token and its claims about the
 * visitor.
 */
export async function redeem(
  service: Pick<RunningService, "baseUrl" | "secretKey">,
  token: string,
  claim: {
    readonly remoteip?: string;
    readonly user_agent?: string;
    readonly idempotency_key?: string;
  } = {},
): Promise<RedeemResponse> {
  const response = await fetch(`${service.baseUrl}/api/v1/token/verify`, {
    method: "POST",
    headers: { Authorization: `Bearer ${service.secretKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ token, ...claim }),
  });
  const body = (await response.json()) as RedeemResponse["body"];
  return { status: response.status, body };
}
