import { type WidgetError, widgetError } from "../machine/widget-error.ts";
import {
  parseChallengeAnswer,
  parseErrorAnswer,
  parseVerifyAnswer,
  type ServiceChallenge,
  type VerifyAnswer,
} from "./answers.ts";
import { backoffMs, MAX_TRIES } from "./backoff.ts";

/** What the client needs of its surroundings. */
export type Surroundings = {
  /** Resolves after `ms`, or at once when `signal` aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 <= r < 1, for jitter. */
  readonly random: () => number;
  /** The device's clock, epoch ms. */
  readonly now: () => number;
  /** Whether it was the page's policy (`connect-src`) that refused the last request to `url`. */
  readonly isRefusedByPolicy: (url: string) => Promise<boolean>;
  /** The page's host. */
  readonly host: string;
};

/** A value, or the error to show. An aborted call fails as well; nobody listens to it any more. */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: WidgetError };

/** The body of POST /verify (D9). */
export type Submission = {
  readonly site_key: string;
  readonly challenge: string;
  readonly solution: string;
  readonly signals: { readonly environment: string; readonly behaviour: string };
  readonly action?: string;
  readonly cdata?: string;
};

/** The two endpoints a page may call, at one service, for one run. */
export type ServiceClient = {
  readonly fetchChallenge: (siteKey: string, action: string | null) => Promise<Outcome<ServiceChallenge>>;
  readonly submit: (submission: Submission) => Promise<Outcome<VerifyAnswer>>;
};

const ANSWER_TIMEOUT_MS = 15_000;
const MAX_ANSWER_CHARS = 65_536;
/** A longer wait is for the visitor to know, not for the widget to sit out. */
const MAX_WAIT_SECONDS = 10;

type Attempt<T> = Outcome<T> & { readonly retryAfterSeconds?: number | undefined; readonly mayRetry?: boolean };

/** `Retry-After` in whole seconds, 0..3600; undefined for anything else. */
function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get("retry-after");
  return text !== null && /^\d{1,4}$/.test(text) ? Math.min(3600, Number(text)) : undefined;
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text.length > MAX_ANSWER_CHARS ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A client for `base` (no slash at its end); `signal` ends all its calls. Cookies and paths of the page are never sent. */
export function createServiceClient(base: string, signal: AbortSignal, surroundings: Surroundings): ServiceClient {
  const attempt = async <T>(
    path: string,
    init: RequestInit,
    parse: (body: unknown, response: Response) => T | undefined,
  ): Promise<Attempt<T>> => {
    const url = `${base}/api/v1/${path}`;
    const limit = new AbortController();
    const stop = () => limit.abort();
    signal.addEventListener("abort", stop);
    const timer = setTimeout(stop, ANSWER_TIMEOUT_MS);
    try {
      const response = await fetch(url, {
        ...init,
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "strict-origin-when-cross-origin",
        signal: limit.signal,
      });
      const body = await bodyOf(response);
      if (response.ok) {
        const value = parse(body, response);
        return value === undefined ? { kind: "failed", error: widgetError("internal") } : { kind: "done", value };
      }
      const retryAfterSeconds = retryAfterOf(response);
      const error = parseErrorAnswer(body, surroundings.host, retryAfterSeconds);
      return { kind: "failed", error, retryAfterSeconds, mayRetry: response.status >= 500 || response.status === 429 };
    } catch {
      if (limit.signal.aborted) return { kind: "failed", error: widgetError("timeout"), mayRetry: true };
      if (await surroundings.isRefusedByPolicy(url)) return { kind: "failed", error: widgetError("csp_blocked") };
      return { kind: "failed", error: widgetError("network"), mayRetry: true };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  };

  const call = async <T>(
    path: string,
    init: RequestInit,
    parse: (body: unknown, response: Response) => T | undefined,
  ): Promise<Outcome<T>> => {
    for (let tries = 1; ; tries++) {
      const done = await attempt(path, init, parse);
      if (done.kind === "done" || done.mayRetry !== true || tries === MAX_TRIES) return done;
      const askedSeconds = done.retryAfterSeconds ?? 0;
      if (signal.aborted || askedSeconds > MAX_WAIT_SECONDS) return done;
      await surroundings.pause(Math.max(askedSeconds * 1000, backoffMs(tries, surroundings.random())), signal);
      if (signal.aborted) return done;
    }
  };

  return {
    fetchChallenge: (siteKey, action) => {
      const query = new URLSearchParams({ site_key: siteKey });
      if (action !== null) query.set("action", action);
      // Without it (a lockdown mode) the work would take seconds; the service may grant less of it.
      if (!globalThis.WebAssembly) query.set("fallback", "1");
      return call(`pow/challenge?${query}`, { method: "GET" }, parseChallengeAnswer);
    },
    submit: (submission) =>
      call(
        "verify",
        { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(submission) },
        (body, response) => parseVerifyAnswer(body, response.headers.get("date"), surroundings.now()),
      ),
  };
}
