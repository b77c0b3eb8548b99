/** The patience for one attempt, in ms; with the retry, an answer takes at most 10 s. */
const ATTEMPT_MS = 5_000;

/** An answer of the service; undefined if it gave none that can be read. */
export type ServiceAnswer =
  | { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  | undefined;

async function attempt(url: string, secretKey: string, body: object): Promise<ServiceAnswer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const answer: unknown = await response.json();
    const isReadable = typeof answer === "object" && answer !== null && response.status < 500;
    if (!isReadable) return undefined;
    return { status: response.status, body: answer as Record<string, unknown> };
  } catch {
    return undefined;
  }
}

/** Asks the service, and once more if there was no answer. */
export async function callService(
  url: string,
  secretKey: string,
  body: object,
): Promise<ServiceAnswer> {
  return (await attempt(url, secretKey, body)) ?? (await attempt(url, secretKey, body));
}
