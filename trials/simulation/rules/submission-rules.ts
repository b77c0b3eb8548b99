import type { Visitor } from "@stile/core/domain/visitor/visitor";
import type { SubmissionAnswer } from "@stile/core/services/challenge/ask-again";
import type { Challenge } from "@stile/pow/challenge";
import { Violation } from "../world/violation.ts";
import type { ClockMoment } from "./redemption-rules.ts";
import type { Truth } from "./truth.ts";

/** A challenge that a visitor was given. */
export type ChallengeRecord = {
  readonly name: string;
  /** Its id, in hexadecimal digits. */
  readonly id: string;
  readonly challenge: Challenge;
  readonly siteKey: string;
  readonly visitor: Visitor;
  readonly expiresAtMs: number;
  readonly issued: ClockMoment;
  tokens: number;
  /** Wrong solutions that were submitted. */
  failures: number;
  /** Solutions whose outcome is not yet known. */
  underWay: number;
};

/** One submission, and when it began. */
export type SubmitCall = {
  readonly challenge: ChallengeRecord;
  readonly siteKey: string;
  readonly isOwnVisitor: boolean;
  readonly isRight: boolean;
  readonly isOwnHost: boolean;
  /**
   * Whether as many were under way as would use the challenge up if they all failed (proof of
   * work).
   */
  readonly isCrowded: boolean;
  readonly began: ClockMoment;
};

type AnsweredCall = { readonly call: SubmitCall; readonly end: ClockMoment; readonly truth: Truth };

function refuseUnless(isTrue: boolean, rule: string, { call }: AnsweredCall): void {
  if (!isTrue) throw new Violation(rule, `${call.challenge.name}, call of step ${call.began.step}`);
}

/** A correct solution has one outcome, and the submission for it had to be correct. */
function checkSpent(answered: AnsweredCall) {
  const { call, truth } = answered;
  const { challenge, began } = call;
  const isRight =
    call.isRight && call.isOwnVisitor && call.isOwnHost && call.siteKey === challenge.siteKey;
  refuseUnless(isRight, "a wrong solution was taken", answered);
  refuseUnless(
    truth.findChallengeSpend(challenge.id) !== undefined,
    "taken, and not spent",
    answered,
  );
  refuseUnless(
    began.clockMs < challenge.expiresAtMs,
    "a challenge was taken after its expiry",
    answered,
  );
  refuseUnless(
    !truth.isRestoredSince(challenge.issued),
    "a challenge outlived a restore",
    answered,
  );
  const rows = truth.rowsDuring(call.siteKey, began);
  refuseUnless(
    rows.some((row) => row?.isEnabled === true && row.deletedAtMs === null),
    "taken for a dead site",
    answered,
  );
}

function checkRetry(answered: AnsweredCall) {
  const { call, end, truth } = answered;
  const { challenge } = call;
  const isWrong =
    !call.isRight ||
    !call.isOwnVisitor ||
    call.siteKey !== challenge.siteKey ||
    challenge.failures > 0;
  const isOver = end.clockMs >= challenge.expiresAtMs || truth.isRestoredSince(challenge.issued);
  const isSpent = truth.findChallengeSpend(challenge.id) !== undefined;
  refuseUnless(
    isWrong || isOver || isSpent || call.isCrowded,
    "a right solution was refused",
    answered,
  );
}

/** Checks an answer to a submission against the promises of the contract; throws Violation. */
export function checkSubmission(answered: AnsweredCall, answer: SubmissionAnswer) {
  const { call, truth } = answered;
  const rows = truth.rowsKnown(call.siteKey, call.began);
  switch (answer.kind) {
    case "issued":
      call.challenge.tokens += 1;
      refuseUnless(call.challenge.tokens === 1, "a challenge yielded two tokens", answered);
      return checkSpent(answered);
    case "step_up":
    case "price":
      // A visitor who solved the priced challenge has paid, and must not be asked for anything more
      // (D9, submission).
      refuseUnless(
        call.challenge.challenge.stage !== "priced",
        "a visitor who paid was asked for more",
        answered,
      );
      refuseUnless(call.challenge.tokens === 0, "a challenge yielded a token and more", answered);
      return checkSpent(answered);
    case "blocked":
    case "limited":
      refuseUnless(call.challenge.tokens === 0, "a challenge yielded a token and more", answered);
      return checkSpent(answered);
    case "retry":
      return checkRetry(answered);
    case "invalid_site_key":
      return refuseUnless(
        rows.some((row) => row === undefined || row.deletedAtMs !== null),
        "a living site is unknown",
        answered,
      );
    case "site_disabled":
      return refuseUnless(
        rows.some((row) => row?.isEnabled === false),
        "an enabled site is disabled",
        answered,
      );
    case "domain_mismatch":
      return refuseUnless(!call.isOwnHost, "its own domain was refused", answered);
    default:
      answer satisfies never;
  }
}
