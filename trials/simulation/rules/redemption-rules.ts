import { hasLiveSecret, type Site } from "@stile/core/domain/site/site";
import type { RedeemAnswer } from "@stile/core/domain/token/redeem-answer";
import type { Visitor } from "@stile/core/domain/visitor/visitor";
import { REPEAT_SECONDS } from "@stile/protocol/limits";
import { Violation } from "../world/violation.ts";
import type { ClockRules } from "./clock-rules.ts";
import type { Moment, Truth } from "./truth.ts";

/** A moment, with the time on the service's clock. */
export type ClockMoment = Moment & { readonly clockMs: number };

/** A token that a visitor was given. */
export type TokenRecord = {
  readonly name: string;
  /** Its decoded id, in hexadecimal digits. */
  readonly id: string;
  readonly text: string;
  readonly siteKey: string;
  readonly expiresAtMs: number;
  readonly visitor: Visitor;
  /** The visitor's address, as its site's server sees it. */
  readonly ip: string;
  readonly issued: ClockMoment;
  /** The run of the service that issued it. */
  readonly run: number;
  /**
   * Every call for it so far, with the parts that an exact repeat must share; filled in by the
   * rules.
   */
  readonly calls: { readonly signature: string; readonly isUnknown: () => boolean }[];
  /** The signature of the call that first got "verified". */
  verifiedBy: string | undefined;
};

/** A secret key that its owner was shown. */
export type SecretRecord = {
  readonly siteKey: string;
  readonly text: string;
  readonly digest: string;
};

/** One call of a customer's server, or of somebody who makes it call. */
export type RedeemCall = {
  readonly token: TokenRecord;
  readonly text: string;
  readonly secret: SecretRecord;
  readonly idempotencyKey: string | undefined;
  readonly remoteIp: string | undefined;
  readonly userAgent: string | undefined;
  /** Whether address and user agent are those that the token is bound to. */
  readonly isBoundVisitor: boolean;
};

/** A call with the moment when it began, and in which run of the service. */
export type BegunCall = RedeemCall & {
  readonly began: ClockMoment;
  readonly run: number;
  readonly signature: string;
};

/** The known facts about a call when its answer comes. */
type AnsweredCall = {
  readonly call: BegunCall;
  readonly end: ClockMoment;
  readonly truth: Truth;
  readonly clock: ClockRules;
};

const DAY_MS = 86_400_000;
const REPEAT_MS = REPEAT_SECONDS * 1000;
/** Steps of the system's clock that are followed, over a token's whole life. */
const SLACK_MS = 6_000;

/** Whether the call can be repeated: a key that equals the token is ignored (D2, redemption). */
const hasKey = ({ idempotencyKey, text }: RedeemCall): boolean =>
  idempotencyKey !== undefined && idempotencyKey !== text;

/** The parts that an exact repeat must share (D2, redemption). */
export function signatureOf(call: RedeemCall): string {
  const { secret, token, idempotencyKey, remoteIp, userAgent } = call;
  return JSON.stringify([
    secret.siteKey,
    token.id,
    hasKey(call) ? idempotencyKey : null,
    remoteIp,
    userAgent,
  ]);
}

function refuseUnless(isTrue: boolean, rule: string, { call }: AnsweredCall): void {
  if (!isTrue) throw new Violation(rule, `${call.token.name}, call of step ${call.began.step}`);
}

const isTampered = ({ call }: AnsweredCall): boolean => call.text !== call.token.text;

/**
 * Whether at some moment of the call the site accepted the secret, was enabled and allowed such a
 * visitor.
 */
function mayPass({ call, truth }: AnsweredCall): boolean {
  const admits = (row: Site | undefined): boolean =>
    row?.isEnabled === true &&
    hasLiveSecret(row, call.secret.digest, call.began.clockMs) &&
    (row.binding === "off" || call.isBoundVisitor);
  return truth.rowsDuring(call.secret.siteKey, call.began).some(admits);
}

function checkFresh(answered: AnsweredCall) {
  const { call, truth } = answered;
  const { token } = call;
  refuseUnless(token.verifiedBy === undefined, "a token was verified twice", answered);
  token.verifiedBy = call.signature;
  refuseUnless(truth.findTokenSpend(token.id) !== undefined, "verified, and not spent", answered);
  refuseUnless(!isTampered(answered), "a changed token was verified", answered);
  refuseUnless(token.siteKey === call.secret.siteKey, "verified for another site", answered);
  refuseUnless(call.began.clockMs < token.expiresAtMs, "verified after its expiry", answered);
  refuseUnless(!truth.isRestoredSince(token.issued), "a token outlived a restore", answered);
  refuseUnless(
    mayPass(answered),
    "verified for a dead secret, a disabled site or another visitor",
    answered,
  );
}

function checkRepeated(answered: AnsweredCall, verifiedAtMs: number) {
  const { call, truth } = answered;
  const spend = truth.findTokenSpend(call.token.id);
  refuseUnless(spend !== undefined, "repeated, and not spent", answered);
  refuseUnless(verifiedAtMs === spend?.atMs, "repeated with another time", answered);
  refuseUnless(call.began.clockMs - verifiedAtMs < REPEAT_MS, "repeated too late", answered);
  refuseUnless(
    mayPass(answered),
    "repeated for a dead secret, a disabled site or another visitor",
    answered,
  );
  const isExact =
    call.token.verifiedBy === undefined
      ? call.token.calls.some(
          ({ signature, isUnknown }) => signature === call.signature && isUnknown(),
        )
      : call.token.verifiedBy === call.signature;
  refuseUnless(isExact && hasKey(call), "repeated for another call", answered);
}

/**
 * The very call that spent the token gets the same answer for a minute, even if its first answer
 * was lost.
 */
function checkRepeatIsGranted(answered: AnsweredCall) {
  const { call, end, truth } = answered;
  const spend = truth.findTokenSpend(call.token.id);
  if (spend === undefined || !hasKey(call) || truth.isRestoredSince(spend)) return;
  const { verifiedBy, calls } = call.token;
  const isExact =
    verifiedBy === undefined
      ? calls.every(({ signature }) => signature === call.signature)
      : verifiedBy === call.signature;
  const isDue = isExact && end.clockMs - spend.atMs < REPEAT_MS;
  refuseUnless(!isDue, "an exact repeat was refused", answered);
}

function checkExpired(answered: AnsweredCall) {
  const { call, end, truth, clock } = answered;
  const { token } = call;
  checkRepeatIsGranted(answered);
  if (truth.isRestoredSince(token.issued)) return;
  refuseUnless(end.clockMs >= token.expiresAtMs, "expired before its time", answered);
  const lifeMs = token.expiresAtMs - token.issued.clockMs;
  const isOwnLife = token.run === call.run && clock.isUndisturbed(token.issued.trueMs, end.trueMs);
  refuseUnless(
    !isOwnLife || end.trueMs - token.issued.trueMs >= lifeMs - SLACK_MS,
    "a jump ended a token",
    answered,
  );
}

function checkRefused(
  answered: AnsweredCall,
  reason: Extract<RedeemAnswer, { kind: "refused" }>["reasonCode"],
) {
  const { call, truth, clock } = answered;
  const { token, secret } = call;
  const isRestored = truth.isRestoredSince(token.issued);
  const rows = truth.rowsKnown(secret.siteKey, call.began);
  const because = (isTrue: boolean): void =>
    refuseUnless(isTrue, `refused without reason as ${reason}`, answered);
  switch (reason) {
    case "token_already_used":
      because(truth.findTokenSpend(token.id) !== undefined);
      return checkRepeatIsGranted(answered);
    case "token_expired":
      return checkExpired(answered);
    case "invalid_signature":
      // A token's key is dropped two days after another replaced it.
      return because(
        isTampered(answered) || isRestored || clock.highestMs() - token.issued.clockMs > 2 * DAY_MS,
      );
    case "site_key_mismatch":
      return because(token.siteKey !== secret.siteKey);
    case "invalid_site_key": {
      const isGone = truth
        .rowsKnown(token.siteKey, call.began)
        .some((row) => row === undefined || row.deletedAtMs !== null);
      return because(token.siteKey !== secret.siteKey && isGone);
    }
    case "site_disabled":
      return because(rows.some((row) => row?.isEnabled === false));
    case "binding_mismatch":
      return because(!call.isBoundVisitor);
    case "missing_token":
      return because(false);
    default:
      reason satisfies never;
  }
}

/**
 * Over the limit: of fresh redemptions, according to the store; or of all others (D2, redemption).
 */
function checkLimited(answered: AnsweredCall) {
  const { call, end, truth } = answered;
  const { token, secret } = call;
  if (truth.wasLimitedSince(token.id, call.began)) return;
  const isFresh =
    !isTampered(answered) &&
    token.siteKey === secret.siteKey &&
    end.clockMs < token.expiresAtMs &&
    !truth.isRestoredSince(token.issued) &&
    truth.findTokenSpend(token.id) === undefined &&
    truth
      .rowsKnown(secret.siteKey, call.began)
      .every((row) => row?.isEnabled === true && (row.binding === "off" || call.isBoundVisitor));
  refuseUnless(!isFresh, "a fresh token was refused for others' sake", answered);
}

/** Checks an answer to a redemption against the promises of the contract; throws Violation. */
export function checkRedemption(answered: AnsweredCall, answer: RedeemAnswer) {
  const { call, end, truth } = answered;
  switch (answer.kind) {
    case "verified":
      if (answer.limit === undefined) checkRepeated(answered, answer.verdict.verifiedAtMs);
      else checkFresh(answered);
      return;
    case "refused":
      return checkRefused(answered, answer.reasonCode);
    case "invalid_secret":
    case "caller_limited": {
      const rows = truth.rowsKnown(call.secret.siteKey, call.began);
      const isDead = rows.some(
        (row) => row === undefined || !hasLiveSecret(row, call.secret.digest, end.clockMs),
      );
      return refuseUnless(isDead, "a living secret was refused", answered);
    }
    case "limited":
      return checkLimited(answered);
    default:
      throw new Violation("an answer that no call asks for", answer.kind);
  }
}
