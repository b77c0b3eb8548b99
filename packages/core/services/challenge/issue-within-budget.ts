import type { Challenge } from "@stile/pow/challenge";
import type { OnUnavailable, SiteMode, Theme } from "@stile/protocol/site-settings";
import {
  type ChallengeStage,
  challengeExpiresAtMs,
  type FallbackState,
} from "../../domain/challenge/challenge.ts";
import type { Limited } from "../../domain/rate-window.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { giveReceipt } from "./receipt.ts";
import { CHALLENGE_ID_BYTES, signChallenge } from "./sign-challenge.ts";
import { drawForNetwork } from "./terms/challenge-budget.ts";
import { decideTerms, isBusy } from "./terms/challenge-terms.ts";
import { rationClaim } from "./terms/fallback-terms.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "siteLoad"
  | "challengeTallies"
  | "tokenUsage"
  | "usualEarnings"
  | "localLimiter"
  | "visitorMemory"
  | "statistics"
>;

/** The widget's data about a challenge (D8, challenge). */
export type IssuedChallenge = {
  readonly text: string;
  readonly challenge: Challenge;
  /** The service's signature of the page's observations; undefined if it sent none. */
  readonly receipt: string | undefined;
  readonly expiresAtMs: number;
  readonly mode: SiteMode;
  readonly theme: Theme;
  readonly language: string;
  readonly onUnavailable: OnUnavailable;
  /** Whether it is for a test site key (D19, test keys). */
  readonly isTest?: true;
};

/** A challenge, or the limit that prevented it. */
export type Issuing = { readonly kind: "issued"; readonly issued: IssuedChallenge } | Limited;

/** The visitor of a challenge; `client` is their name in the counters. */
export type IssuingRequest = {
  readonly site: Site;
  /** Called once the draw was admitted, because looking for a signature is costly and spends it. */
  readonly stage: () => ChallengeStage;
  readonly actionName: string | undefined;
  readonly visitor: Visitor;
  readonly client: string;
  readonly fallback: FallbackState;
  /** The page's observations when it asked; undefined if it sent none. */
  readonly batch: string | undefined;
  /**
   * Whether the visitor has just done the work of another challenge, and only a click is missing
   * (D9, submission).
   */
  readonly isWorkDone: boolean;
  /**
   * Whether the price includes that of a press, which the visitor did not make (D9, submission).
   */
  readonly paysForPress?: boolean;
};

/**
 * Draws from the budgets of network and account and signs a challenge. Step-ups count just the same
 * (D9, submission; D10, limits).
 */
export async function issueWithinBudget(ports: Ports, request: IssuingRequest): Promise<Issuing> {
  const { site, batch } = request;
  const { siteKey } = site;
  const drawn = await drawForNetwork(ports, request);
  if (!drawn.draw.isAdmitted) return { kind: "limited", limit: drawn.draw.limit };
  const { binding, nowMs } = drawn;
  const stage = request.stage();
  const ration = rationClaim(ports, {
    siteKey,
    stage,
    fallback: request.fallback,
    provider: drawn.draw.provider,
    network: drawn.network ?? request.client,
    isBusy: isBusy(drawn),
    nowMs,
  });
  if (ration?.isAdmitted === false) return { kind: "limited", limit: ration };
  const terms = decideTerms(ports, stage, { ...request, ...drawn });
  const { cryptography, settings } = ports;
  const id = cryptography.randomBytes(CHALLENGE_ID_BYTES);
  const { challenge, text } = signChallenge(cryptography, settings, {
    ...terms,
    site,
    binding,
    id,
    nowMs,
  });
  ports.siteLoad.record(siteKey, nowMs);
  ports.statistics.count({ siteKey, metric: "challenge_issued", atMs: nowMs });
  const receipt = batch === undefined ? undefined : giveReceipt(cryptography, challenge, batch);
  return {
    kind: "issued",
    issued: {
      text,
      challenge,
      receipt,
      expiresAtMs: challengeExpiresAtMs(challenge),
      mode: site.mode,
      theme: site.theme,
      language: site.language,
      onUnavailable: site.onUnavailable,
    },
  };
}
