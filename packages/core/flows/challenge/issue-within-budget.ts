import type { Challenge } from "@stile/pow/challenge";
import type { SiteMode, Theme } from "@stile/protocol/site-settings";
import { type ChallengeStage, challengeExpiresAtMs, type FallbackWish } from "../../domain/challenge/challenge.ts";
import type { LimitState } from "../../domain/rate-window.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { networkName } from "../visitor/visitor-digests.ts";
import { drawChallenge, payerOf } from "./challenge-budget.ts";
import { decideTerms } from "./challenge-terms.ts";
import { bindChallenge, signChallenge } from "./sign-challenge.ts";

/** What issuing a challenge takes, once its site is known. */
export type IssuingPorts = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "siteLoad"
  | "challengeTallies"
  | "localLimiter"
  | "visitorMemory"
  | "statistics"
>;

/** What the widget is told of a challenge (D8). */
export type IssuedChallenge = {
  readonly text: string;
  readonly challenge: Challenge;
  readonly expiresAtMs: number;
  readonly mode: SiteMode;
  readonly theme: Theme;
  readonly language: string;
};

/** A challenge, or the limit that forbade it. */
export type Issuing =
  | { readonly kind: "issued"; readonly issued: IssuedChallenge }
  | { readonly kind: "limited"; readonly limit: LimitState };

/** For whom a challenge is made; `client` is the visitor's name in the counters. */
export type IssuingRequest = {
  readonly site: Site;
  readonly stage: ChallengeStage;
  readonly actionName: string | undefined;
  readonly visitor: Visitor;
  readonly client: string;
  readonly wish: FallbackWish;
  /** Whether the work of another challenge was just done for it, and a click alone is missing (D9). */
  readonly isWorkDone: boolean;
};

/** Draws from the budgets of network and account and signs a challenge; step-ups count against the same limits (D9, D10). */
export async function issueWithinBudget(ports: IssuingPorts, request: IssuingRequest): Promise<Issuing> {
  const { site } = request;
  const nowMs = ports.clock.nowMs();
  const account = await ports.directory.findAccount(site.accountId);
  if (account === undefined) throw new Error(`site ${site.siteKey} belongs to no account`);
  const payer = { ...account, accountId: payerOf(ports.settings, site) };
  const binding = bindChallenge(ports.cryptography, { ...request, nowMs });
  const draw = drawChallenge(ports, { ...request, account: payer, siteKey: site.siteKey, binding, nowMs });
  if (!draw.isAdmitted) return { kind: "limited", limit: draw.limit };
  const network = networkName(binding);
  const terms = decideTerms(ports, request.stage, { ...request, account: payer, network, draw, nowMs });
  const { challenge, text } = signChallenge(ports.cryptography, ports.settings, { ...terms, site, binding, nowMs });
  ports.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: nowMs });
  const { mode, theme, language } = site;
  return {
    kind: "issued",
    issued: { text, challenge, expiresAtMs: challengeExpiresAtMs(challenge), mode, theme, language },
  };
}
