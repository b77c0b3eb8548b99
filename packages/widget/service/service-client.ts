import type { WidgetFault } from "../machine/widget-fault.ts";
import { type FailedEvent, failed, type RunEvent } from "../machine/widget-state.ts";
import { toJson } from "../to-json.ts";
import { parseChallengeAnswer, parseVerifyAnswer } from "./answers.ts";
import { backoffMs, MAX_TRIES } from "./backoff.ts";
import type { readRefusal } from "./refusal.ts";
import type { ServiceChallenge } from "./service-challenge.ts";

/** The client's surroundings. */
export type Surroundings = {
  /** Resolves after `ms`, or at once when `signal` aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** 0 <= r < 1, for jitter. */
  readonly random: () => number;
  /** The device's clock, epoch ms. */
  readonly now: () => number;
  /** The obstacle between page and service: the page's policy (`connect-src`), or the network. */
  readonly whyUnreachable: () => Promise<WidgetFault>;
  /** Loads the code that reads refusals; undefined if that fails. */
  readonly loadTrouble: () => Promise<{ readonly readRefusal: typeof readRefusal } | undefined>;
  /** The page's host; empty if the page has no origin with a name. */
  readonly host: string;
};

/** The body of POST /verify (D9, submission). */
export type VerifyRequest = {
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

type Challenged = RunEvent & { type: "challenge" };

/**
 * The two endpoints that a page may call, at one service, for one run; each call results in an
 * event of the run. An aborted call fails as well, but nobody listens to it any more.
 */
export type ServiceClient = {
  /** `batch` is what the page has observed so far; empty if it reports nothing. */
  readonly fetchChallenge: (
    siteKey: string,
    action: string | null,
    batch: string,
  ) => Promise<Challenged | FailedEvent>;
  readonly submit: (submission: VerifyRequest) => Promise<RunEvent>;
};

/** The longest that a call with all its tries takes, ms; then the widget shows an error. */
const CALL_TIMEOUT_MS = 9_000;
const MAX_ANSWER_CHARS = 65_536;
/**
 * The widget waits this long at most before the next try, s; for longer waits it shows an error.
 */
const MAX_WAIT_SECONDS = 5;

/**
 * The result of a try, whether another may help, and how long the service asks to wait before it.
 */
type RequestAttempt<Done> = readonly [
  event: Done | FailedEvent,
  mayRetry?: boolean,
  askedSeconds?: number | undefined,
];

type Parse<Done> = (body: unknown, response: Response) => Done | undefined;

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text.length > MAX_ANSWER_CHARS ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A client for `base` (no trailing slash); `signal` ends all its calls. Never sends the page's
 * cookies and paths.
 */
export function createServiceClient(
  base: string,
  signal: AbortSignal,
  surroundings: Surroundings,
): ServiceClient {
  const attempt = async <Done>(
    path: string,
    init: RequestInit,
    limit: AbortSignal,
    parse: Parse<Done>,
  ): Promise<RequestAttempt<Done>> => {
    try {
      const response = await fetch(`${base}/api/v1/${path}`, {
        ...init,
        signal: limit,
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "strict-origin-when-cross-origin",
      });
      const body = await bodyOf(response);
      const { ok, status, headers } = response;
      if (ok) return [parse(body, response) ?? failed({ name: "internal" })];
      const trouble = await surroundings.loadTrouble();
      const [error, askedSeconds] = trouble?.readRefusal(
        body,
        headers.get("retry-after"),
        surroundings.host,
      ) ?? [{ name: "internal" }];
      return [failed(error), status >= 500 || status === 429, askedSeconds];
    } catch {
      if (limit.aborted) return [failed({ name: "timeout" })];
      // A proxy's own 502, without CORS, looks like no network at all.
      const error = await surroundings.whyUnreachable();
      return [failed(error), error.name === "network"];
    }
  };

  const call = async <Done>(
    path: string,
    init: RequestInit,
    parse: Parse<Done>,
  ): Promise<Done | FailedEvent> => {
    const ended = new AbortController();
    const limit = ended.signal;
    const stop = () => ended.abort();
    signal.addEventListener("abort", stop, { signal: limit });
    if (signal.aborted) stop();
    const timer = setTimeout(stop, CALL_TIMEOUT_MS);
    try {
      for (let tries = 1; ; tries++) {
        const [event, mayRetry, askedSeconds = 0] = await attempt(path, init, limit, parse);
        if (!mayRetry || tries === MAX_TRIES || askedSeconds > MAX_WAIT_SECONDS || limit.aborted)
          return event;
        await surroundings.pause(
          Math.max(askedSeconds * 1000, backoffMs(tries, surroundings.random())),
          limit,
        );
        if (limit.aborted) return event;
      }
    } finally {
      clearTimeout(timer);
      // Also ends all other code that was waiting for the call's end.
      stop();
    }
  };

  return {
    fetchChallenge: (siteKey, action, batch) => {
      const query = new URLSearchParams({ site_key: siteKey });
      if (batch) query.set("batch", batch);
      if (action) query.set("action", action);
      // Without WebAssembly (a lockdown mode) the work would take seconds; the service may grant
      // less of it.
      if (!globalThis.WebAssembly) query.set("fallback", "1");
      return call(`pow/challenge?${query}`, {}, (body) => parseChallengeAnswer(body, batch));
    },
    submit: (submission) =>
      call(
        "verify",
        {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: toJson(submission),
        },
        (body, response) =>
          parseVerifyAnswer(
            body,
            submission.signals.batch,
            response.headers.get("date"),
            surroundings.now(),
          ),
      ),
  };
}
