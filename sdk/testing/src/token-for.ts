import { TEST_KEYS } from "./keys.ts";

/** The reasons of `POST /api/v1/token/verify`. */
export const REASON_CODES = [
  "missing_token",
  "invalid_signature",
  "token_expired",
  "token_already_used",
  "invalid_site_key",
  "invalid_secret",
  "site_key_mismatch",
  "site_disabled",
  "binding_mismatch",
  "internal_error",
] as const;

/** Why a token is refused. */
export type ReasonCode = (typeof REASON_CODES)[number];

/** The page that earns the tokens. */
const HEADERS = { Origin: "http://localhost", "Content-Type": "application/json" };

/** The `data` of an answer. Rejects if the service refused. */
async function call(url: URL, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    ...init,
    headers: HEADERS,
    signal: AbortSignal.timeout(10_000),
  });
  const { data, error } = (await response.json()) as {
    data: Record<string, unknown>;
    error?: { message: string };
  };
  if (!response.ok) throw new Error(`${url.origin} gives no test token: ${error?.message}`);
  return data;
}

/**
 * A token that the secret key of `pass` refuses for that reason at the service with that address, or
 * accepts without a reason. It is valid for 300 s, any number of times.
 */
export async function tokenFor(baseUrl: string, reason?: ReasonCode): Promise<string> {
  if (!URL.canParse(baseUrl))
    throw new TypeError(`tokenFor: baseUrl must be the address of a service, not ${baseUrl}`);
  if (reason !== undefined && !REASON_CODES.includes(reason))
    throw new TypeError(
      `tokenFor: reason must be one of ${REASON_CODES.join(", ")}, not ${reason}`,
    );
  const { siteKey } = TEST_KEYS.pass;
  const { challenge } = await call(new URL(`/api/v1/pow/challenge?site_key=${siteKey}`, baseUrl));
  const submission = {
    site_key: siteKey,
    challenge,
    // The work of a test challenge is not checked.
    solution: "A",
    signals: { environment: "", behaviour: "" },
    cdata: reason,
  };
  const body = JSON.stringify(submission);
  const { token } = await call(new URL("/api/v1/verify", baseUrl), { method: "POST", body });
  return String(token);
}
