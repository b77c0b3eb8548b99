import type { RunEvent } from "../machine/widget-state.ts";
import { fieldsOf, textLike } from "../untrusted.ts";
import type { ServiceChallenge } from "./service-challenge.ts";

const CHALLENGE = /^[\w-]{1,1024}$/;
/**
 * A token of D4 (sealed token) in base64url; the bound is what the service accepts, not what it
 * issues.
 */
const TOKEN = /^[\w.-]{1,2048}$/;
/** 200 characters, each of which may be two UTF-16 code units. */
const CONTACT = /^.{1,400}$/s;
/** The service's id of a request (D11, errors). */
export const REQUEST_ID = /^.{1,64}$/s;
/** Bounds for a plausible token life: D4 (sealed token) allows 30..900 s. */
const LEAST_LIFE_MS = 15_000;
const MOST_LIFE_MS = 900_000;

type AnswerFields = Readonly<Record<string, unknown>>;

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0;

const dataOf = (body: unknown): AnswerFields => fieldsOf(fieldsOf(body).data);

type PuzzleFields = Pick<ServiceChallenge, "challenge" | "algorithm" | "k" | "difficulty">;

/**
 * Turns the untrusted `data` of D8 (challenge) into a challenge that was requested with that batch;
 * undefined if it is none.
 */
function toChallenge(data: AnswerFields, batch: string): ServiceChallenge | undefined {
  const { receipt } = data;
  if (
    !textLike(CHALLENGE, data.challenge) ||
    ![data.algorithm, data.k, data.difficulty].every(isCount)
  )
    return undefined;
  return {
    ...(data as PuzzleFields),
    isInvisible: data.mode === "invisible",
    keepsForm: data.on_unavailable === "block",
    earlier: typeof receipt === "string" ? { batch, receipt } : undefined,
  };
}

/**
 * The body of GET /pow/challenge with status 200 (D8, challenge), parsed; undefined if it is not
 * valid.
 */
export function parseChallengeAnswer(
  body: unknown,
  batch: string,
): (RunEvent & { type: "challenge" }) | undefined {
  const challenge = toChallenge(dataOf(body), batch);
  return challenge && { type: "challenge", challenge };
}

/**
 * How long a token lives, ms, from its `expires_at` and the answer's Date header, both by the
 * service's clock: the device's may be wrong. `nowMs` is used if the Date header is hidden.
 * Bounded, so that a wrong clock costs no more than a renewal.
 */
export function lifeOf(expiresAt: unknown, dateHeader: string | null, nowMs: number): number {
  const serverNowMs = dateHeader ? Date.parse(dateHeader) : nowMs;
  const lifeMs = typeof expiresAt === "string" ? Date.parse(expiresAt) - serverNowMs : 0;
  return Math.min(MOST_LIFE_MS, Math.max(LEAST_LIFE_MS, lifeMs || 0));
}

/**
 * Turns the body of POST /verify with status 200 (D9, submission), submitted with that batch, into
 * the run's event; undefined if invalid.
 */
export function parseVerifyAnswer(
  body: unknown,
  batch: string,
  dateHeader: string | null,
  nowMs: number,
): RunEvent | undefined {
  const data = dataOf(body);
  if (data.verified === true) {
    const token = textLike(TOKEN, data.token);
    return token
      ? { type: "verified", token, lifeMs: lifeOf(data.expires_at, dateHeader, nowMs) }
      : undefined;
  }
  if (data.verified !== false) return undefined;
  switch (data.next) {
    // A retry comes without a challenge.
    case "retry":
    case "interact":
    case "work":
      return { type: "again", challenge: toChallenge(fieldsOf(data.challenge), batch) };
    case "blocked": {
      const detail = textLike(CONTACT, data.contact);
      const requestId = textLike(REQUEST_ID, data.request_id);
      return { type: "failed", error: { name: "blocked_by_policy", detail, requestId } };
    }
    default:
      return undefined;
  }
}
