import type { Account } from "../../domain/account/account.ts";
import type { ChallengeBinding } from "../../domain/challenge/challenge.ts";
import { type Draw, type DrawRules, decideDraw } from "../../domain/challenge/decide-draw.ts";
import { pricedRate } from "../../domain/challenge/fair-share.ts";
import type { ServiceSettings } from "../../domain/service-settings.ts";
import type { Site } from "../../domain/site/site.ts";
import type { Earned } from "../../domain/token/earning-window.ts";
import { householdPrefix, providerPrefix } from "../../domain/visitor/address-prefixes.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwner } from "../site/find-owner.ts";
import { agentName, networkName } from "../visitor/visitor-digests.ts";
import { bindChallenge } from "./sign-challenge.ts";

type Ports = Pick<ServicePorts, "cryptography" | "settings" | "challengeTallies" | "visitorMemory">;
type NetworkPorts = Ports & Pick<ServicePorts, "clock" | "directory" | "tokenUsage">;

/**
 * Whose budgets a site's challenges draw on, and where what became of its tokens is remembered: its account's, but for the
 * demo, which any stranger may use (D10).
 */
export function payerOf({ demoSiteKey }: ServiceSettings, site: { siteKey: string; accountId: string }): string {
  return site.siteKey === demoSiteKey ? `demo ${site.siteKey}` : site.accountId;
}

/** Challenges a minute that are nobody's flood (D10). */
const LEAST_SHARE = 3;

/** For whom; `client` is the visitor's name in the counters. */
export type DrawRequest = {
  readonly account: Account;
  readonly siteKey: string;
  readonly visitor: Visitor;
  readonly client: string;
  readonly binding: ChallengeBinding;
  readonly nowMs: number;
};

/** A judged draw, and what it says about the price of the work (D10). */
export type PricedDraw = Draw & {
  /** Challenges a minute that this request pays for. */
  readonly perMinute: number;
  /** The name of the IPv6 /32 that they are in, in the counters; undefined for IPv4. */
  readonly provider: string | undefined;
  /** A token of this agent was redeemed lately. */
  readonly isKnown: boolean;
};

/** The account's own limits, or those of the service; nobody's total is below what one network may draw. */
function rulesOf(account: Account, { limits, overLimit }: ServiceSettings): DrawRules {
  const network = account.challengePerMinute ?? limits.challenge;
  return {
    network,
    total: account.totalPerMinute ?? Math.max(limits.challengeTotal, network),
    overLimit: account.overLimit ?? overLimit,
    leastShare: LEAST_SHARE,
  };
}

/** What one network may earn of a site in an hour before it counts as over its limit (D10). */
export function tokensPerHourOf(account: Account, settings: ServiceSettings): number {
  return settings.limits.tokensPerHour ?? 60 * rulesOf(account, settings).network;
}

/** Draws one challenge, by nested fair shares of account, network, client and agent, and counts it (D10). */
export function drawChallenge(ports: Ports, request: DrawRequest): PricedDraw {
  const { account, siteKey, visitor, client, binding, nowMs } = request;
  const { accountId } = account;
  const { cryptography } = ports;
  const nameOf = (prefix: Uint8Array | undefined) => prefix && cryptography.addressDigest(prefix);
  const provider = nameOf(visitor.address && providerPrefix(visitor.address));
  const household = nameOf(visitor.address && householdPrefix(visitor.address));
  // Behind a proxy that nobody declared all visitors share its address, and are told apart as agents only.
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

/** A draw on the budgets of the network that a visitor is in now, and what else makes its work dearer (D8, D10). */
export type NetworkDraw = {
  /** What a challenge made now would be bound to. */
  readonly binding: ChallengeBinding;
  /** Who pays. */
  readonly account: Account;
  /** The name of the client's /24 or /48; undefined where it is unknown. */
  readonly network: string | undefined;
  readonly draw: PricedDraw;
  /** Tokens of the site that the network earned lately; the client, where its network is unknown. */
  readonly earned: Earned;
  /** What it may earn in an hour. */
  readonly tokensPerHour: number;
  readonly nowMs: number;
};

/** Draws one challenge of the site for where its visitor is now, and counts it. */
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
  const owner = await findOwner(ports, request.site);
  const account = { ...owner, accountId: payerOf(settings, request.site) };
  const binding = bindChallenge(cryptography, { ...request, nowMs });
  const draw = drawChallenge(ports, { ...request, account, siteKey, binding, nowMs });
  const network = networkName(binding);
  const earned = ports.tokenUsage.earnedLately(siteKey, network ?? request.client, nowMs);
  return { binding, account, network, draw, earned, tokensPerHour: tokensPerHourOf(owner, settings), nowMs };
}
