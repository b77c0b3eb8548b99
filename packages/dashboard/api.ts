import { signal } from "@preact/signals";
import type { DashboardAnswer } from "@stile/protocol/dashboard-api";
import { toSearch, type UrlQuery } from "./ui/query.ts";

const BASE = "/dashboard/api/";
const SIGN_IN = "/dashboard/sign-in";
/** Pages that work without a session: they must not send their reader to the sign-in page. */
const OPEN_PAGES = [SIGN_IN, "/dashboard/link"];

/**
 * Set while a call waits for its caller to prove who they are; the prove dialog calls it with the
 * outcome.
 */
export const proofWanted = signal<((isProven: boolean) => void) | undefined>(undefined);

/** Methods that change something. */
export type WriteMethod = "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The ids of changes whose outcome is unknown, by their content. Repeating such a change sends its
 * id again, and the service then replaces the secret or the link that nobody saw.
 */
const unconfirmed = new Map<string, string>();

const ID_BYTES = 16;

/**
 * A random id for a change: 128 bits in hexadecimal. Browsers offer `randomUUID` over https only.
 */
function createChangeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Reads a private endpoint; `path` is relative to /dashboard/api/. Never throws: a broken
 * connection becomes an answer.
 */
export function get<Data>(path: string, query?: UrlQuery): Promise<DashboardAnswer<Data>> {
  return call<Data>(path + toSearch(query), { method: "GET" });
}

/**
 * Changes something. Every intended change has an id, which its repeats keep until the service has
 * confirmed it. If the service wants a fresh proof, the prove dialog opens and the call is repeated
 * once; if the dialog is closed instead, the answer is `step_up_needed`.
 */
export async function send<Data = unknown>(
  method: WriteMethod,
  path: string,
  body?: object,
): Promise<DashboardAnswer<Data>> {
  // Without a body, an empty object: the service accepts only JSON bodies.
  const text = JSON.stringify(body ?? {});
  const what = `${method} ${path}\n${text}`;
  const id = unconfirmed.get(what) ?? createChangeId();
  const headers = { "content-type": "application/json", "idempotency-key": id };
  const answer = await callWithProof<Data>(path, { method, body: text, headers });
  // Only a success confirms it: a repeat may meet its own first request, and is then refused.
  if (answer.success) unconfirmed.delete(what);
  else if (answer.error.code === "internal_error") unconfirmed.set(what, id);
  return answer;
}

async function callWithProof<Data>(
  path: string,
  request: RequestInit,
): Promise<DashboardAnswer<Data>> {
  const answer = await call<Data>(path, request);
  if (answer.success || answer.error.code !== "step_up_needed") return answer;
  return (await askForProof()) ? call<Data>(path, request) : answer;
}

function askForProof(): Promise<boolean> {
  return new Promise((resolve) => {
    // One question at a time: an earlier one is answered with no.
    proofWanted.value?.(false);
    proofWanted.value = (isProven) => {
      proofWanted.value = undefined;
      resolve(isProven);
    };
  });
}

async function call<Data>(path: string, request: RequestInit): Promise<DashboardAnswer<Data>> {
  let text: string;
  try {
    const response = await fetch(BASE + path, {
      ...request,
      credentials: "same-origin",
      cache: "no-store",
    });
    text = await response.text();
  } catch {
    return broken(
      `The service could not be reached. Check your connection and try again.${maybeMade(request)}`,
    );
  }
  const answer = parseAnswer<Data>(text, request);
  if (!answer.success && answer.error.code === "not_signed_in") return leaveForSignIn(answer);
  return answer;
}

/**
 * Parses the service's answer; a proxy in front of it, with an error page of its own, may answer
 * anything.
 */
function parseAnswer<Data>(text: string, request: RequestInit): DashboardAnswer<Data> {
  try {
    const parsed = JSON.parse(text);
    const { success, data, error } = parsed;
    if (success === true && typeof data === "object" && data !== null) return parsed;
    if (success === false && typeof error?.code === "string" && typeof error.message === "string")
      return parsed;
  } catch {
    // Not JSON, or null.
  }
  return broken(
    `A proxy in front of the service answered instead of it. Try again in a minute.${maybeMade(request)}`,
  );
}

/** The note for a change whose answer was lost. */
function maybeMade({ method }: RequestInit): string {
  return method === "GET" ? "" : " Your change may have been saved. It is safe to repeat it.";
}

function leaveForSignIn<Data>(
  answer: DashboardAnswer<Data>,
): Promise<DashboardAnswer<Data>> | DashboardAnswer<Data> {
  if (OPEN_PAGES.includes(location.pathname)) return answer;
  // A full page load, so that nothing of the ended session stays in memory.
  location.assign(SIGN_IN + toSearch({ next: location.pathname + location.search }));
  return new Promise(() => {});
}

function broken(message: string): DashboardAnswer<never> {
  return { success: false, error: { code: "internal_error", message, request_id: "" } };
}
