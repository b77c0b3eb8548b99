import type { Account } from "../../../domain/account/account.ts";
import type { ChallengeBinding } from "../../../domain/challenge/challenge.ts";
import { type Draw, type DrawRules, decideDraw } from "../../../domain/challenge/decide-draw.ts";
import { pricedRate } from "../../../domain/challenge/fair-share.ts";
import type { ServiceSettings } from "../../../domain/service-settings.ts";
import { payerOf } from "../../../domain/site/payer.ts";
import type { Site } from "../../../domain/site/site.ts";
import { freeEarnings } from "../../../domain/token/usual-earnings.ts";
import type { Visitor } from "../../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { findOwner } from "../../site/find-owner.ts";
import { householdOf, providerOf } from "../../visitor/network-evidence.ts";
import { agentName, networkName } from "../../visitor/visitor-digests.ts";
import { bindChallenge } from "../sign-challenge.ts";

type Ports = Pick<ServicePorts, "cryptography" | "settings" | "challengeTallies" | "visitorMemory">;
type EarningPorts = Pick<ServicePorts, "settings" | "tokenUsage" | "usualEarnings">;
type NetworkPorts = Ports & EarningPorts & Pick<ServicePorts, "clock" | "directory">;

/** Challenges a minute that never count as a flood (D10, limits). */
const LEAST_SHARE = 3;

/** The visitor who draws a challenge; `client` is their name in the counters. */
export type DrawRequest = {
  readonly account: Account;
  readonly siteKey: string;
  readonly visitor: Visitor;
  readonly client: string;
  readonly binding: ChallengeBinding;
  readonly nowMs: number;
};

/** A decided draw, with the facts that set the price of its work (D10, limits). */
export type PricedDraw = Draw & {
  /** Challenges a minute that this request pays for. */
  readonly perMinute: number;
  /** The visitor's IPv6 /32 as the counters name it; undefined for IPv4. */
  readonly provider: string | undefined;
  /** Whether a token of this agent was recently redeemed. */
  readonly isKnown: boolean;
};

/**
 * The limits of the account, or those of the service. The default total is never below what one
 * network may draw.
 */
function rulesOf(account: Account, { limits }: ServiceSettings): DrawRules {
  const network = account.challengePerMinute ?? limits.challenge;
  return {
    network,
    total: account.totalPerMinute ?? Math.max(limits.challengeTotal, network),
    leastShare: LEAST_SHARE,
  };
}

/**
 * The largest part of the tokens of an hour that is free, however busy a site's networks usually
 * are (D10, limits).
 */
const MOST_FREE = 1 / 10;

/** A site with its payer, to look up earnings. */
type EarningSite = { readonly account: Account; readonly siteKey: string; readonly nowMs: number };

const mostFreeOf = ({ settings }: Pick<Ports, "settings">, { account }: EarningSite): number =>
  MOST_FREE * (settings.limits.tokensPerHour ?? 60 * rulesOf(account, settings).network);

/**
 * How many tokens one network may earn of the site in an hour before its work gets harder (D10,
 * limits).
 */
export function freeTokensOf(
  ports: Pick<EarningPorts, "settings" | "usualEarnings">,
  site: EarningSite,
): number {
  return freeEarnings(mostFreeOf(ports, site), ports.usualEarnings.of(site.siteKey, site.nowMs));
}

/** The tokens that a network earned of a site in this hour, and how many are free. */
export type Earnings = { readonly earned: number; readonly free: number };

/**
 * The tokens that the visitor's network earned of the site. If an undeclared proxy hides the
 * networks, all visitors may share one client, and the site's past says nothing about it: then as
 * much is free as on the busiest sites.
 */
export function earningsOf(
  ports: EarningPorts,
  site: EarningSite,
  { network, client }: { readonly network: string | undefined; readonly client: string },
): Earnings {
  const earned = ports.tokenUsage.earnedLately(site.siteKey, network ?? client, site.nowMs);
  return {
    earned,
    free: network === undefined ? mostFreeOf(ports, site) : freeTokensOf(ports, site),
  };
}

/**
 * Draws one challenge by nested fair shares of account, network, client and agent, and counts it
 * (D10, limits).
 */
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

/**
 * A draw from the budgets of the visitor's present network, with the other factors of their work
 * (D8, challenge; D10, limits).
 */
export type NetworkDraw = {
  /** The binding that a challenge issued now would get. */
  readonly binding: ChallengeBinding;
  /** The account that pays. */
  readonly account: Account;
  /** The name of the client's /24 or /48; undefined if unknown. */
  readonly network: string | undefined;
  readonly draw: PricedDraw;
  readonly earnings: Earnings;
  readonly nowMs: number;
};

/** The account that pays for the site's challenges (D10, limits). */
export async function findPayer(
  { directory, settings }: Pick<ServicePorts, "directory" | "settings">,
  site: Site,
): Promise<Account> {
  return { ...(await findOwner(directory, site)), accountId: payerOf(settings, site) };
}

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
  const { cryptography } = ports;
  const { siteKey } = request.site;
  const nowMs = ports.clock.nowMs();
  const account = await findPayer(ports, request.site);
  const binding = bindChallenge(cryptography, { ...request, nowMs });
  const draw = drawChallenge(ports, { ...request, account, siteKey, binding, nowMs });
  const network = networkName(binding);
  const earnings = earningsOf(
    ports,
    { account, siteKey, nowMs },
    { network, client: request.client },
  );
  return { binding, account, network, draw, earnings, nowMs };
}
