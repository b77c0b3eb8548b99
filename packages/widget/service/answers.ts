import { type Interaction, THEMES, type Theme } from "@stile/protocol/site-settings";
import { clip, fieldsOf } from "../untrusted.ts";

/** A challenge as the service sends it (D8), checked for its shape; whether this build can solve it, the solver says. */
export type ServiceChallenge = {
  /** base64url, as it is handed back. */
  readonly challenge: string;
  readonly algorithm: number;
  readonly k: number;
  readonly difficulty: number;
  /** What the frame lays out, as it came. */
  readonly scenes?: unknown;
  readonly interaction: Interaction;
  readonly theme: Theme;
  /** The site's: `auto` or a BCP 47 tag. */
  readonly language: string;
  /** Whether the site's mode is `invisible`: nothing is shown unless something goes wrong. */
  readonly isInvisible: boolean;
  /** Whether the site keeps forms in an outage (D15). */
  readonly keepsForm: boolean;
  /** The batch it came for, and its receipt; undefined where the service gave none. */
  readonly earlier: { readonly batch: string; readonly receipt: string } | undefined;
};

/** What POST /verify said with status 200 (D9). */
export type VerifyAnswer =
  | { readonly kind: "verified"; readonly token: string; readonly lifeMs: number }
  | { readonly kind: "again"; readonly challenge: ServiceChallenge | undefined }
  | { readonly kind: "blocked"; readonly requestId: string | undefined; readonly contact: string | undefined };

const CHALLENGE_PATTERN = /^[\w-]{1,1024}$/;
const MAX_REQUEST_ID_CHARS = 64;
/** 200 characters, each of which may be two of a text's own. */
const MAX_CONTACT_CHARS = 400;
const MAX_LANGUAGE_CHARS = 35;
/** A token of D4 in base64url; the bound is what the service accepts, not what it issues. */
const TOKEN_PATTERN = /^[\w.-]{1,2048}$/;
/** Token life that is believed: D4 allows 30..900 s. */
const LIFE_MS = { min: 15_000, max: 900_000 };

type Fields = Readonly<Record<string, unknown>>;

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;

const dataOf = (body: unknown): Fields => fieldsOf(fieldsOf(body).data);

/** A text that is there and no longer than that; undefined for anything else. */
export function shortText(value: unknown, max = MAX_REQUEST_ID_CHARS): string | undefined {
  return typeof value === "string" && value.length > 0 && value.length <= max ? value : undefined;
}

/** The `data` of D8, untrusted, to a challenge that was asked for with that batch; undefined if it is none. */
function toChallenge(data: Fields, batch: string): ServiceChallenge | undefined {
  const { challenge, algorithm, k, difficulty, scenes, receipt } = data;
  if (typeof challenge !== "string" || !CHALLENGE_PATTERN.test(challenge)) return undefined;
  if (!isCount(algorithm) || !isCount(k) || !isCount(difficulty)) return undefined;
  return {
    challenge,
    algorithm,
    k,
    difficulty,
    scenes,
    interaction: data.interaction === "click" ? "click" : "none",
    theme: THEMES.find((one) => one === data.theme) ?? "auto",
    language: clip(data.language, MAX_LANGUAGE_CHARS),
    isInvisible: data.mode === "invisible",
    keepsForm: data.on_unavailable === "block",
    earlier: typeof receipt === "string" ? { batch, receipt } : undefined,
  };
}

/** The body of GET /pow/challenge with status 200 (D8), or undefined if it is not that. */
export function parseChallengeAnswer(body: unknown, batch: string): ServiceChallenge | undefined {
  return toChallenge(dataOf(body), batch);
}

/**
 * Milliseconds a token lives, from its `expires_at` and the answer's Date header, both of the service's clock: the device's may be
 * wrong. `nowMs` stands in for a hidden Date header. Bounded, so that a wrong clock costs a renewal and no more.
 */
export function lifeOf(expiresAt: unknown, dateHeader: string | null, nowMs: number): number {
  const serverNowMs = dateHeader === null ? nowMs : Date.parse(dateHeader);
  const lifeMs = typeof expiresAt === "string" ? Date.parse(expiresAt) - serverNowMs : 0;
  return Math.min(LIFE_MS.max, Math.max(LIFE_MS.min, lifeMs || 0));
}

/** The body of POST /verify with status 200 (D9), handed in with that batch, or undefined if it is not that. */
export function parseVerifyAnswer(
  body: unknown,
  batch: string,
  dateHeader: string | null,
  nowMs: number,
): VerifyAnswer | undefined {
  const data = dataOf(body);
  if (data.verified === true) {
    const { token, expires_at: expiresAt } = data;
    if (typeof token !== "string" || !TOKEN_PATTERN.test(token)) return undefined;
    return { kind: "verified", token, lifeMs: lifeOf(expiresAt, dateHeader, nowMs) };
  }
  if (data.verified !== false) return undefined;
  switch (data.next) {
    case "retry":
      return { kind: "again", challenge: undefined };
    case "interact":
      return { kind: "again", challenge: toChallenge(fieldsOf(data.challenge), batch) };
    case "blocked":
      return {
        kind: "blocked",
        requestId: shortText(data.request_id),
        contact: shortText(data.contact, MAX_CONTACT_CHARS),
      };
    default:
      return undefined;
  }
}
