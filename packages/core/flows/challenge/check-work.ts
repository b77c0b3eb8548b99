import { checkSolution } from "@stile/pow/checker";
import { challengeExpiresAtMs } from "../../domain/challenge/challenge.ts";
import { joinBytes, splitSolution } from "../../domain/layout/layout-answer.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Observations, Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { digestAction, digestUserAgent } from "../visitor/visitor-digests.ts";
import type { ReceiptedBatch } from "./receipt.ts";
import type { OpenChallenge } from "./sign-challenge.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "failures">;

/** POST /api/v1/verify, parsed (D9). */
export type Submission = {
  /** Names the request in the log, and to a visitor who was blocked. */
  readonly requestId: string;
  readonly siteKey: string;
  /** Host of `Origin`; undefined if it was missing or `null`. */
  readonly host: string | undefined;
  readonly challenge: string;
  readonly solutionBytes: Uint8Array;
  /** The decoded bytes that the puzzle's digest covers; asked for once the challenge holds. */
  readonly environmentBytes: () => Uint8Array;
  /** Reads the signals; called once the work holds, since reading is dear and junk is cheap to send. */
  readonly observe: () => Observations;
  /** What the page has seen by now; undefined if it does not say. */
  readonly batch?: string | undefined;
  /** What it had seen when it asked for the challenge; undefined if it does not say. */
  readonly earlier?: ReceiptedBatch | undefined;
  readonly actionName: string | undefined;
  readonly cdata: string | undefined;
  readonly visitor: Visitor;
};

/** A submission that a page of the site sent, and its challenge. */
export type RightSolution = {
  readonly site: Site;
  readonly open: OpenChallenge;
  /** Whether it comes from another network than its challenge went to (D9). */
  readonly hasMoved: boolean;
  readonly submission: Submission & { readonly host: string };
};

/** Unexpired, and for this site, action and browser (D9). */
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

/** Whether the solution holds; a wrong one is counted against its challenge, which is refused unhashed from the fourth on. */
export function hasDoneTheWork(ports: Ports, open: OpenChallenge, submission: Submission): boolean {
  const { challenge, bytes } = open;
  if (ports.failures.isUsedUp(challenge.id)) return false;
  const { nonces, layoutBytes } = splitSolution(submission.solutionBytes);
  const outcome = checkSolution({
    challengeBytes: bytes,
    challenge,
    environmentDigest: ports.cryptography.digest(joinBytes(submission.environmentBytes(), layoutBytes)),
    solutionBytes: nonces,
    sha256: (message) => ports.cryptography.digest(message),
  });
  if (outcome.kind === "accepted") return true;
  recordFailure(ports, open);
  return false;
}

/** Counts a wrong or repeated solution against its challenge. */
export function recordFailure(ports: Pick<Ports, "clock" | "failures">, { challenge }: OpenChallenge): void {
  ports.failures.recordFailure(challenge.id, challengeExpiresAtMs(challenge), ports.clock.nowMs());
}

/**
 * Judges and spends what a challenge was met by, which counts as a failure of it for as long as nobody knows what comes of it. Else
 * all copies that come before the first was spent would be judged: a thousand times the dearest there is, for one solution.
 */
export async function countWhile<Answer>(
  ports: Pick<Ports, "clock" | "failures">,
  open: OpenChallenge,
  judgeAndSpend: () => Promise<Answer>,
): Promise<Answer> {
  recordFailure(ports, open);
  try {
    return await judgeAndSpend();
  } finally {
    ports.failures.takeBack(open.challenge.id);
  }
}
