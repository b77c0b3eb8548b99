// Test keys in the two calls of a page (D19, test keys). Nothing here reaches the store, the
// statistics or the counters of networks: no store has a test site.

import { NONCES_PER_SOLUTION } from "@stile/pow/puzzle";
import { CHALLENGE_LIFE_SECONDS } from "@stile/protocol/limits";
import { challengeExpiresAtMs } from "../../domain/challenge/challenge.ts";
import { clickOf } from "../../domain/challenge/decide-submission.ts";
import type { Limited } from "../../domain/rate-window.ts";
import { isTestVisitor, type TestUse } from "../../domain/site/test-keys.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { IssuedToken } from "../token/issue-token.ts";
import { limitTests, outwaitTimeout, sealTestToken } from "../token/test-token.ts";
import { isForThisVisitor, type Submission } from "./check-work.ts";
import type { Issuing } from "./issue-within-budget.ts";
import {
  bindChallenge,
  CHALLENGE_ID_BYTES,
  openChallenge,
  toSignedText,
} from "./sign-challenge.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "settings" | "localLimiter">;

/** Hashes of a test challenge: hardly more than the smallest puzzle, whose 16 nonces need 17. */
const TEST_DIFFICULTY = 32;

/** The page's host is not one where test keys work. */
type ForeignToTests = {
  readonly kind: "domain_mismatch";
  readonly host: string | null;
  readonly isTest: true;
};

const foreign = (host: string | null | undefined): ForeignToTests => ({
  kind: "domain_mismatch",
  host: host ?? null,
  isTest: true,
});

/** A page that uses a test site key. */
type TestPage = {
  readonly host: string | null | undefined;
  readonly actionName: string | undefined;
  readonly visitor: Visitor;
};

/** What a page with a test site key may do now; undefined if it may go on. */
async function stopPage(
  ports: Ports,
  test: TestUse,
  { host, visitor }: TestPage,
): Promise<ForeignToTests | Limited | undefined> {
  if (typeof host !== "string" || !isTestVisitor(test.place, host, visitor)) return foreign(host);
  const limit = limitTests(ports, visitor.address);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  await outwaitTimeout(test);
  return undefined;
}

/** Issues a challenge for a test site key, with hardly any work (D8, challenge; D19, test keys). */
export async function issueTestChallenge(
  ports: Ports,
  test: TestUse,
  page: TestPage,
): Promise<Issuing | ForeignToTests> {
  const stopped = await stopPage(ports, test, page);
  if (stopped !== undefined) return stopped;
  const { cryptography, settings, clock } = ports;
  const { behaviour, siteKey } = test.keys;
  const nowMs = clock.nowMs();
  const challenge = {
    ...bindChallenge(cryptography, { ...page, nowMs }),
    algorithm: settings.algorithm,
    k: NONCES_PER_SOLUTION,
    difficulty: TEST_DIFFICULTY,
    siteKey,
    stage: "first",
    interaction: behaviour === "press" ? "click" : "none",
    isFallback: false,
    issuedAtMs: nowMs,
    lifeSeconds: CHALLENGE_LIFE_SECONDS,
    id: cryptography.randomBytes(CHALLENGE_ID_BYTES),
  } as const;
  return {
    kind: "issued",
    issued: {
      text: toSignedText(cryptography, "challenge", challenge),
      challenge,
      receipt: undefined,
      expiresAtMs: challengeExpiresAtMs(challenge),
      mode: "managed",
      theme: "auto",
      language: "auto",
      onUnavailable: "submit",
      isTest: true,
    },
  };
}

/**
 * Accepts a solution for a test site key (D9, submission; D19, test keys). The work is not checked,
 * so that programs of tests need no solver; a press that was asked for is.
 */
export async function submitTestSolution(
  ports: Ports,
  test: TestUse,
  submission: Submission,
): Promise<
  | IssuedToken
  | ForeignToTests
  | Limited
  | { readonly kind: "retry" }
  | { readonly kind: "blocked"; readonly contact: string }
> {
  const stopped = await stopPage(ports, test, submission);
  if (stopped !== undefined) return stopped;
  const open = openChallenge(ports.cryptography, submission.challenge);
  if (open === undefined || !isForThisVisitor(ports, open, submission)) return { kind: "retry" };
  if (test.keys.behaviour === "fail") return { kind: "blocked", contact: "" };
  if (clickOf(open.challenge.interaction, submission.observe().behaviour) === "due")
    return { kind: "retry" };
  const { actionName, cdata, host = "" } = submission;
  const sealed = sealTestToken(ports, test.keys, { actionName, cdata, hostname: host });
  return { kind: "issued", ...sealed };
}
