import { checkSolution } from "@stile/pow/checker";
import { challengeExpiresAtMs } from "../../domain/challenge/challenge.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PageSignals } from "../../ports/visitor/page-signals.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAction, digestUserAgent } from "../visitor/visitor-digests.ts";
import type { ReceiptedBatch } from "./receipt.ts";
import type { OpenChallenge } from "./sign-challenge.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "failures">;

/** POST /api/v1/verify, parsed (D9, submission). */
export type Submission = PageSignals & {
  /** Identifies the request in the log, and to a visitor who was blocked. */
  readonly requestId: string;
  readonly siteKey: string;
  /** Host of `Origin`; undefined if it was missing or `null`. */
  readonly host: string | undefined;
  readonly challenge: string;
  readonly solutionBytes: Uint8Array;
  /** The page's observations so far; undefined if it does not send them. */
  readonly batch?: string | undefined;
  /**
   * The page's observations when it asked for the challenge; undefined if it does not send them.
   */
  readonly earlier?: ReceiptedBatch | undefined;
  readonly actionName: string | undefined;
  readonly cdata: string | undefined;
  readonly visitor: Visitor;
};

/** A correct solution from a page of the site, with its challenge. */
export type CorrectSolution = {
  readonly site: Site;
  readonly open: OpenChallenge;
  /**
   * Whether it comes from another network than the one its challenge was issued to (D9,
   * submission).
   */
  readonly hasMoved: boolean;
  readonly submission: Submission & { readonly host: string };
};

/**
 * Whether the challenge is unexpired, and belongs to this site, action and browser (D9,
 * submission).
 */
export function isForThisVisitor(
  ports: Pick<Ports, "clock" | "cryptography">,
  { challenge }: OpenChallenge,
  submission: Pick<Submission, "siteKey" | "actionName" | "visitor">,
): boolean {
  const { cryptography } = ports;
  if (challenge.siteKey !== submission.siteKey) return false;
  if (ports.clock.nowMs() >= challengeExpiresAtMs(challenge)) return false;
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const action = digestAction(cryptography, key, submission.actionName);
  const userAgent = digestUserAgent(cryptography, key, submission.visitor.userAgent);
  if (!cryptography.isEqual(action, challenge.actionDigest)) return false;
  return cryptography.isEqual(userAgent, challenge.userAgentDigest);
}

/**
 * Whether the solution is correct. Wrong ones count against the challenge, which is refused
 * unhashed after three.
 */
export function hasDoneTheWork(ports: Ports, open: OpenChallenge, submission: Submission): boolean {
  const { challenge, bytes } = open;
  if (ports.failures.isUsedUp(challenge.id)) return false;
  const outcome = checkSolution({
    challengeBytes: bytes,
    challenge,
    environmentDigest: ports.cryptography.digest(submission.environmentBytes()),
    solutionBytes: submission.solutionBytes,
    sha256: (message) => ports.cryptography.digest(message),
  });
  if (outcome.kind === "accepted") return true;
  recordFailure(ports, open);
  return false;
}

/** Counts a wrong or repeated solution against its challenge. */
export function recordFailure(
  ports: Pick<Ports, "clock" | "failures">,
  { challenge }: OpenChallenge,
): void {
  ports.failures.recordFailure(challenge.id, challengeExpiresAtMs(challenge), ports.clock.nowMs());
}
