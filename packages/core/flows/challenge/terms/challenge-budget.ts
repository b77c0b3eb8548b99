import type { Account } from "../../../domain/account/account.ts";
import type { ChallengeBinding } from "../../../domain/challenge/challenge.ts";
import { type Draw, type DrawRules, decideDraw } from "../../../domain/challenge/decide-draw.ts";
import { pricedRate } from "../../../domain/challenge/fair-share.ts";
import type { ServiceSettings } from "../../../domain/service-settings.ts";
import type { Site } from "../../../domain/site/site.ts";
import type { Earned } from "../../../domain/token/earning-window.ts";
import type { Visitor } from "../../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { findOwner } from "../../site/find-owner.ts";
import { householdOf, providerOf } from "../../visitor/network-evidence.ts";
import { agentName, networkName } from "../../visitor/visitor-digests.ts";
import { bindChallenge } from "../sign-challenge.ts";

type Ports = Pick<ServicePorts, "cryptography" | "settings" | "challengeTallies" | "visitorMemory">;
type NetworkPorts = Ports & Pick<ServicePorts, "clock" | "directory" | "tokenUsage">;

/**
 * Names the payer for a site's challenges, under which redeemed tokens are also remembered. It is the site's account;
 * the demo, which any stranger may use, has a budget of its own (D10).
 */
export function payerOf({ demoSiteKey }: ServiceSettings, site: { siteKey: string; accountId: string }): string {
  return site.siteKey === demoSiteKey ? `demo ${site.siteKey}` : site.accountId;
}

/** Challenges a minute that never count as a flood (D10). */
const LEAST_SHARE = 3;

/** The visitor that a challenge is drawn for; `client` is their name in the counters. */
export type DrawRequest = {
  readonly account: Account;
  readonly siteKey: string;
  readonly visitor: Visitor;
  readonly client: string;
  readonly binding: ChallengeBinding;
  readonly nowMs: number;
};

/** A decided draw, with the facts that set the price of its work (D10). */
export type PricedDraw = Draw & {
  /** Challenges a minute that this request pays for. */
  readonly perMinute: number;
  /** The visitor's IPv6 /32 as the counters name it; undefined for IPv4. */
  readonly provider: string | undefined;
  /** Whether a token of this agent was redeemed lately. */
  readonly isKnown: boolean;
};

/** The limits of the account, or those of the service. The default total is never below what one network may draw. */
function rulesOf(account: Account, { limits, overLimit }: ServiceSettings): DrawRules {
  const network = account.challengePerMinute ?? limits.challenge;
  return {
    network,
    total: account.totalPerMinute ?? Math.max(limits.challengeTotal, network),
    overLimit: account.overLimit ?? overLimit,
    leastShare: LEAST_SHARE,
  };
}

/** How many tokens one network may earn of a site in an hour before it counts as over its limit (D10). */
export function tokensPerHourOf(account: Account, settings: ServiceSettings): number {
  return settings.limits.tokensPerHour ?? 60 * rulesOf(account, settings).network;
}

/** Draws one challenge by nested fair shares of account, network, client and agent, and counts it (D10). */
export function drawChallenge(ports: Ports, request: DrawRequest): PricedDraw {
  const { account, siteKey, visitor, client, binding, nowMs } = request;
  const { accountId } = account;
  const { cryptography } = ports;
  const provider = providerOf(cryptography, visitor.address);
  const household = householdOf(cryptography, visitor.address);
  // Behind an undeclared proxy all visitors share one address, and differ as agents only.
  const network = networkName(binding) ?? client;
  const agent = agentName(network, binding.userAgentDigest);
  const inner = household === undefined ? [client, agent] : [household, client, agent];
  const path = ports.challengeTallies.find({ accountId, siteKey, provider, network, inner }, nowMs);
  const isKnown = ports.visitorMemory.hasRedeemed(accountId, agent, nowMs);
  const draw = decideDraw(path, rulesOf(account, ports.settings), { isKnown, nowMs });
  const perMinute = pricedRate(path, isKnown, nowMs);
  ports.challengeTallies.count(path, draw);
  return { ...draw, perMinute, provider, isKnown };
}

/** A draw from the budgets of the visitor's present network, with what else makes their work harder (D8, D10). */
export type NetworkDraw = {
  /** The binding that a challenge issued now would get. */
  readonly binding: ChallengeBinding;
  /** The account that pays. */
  readonly account: Account;
  /** The name of the client's /24 or /48; undefined if unknown. */
  readonly network: string | undefined;
  readonly draw: PricedDraw;
  /** Tokens of the site that the network (if unknown, the client) has earned lately. */
  readonly earned: Earned;
  /** How many the network may earn in an hour. */
  readonly tokensPerHour: number;
  readonly nowMs: number;
};

/** Draws one challenge of the site for the visitor's present network, and counts it. */
export async function drawForNetwork(
  ports: NetworkPorts,
  request: {
    readonly site: Site;
    readonly visitor: Visitor;
    readonly client: string;
    readonly actionName: string | undefined;
  },
): Promise<NetworkDraw> {
  const { cryptography, settings } = ports;
  const { siteKey } = request.site;
  const nowMs = ports.clock.nowMs();
  const owner = await findOwner(ports.directory, request.site);
  const account = { ...owner, accountId: payerOf(settings, request.site) };
  const binding = bindChallenge(cryptography, { ...request, nowMs });
  const draw = drawChallenge(ports, { ...request, account, siteKey, binding, nowMs });
  const network = networkName(binding);
  const earned = ports.tokenUsage.earnedLately(siteKey, network ?? request.client, nowMs);
  return { binding, account, network, draw, earned, tokensPerHour: tokensPerHourOf(owner, settings), nowMs };
}
