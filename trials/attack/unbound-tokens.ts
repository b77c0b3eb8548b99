import { mintEasyChallenge } from "@stile/testkit/minting/easy-challenges";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import {
  behaviourOf,
  ENVIRONMENT,
  encodeSignals,
  USER_AGENT,
} from "@stile/testkit/minting/solver-client";
import { addSite, type OperatorSite } from "@stile/testkit/service/operator-site";
import { redeem } from "@stile/testkit/service/redeem";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import type { Figure, Trial } from "@stile/testkit/trials/trial";

/**
 * Tokens of each kind; few enough that their address does not count as busy, which would raise
 * scores too.
 */
const TOKENS = 8;
/** Where the attacker earns tokens, and the addresses for which they are redeemed. */
const EARNED_AT = "198.51.100.7";
const OTHER_NETWORK = "203.0.113.7";
const OTHER_FAMILY = "2001:db8:7::1";
const HERE = "127.0.0.1";

type Verdict = { readonly isVerified: boolean; readonly score: number };

async function show(
  service: RunningService,
  site: OperatorSite,
  token: string,
  remoteip: string,
): Promise<Verdict> {
  const { data } = (await redeem({ ...service, ...site }, token, { remoteip })).body;
  return { isVerified: data.verified === true, score: Number(data.score) };
}

/** Redeems tokens that were earned over IPv4 for another address. */
async function showElsewhere(
  service: RunningService,
  site: OperatorSite,
  remoteip: string,
): Promise<Verdict[]> {
  const { dataDirectory } = service;
  const tokens = await mintTokens({
    dataDirectory,
    siteKey: site.siteKey,
    count: TOKENS,
    address: EARNED_AT,
  });
  return await Promise.all(tokens.map((token) => show(service, site, token, remoteip)));
}

/**
 * Earns tokens at the service, which sees a private peer; if `isHidden`, with X-Forwarded-For, so
 * bound to nothing.
 */
async function earn(
  service: RunningService,
  site: OperatorSite,
  isHidden: boolean,
): Promise<string[]> {
  const cryptography = await openServiceCryptography(service.dataDirectory);
  const environment = encodeSignals(ENVIRONMENT);
  const tokens = [];
  for (let at = 0; at < TOKENS; at++) {
    const address = isHidden ? "" : HERE;
    const binding = { siteKey: site.siteKey, userAgent: USER_AGENT, address };
    const challenge = mintEasyChallenge({ cryptography, ...binding, nowMs: Date.now() - 2000 });
    const keyTimes = [100, 250, 420, 610, 790].map((ms) => ms + 37 * at + 61 * Math.random());
    const response = await fetch(`${service.baseUrl}/api/v1/verify`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Accept-Language": "en-US,en;q=0.9",
        "User-Agent": USER_AGENT,
        Origin: "http://localhost",
        ...(isHidden && { "X-Forwarded-For": EARNED_AT }),
      },
      body: JSON.stringify({
        site_key: site.siteKey,
        challenge: challenge.text,
        solution: challenge.solve(environment.bytes),
        signals: {
          environment: environment.text,
          behaviour: encodeSignals(behaviourOf(500, keyTimes)).text,
        },
      }),
    });
    const { data } = (await response.json()) as { data: { token?: string } };
    if (data.token !== undefined) tokens.push(data.token);
  }
  return tokens;
}

const shareOf = (verdicts: readonly Verdict[], isMeant: (verdict: Verdict) => boolean): number =>
  (100 * verdicts.filter(isMeant).length) / verdicts.length;
const isVerified = (verdict: Verdict): boolean => verdict.isVerified;
const meanScore = (verdicts: readonly Verdict[]): number =>
  verdicts.reduce((sum, { score }) => sum + score, 0) / verdicts.length;

async function crossFamilies(service: RunningService): Promise<Figure[]> {
  const [exact, strict, flag] = await Promise.all(
    (["strict_family", "strict", "flag"] as const).map((binding) =>
      addSite(service.dataDirectory, { name: binding, binding }),
    ),
  );
  if (exact === undefined || strict === undefined || flag === undefined)
    throw new Error("a site is missing");
  const refused = await showElsewhere(service, exact, OTHER_FAMILY);
  const own = await showElsewhere(service, exact, EARNED_AT);
  const raised = meanScore(await showElsewhere(service, strict, OTHER_FAMILY));
  const moved = meanScore(await showElsewhere(service, flag, OTHER_NETWORK));
  const none = { kind: "at_most", value: 0 } as const;
  const all = { kind: "at_least", value: 100 } as const;
  return [
    {
      name: "verified for the other family under strict_family",
      value: shareOf(refused, isVerified),
      unit: "%",
      bound: none,
    },
    {
      name: "verified for their own address under strict_family",
      value: shareOf(own, isVerified),
      unit: "%",
      bound: all,
    },
    { name: "score for the other family under strict (bound: 0.05)", value: raised, unit: "" },
    {
      name: "raise for another network above that for another family",
      value: moved - raised,
      unit: "",
      bound: none,
    },
  ];
}

async function hiddenVisitors(service: RunningService): Promise<Figure[]> {
  const sites = ["bound", "hidden", "hidden exact"].map((name) =>
    addSite(service.dataDirectory, {
      name,
      mode: "non_interactive",
      binding: name === "hidden exact" ? "strict_family" : "strict",
    }),
  );
  const [honest, attacked, exact] = await Promise.all(sites);
  if (honest === undefined || attacked === undefined || exact === undefined)
    throw new Error("a site is missing");
  const showAll = async (
    site: OperatorSite,
    isHidden: boolean,
    remoteip: string,
  ): Promise<Verdict[]> =>
    await Promise.all(
      (await earn(service, site, isHidden)).map((token) => show(service, site, token, remoteip)),
    );
  const bound = await showAll(honest, false, HERE);
  const hidden = await showAll(attacked, true, OTHER_NETWORK);
  const refused = await showAll(exact, true, OTHER_NETWORK);
  const boundScore = Math.max(...bound.map(({ score }) => score));
  const none = { kind: "at_most", value: 0 } as const;
  return [
    { name: "score of bound tokens", value: boundScore, unit: "" },
    { name: "score of unbound tokens", value: meanScore(hidden), unit: "" },
    {
      name: "unbound tokens that score as if bound",
      value: shareOf(hidden, ({ score }) => score <= boundScore),
      unit: "%",
      bound: none,
    },
    {
      name: "unbound tokens verified under strict_family",
      value: shareOf(refused, isVerified),
      unit: "%",
      bound: none,
    },
  ];
}

/** Tokens that are bound to the network in which they were earned are used in other networks. */
export const unboundTokens: Trial = {
  name: "unbound-tokens",
  tries:
    "carries tokens to another network: over the other address family, and by hiding behind a proxy nobody declared",
  run: async (say) => {
    const service = await startService();
    try {
      say("tokens of IPv4 for visitors of IPv6");
      const families = await crossFamilies(service);
      say("tokens that are earned with X-Forwarded-For from a private peer");
      return [...families, ...(await hiddenVisitors(service))];
    } finally {
      await service.dispose();
    }
  },
};
