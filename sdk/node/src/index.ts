// The server's part of Stile: redeems a form's token, or asks for a score.
//
// Worked example. `await stile.verify(request)` in the handler of a login reads the token from the
// form, asks the service, and resolves to { ok: true, recommendation: "allow", reason: null, ... }.
// The same token again: { ok: false, recommendation: "block", reason: "token_already_used", ... }.
// While the service is down: { ok: false, reason: "unavailable", wasAbleToVerify: false }, or ok: true
// with `onUnavailable: "accept"`.
import { callService, type ServiceAnswer } from "./call-service.ts";
import { checkCall, readOptions, type StileOptions } from "./options.ts";
import { describeVisitor, findToken, isRequest, type NodeRequest } from "./visitor-request.ts";

export type { StileOptions } from "./options.ts";
export type { NodeRequest } from "./visitor-request.ts";

/** What to do with a visitor: let in, ask for a second step of your own, or refuse. */
export type Recommendation = "allow" | "challenge" | "block";

/** What the service says of a token: `data` of POST /api/v1/token/verify. */
export type Verdict = {
  readonly verified: boolean;
  /** 0 (person) to 1 (bot). */
  readonly score: number;
  readonly recommendation?: Recommendation;
  /** The host of the page where the token was earned. */
  readonly hostname?: string;
  readonly action?: string;
  readonly cdata?: string;
  readonly reasonCode?: string;
  readonly [field: string]: unknown;
};

/** The outcome of `verify`. */
export type Verification = {
  /** Whether to let the visitor in. */
  readonly ok: boolean;
  /**
   * The site's rule for this score. In the modes invisible and non-interactive it may be
   * `"challenge"`: ask for a second step of your own.
   */
  readonly recommendation: Recommendation;
  /** Why not, as a code for your log; null if ok. New codes may be added. */
  readonly reason: string | null;
  /** The service's answer; null if it gave none. */
  readonly verdict: Verdict | null;
  /** False if the service gave no verdict; `ok` is then what `onUnavailable` says. */
  readonly wasAbleToVerify: boolean;
};

/** The options of one call of `verify`. */
export type VerifyOptions = {
  /** The visitor's address. Default: what the request says; a web Request does not know it. */
  readonly remoteIp?: string | null | undefined;
  /** Default: the header of the request. */
  readonly userAgent?: string | null | undefined;
  /** The action that the page must have named, such as `login`. */
  readonly action?: string | undefined;
};

/** The options of one call of `score`. */
export type ScoreOptions = {
  /** What `stile.collect()` returned in the page. */
  readonly signals?: string | undefined;
  readonly action?: string | undefined;
  /** A token of the widget; it is read and not spent. */
  readonly token?: string | undefined;
  readonly remoteIp?: string | null | undefined;
};

/** The outcome of `score`. */
export type Scoring = Verification & {
  /** 0 (person) to 1 (bot); null if the service gave none. */
  readonly score: number | null;
  readonly flags: readonly string[];
};

/** `data` of POST /api/v1/score. */
type ScoreData = {
  readonly score: number;
  readonly flags: readonly string[];
  readonly action: Recommendation;
};

/** A client of one site. */
export type Stile = {
  /** Redeems the token of a request, or a token. Never rejects for anything a visitor can cause. */
  readonly verify: (
    source: Request | NodeRequest | string | null | undefined,
    options?: VerifyOptions,
  ) => Promise<Verification>;
  /** Scores the visitor of a request, without a widget (POST /api/v1/score). */
  readonly score: (source: Request | NodeRequest, options?: ScoreOptions) => Promise<Scoring>;
};

const refuse = (reason: string, verdict: Verdict | null): Verification => ({
  ok: false,
  recommendation: "block",
  reason,
  verdict,
  wasAbleToVerify: true,
});

/**
 * The service reads no longer call, and closes its connection, which would look like an outage. A
 * visitor could cause that with a long token, user agent or signals.
 */
const MAX_BYTES = { verify: 16_384, score: 65_536 } as const;

const bytesOf = (call: object): number => new TextEncoder().encode(JSON.stringify(call)).length;

/** Thirty-two characters by which the service recognises the repeat of a call. */
const newIdempotencyKey = (): string =>
  Array.from({ length: 32 }, () => Math.floor(Math.random() * 36).toString(36)).join("");

const isBelow = (host: unknown, hostnames: readonly string[]): boolean =>
  hostnames.some((name) => `.${host}`.endsWith(`.${name}`));

/** The service's own reason for an answer other than 200. */
function reasonOf({ status, body }: NonNullable<ServiceAnswer>): string {
  const { reasonCode, error } = body as { reasonCode?: unknown; error?: { code?: unknown } };
  const code = reasonCode ?? error?.code;
  return typeof code === "string" ? code : `http_${status}`;
}

/** Makes a client. Throws a TypeError that names the first wrong option. */
export function createStile(settings: StileOptions): Stile {
  const { secretKey, baseUrl, onUnavailable, hostnames, maxScore } = readOptions(settings);

  const unavailable = (): Verification => ({
    ok: onUnavailable === "accept",
    recommendation: onUnavailable === "accept" ? "allow" : "block",
    reason: "unavailable",
    verdict: null,
    wasAbleToVerify: false,
  });

  const readAnswer = (answer: ServiceAnswer, action: string | undefined): Verification => {
    if (answer === undefined || typeof answer.body.data !== "object" || answer.body.data === null) {
      // A visitor can cause a 4xx, so it is a refusal and never "unavailable".
      return answer !== undefined && answer.status >= 400
        ? refuse(reasonOf(answer), null)
        : unavailable();
    }
    const verdict = answer.body.data as Verdict;
    if (answer.status !== 200) return refuse(reasonOf(answer), verdict);
    if (verdict.verified !== true) return refuse(reasonOf(answer), verdict);
    if (hostnames.length > 0 && !isBelow(verdict.hostname, hostnames))
      return refuse("hostname_mismatch", verdict);
    if (action !== undefined && verdict.action !== action)
      return refuse("action_mismatch", verdict);
    if (maxScore !== undefined && !(verdict.score <= maxScore))
      return refuse("score_too_high", verdict);
    const { recommendation = "block" } = verdict;
    if (recommendation !== "allow")
      return { ...refuse(`recommendation_${recommendation}`, verdict), recommendation };
    return { ok: true, recommendation, reason: null, verdict, wasAbleToVerify: true };
  };

  return {
    async verify(source, options = {}) {
      checkCall(options, ["remoteIp", "userAgent", "action"]);
      const { remoteIp, userAgent, action } = options;
      const request = isRequest(source) ? source : undefined;
      const visitor = request && describeVisitor(request);
      const token = request === undefined ? source : await findToken(request);
      if (typeof token !== "string" || token.trim() === "") return refuse("missing_token", null);
      const call = {
        token,
        remoteip: remoteIp ?? visitor?.ip,
        user_agent: userAgent ?? visitor?.userAgent,
        idempotency_key: newIdempotencyKey(),
      };
      if (bytesOf(call) > MAX_BYTES.verify) return refuse("invalid_signature", null);
      return readAnswer(
        await callService(`${baseUrl}/api/v1/token/verify`, secretKey, call),
        action,
      );
    },

    async score(source, options = {}) {
      checkCall(options, ["signals", "action", "token", "remoteIp"]);
      const { signals, action, token, remoteIp } = options;
      if (!isRequest(source)) throw new TypeError("Stile: score needs a request.");
      const { ip, userAgent, headers, url } = describeVisitor(source);
      const visitor = { ip: remoteIp ?? ip, user_agent: userAgent, headers, url };
      const call = { ...visitor, signals, action, token };
      const without = { score: null, flags: [] };
      if (bytesOf(call) > MAX_BYTES.score) return { ...refuse("too_large", null), ...without };
      const answer = await callService(`${baseUrl}/api/v1/score`, secretKey, call);
      if (answer !== undefined && answer.status !== 200)
        return { ...refuse(reasonOf(answer), null), ...without };
      const data = answer?.body.data as ScoreData | undefined;
      if (typeof data?.score !== "number") return { ...unavailable(), ...without };
      const { score, flags, action: recommendation } = data;
      const found = { verdict: null, wasAbleToVerify: true, score, flags };
      if (maxScore !== undefined && score > maxScore)
        return { ...refuse("score_too_high", null), ...found };
      const ok = recommendation === "allow";
      return {
        ok,
        recommendation,
        reason: ok ? null : `recommendation_${recommendation}`,
        ...found,
      };
    },
  };
}
