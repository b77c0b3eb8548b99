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
    const { status } = response;
    const answer: unknown = await response.json().catch(() => undefined);
    const isObject = typeof answer === "object" && answer !== null;
    // A visitor can cause a 4xx, also one that a proxy answers in HTML. It is an answer.
    if (status >= 400 && status < 500) return { status, body: isObject ? { ...answer } : {} };
    return isObject && status === 200 ? { status, body: { ...answer } } : undefined;
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
