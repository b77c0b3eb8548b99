import { OFFLINE, type WidgetError, widgetError } from "../machine/widget-error.ts";
import { parseChallengeAnswer, parseVerifyAnswer, type ServiceChallenge, type VerifyAnswer } from "./answers.ts";
import { backoffMs, MAX_TRIES } from "./backoff.ts";
import type { readRefusal } from "./refusal.ts";

/** What the client needs of its surroundings. */
export type Surroundings = {
  /** Resolves after `ms`, or at once when `signal` aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 <= r < 1, for jitter. */
  readonly random: () => number;
  /** The device's clock, epoch ms. */
  readonly now: () => number;
  /** Whether the page's policy (`connect-src`) refuses requests to the service. */
  readonly isRefusedByPolicy: () => Promise<boolean>;
  /** Whether the browser says that it is on no network. */
  readonly isOffline: () => boolean;
  /** What reads a refusal; undefined where it can't be had. */
  readonly loadTrouble: () => Promise<{ readonly readRefusal: typeof readRefusal } | undefined>;
  /** The page's host; empty where the page has no origin that could be named. */
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
  readonly signals: {
    readonly environment: string;
    readonly behaviour: string;
    readonly batch: string;
    readonly earlier: ServiceChallenge["earlier"];
  };
  readonly action?: string | undefined;
  readonly cdata?: string | undefined;
};

/** The two endpoints a page may call, at one service, for one run. */
export type ServiceClient = {
  /** `batch` is what the page has seen so far; empty where it does not say. */
  readonly fetchChallenge: (
    siteKey: string,
    action: string | null,
    batch: string,
  ) => Promise<Outcome<ServiceChallenge>>;
  readonly submit: (submission: Submission) => Promise<Outcome<VerifyAnswer>>;
};

/** A call with all its tries takes no longer: by then whoever waits is told. */
const CALL_TIMEOUT_MS = 9_000;
const MAX_ANSWER_CHARS = 65_536;
/** A longer wait is for the visitor to know, not for the widget to sit out. */
const MAX_WAIT_SECONDS = 5;

type Attempt<T> = Outcome<T> & { readonly retryAfterSeconds?: number | undefined; readonly mayRetry?: boolean };

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
    url: string,
    init: RequestInit & { readonly signal: AbortSignal },
    parse: (body: unknown, response: Response) => T | undefined,
  ): Promise<Attempt<T>> => {
    try {
      const response = await fetch(url, {
        ...init,
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "strict-origin-when-cross-origin",
      });
      const body = await bodyOf(response);
      if (response.ok) {
        const value = parse(body, response);
        return value === undefined ? { kind: "failed", error: widgetError("internal") } : { kind: "done", value };
      }
      const { status, headers } = response;
      const trouble = await surroundings.loadTrouble();
      const [error, retryAfterSeconds] = trouble?.readRefusal(body, headers.get("retry-after"), surroundings.host) ?? [
        widgetError("internal"),
      ];
      return { kind: "failed", error, retryAfterSeconds, mayRetry: status >= 500 || status === 429 };
    } catch {
      if (init.signal.aborted) return { kind: "failed", error: widgetError("timeout") };
      if (await surroundings.isRefusedByPolicy())
        return { kind: "failed", error: widgetError("csp_blocked", "connect-src") };
      // A proxy's own 502, without CORS, looks like no network at all.
      const detail = surroundings.isOffline() ? OFFLINE : undefined;
      return { kind: "failed", error: widgetError("network", detail), mayRetry: true };
    }
  };

  const call = async <T>(
    path: string,
    init: RequestInit,
    parse: (body: unknown, response: Response) => T | undefined,
  ): Promise<Outcome<T>> => {
    const limit = new AbortController();
    const stop = () => limit.abort();
    signal.addEventListener("abort", stop);
    const timer = setTimeout(stop, CALL_TIMEOUT_MS);
    try {
      for (let tries = 1; ; tries++) {
        const done = await attempt(`${base}/api/v1/${path}`, { ...init, signal: limit.signal }, parse);
        const askedSeconds = done.retryAfterSeconds ?? 0;
        if (done.kind === "done" || done.mayRetry !== true || tries === MAX_TRIES) return done;
        if (askedSeconds > MAX_WAIT_SECONDS || limit.signal.aborted) return done;
        const waitMs = Math.max(askedSeconds * 1000, backoffMs(tries, surroundings.random()));
        await surroundings.pause(waitMs, limit.signal);
        if (limit.signal.aborted) return done;
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  };

  return {
    fetchChallenge: (siteKey, action, batch) => {
      const query = new URLSearchParams({ site_key: siteKey });
      if (batch !== "") query.set("batch", batch);
      if (action !== null) query.set("action", action);
      // Without it (a lockdown mode) the work would take seconds; the service may grant less of it.
      if (!globalThis.WebAssembly) query.set("fallback", "1");
      return call(`pow/challenge?${query}`, { method: "GET" }, (body) => parseChallengeAnswer(body, batch));
    },
    submit: (submission) =>
      call(
        "verify",
        { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(submission) },
        (body, response) =>
          parseVerifyAnswer(body, submission.signals.batch, response.headers.get("date"), surroundings.now()),
      ),
  };
}
