/**
 * The result of one call of POST /api/v1/token/verify, as a customer's server sees it (D2,
 * redemption).
 */
export type CustomerRedemption =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The parsed body. It is only shown; the decision uses `data.verified`. */
      readonly answer: unknown;
      /** True only for status 200 with `data.verified` true. */
      readonly hasPassed: boolean;
    }
  /**
   * No answer within 10 seconds, or none in JSON. The customer then decides whether the visitor
   * gets in (D15, outage).
   */
  | { readonly kind: "unavailable" };

/** The body of the call; undefined members are left out. */
export type RedemptionRequest = {
  readonly token: string;
  /** The visitor's address as this server sees it. */
  readonly remoteip: string | undefined;
  readonly user_agent: string | undefined;
};

/** How long a customer's server waits for the verdict (spec 4.1). */
const TIMEOUT_MS = 10_000;

function isVerified(answer: unknown): boolean {
  const data = (answer as { readonly data?: { readonly verified?: unknown } } | null)?.data;
  return data?.verified === true;
}

/** Redeems a token over HTTP exactly as a customer's server does. Never throws. */
export async function redeemAsCustomer(
  baseUrl: string,
  secretKey: string,
  request: RedemptionRequest,
): Promise<CustomerRedemption> {
  try {
    const response = await fetch(`${baseUrl}/api/v1/token/verify`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secretKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(request),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json();
    return {
      kind: "answered",
      status: response.status,
      answer,
      hasPassed: response.ok && isVerified(answer),
    };
  } catch {
    return { kind: "unavailable" };
  }
}
