import type { ObservedBehaviour, ObservedEnvironment } from "@stile/protocol/observed-signals";

/** How the proof of work of this visitor was done. */
export type SolveEvidence = {
  /** Milliseconds from issue to submission, by the service's own clock. */
  readonly elapsedMs: number;
  /** D, the expected number of hashes that the challenge asked for. */
  readonly difficulty: number;
  /** Number of the puzzle's algorithm: 1 HashWX, 2 SHA-256. */
  readonly algorithm: number;
  /** Whether the reduced work for browsers without WebAssembly was asked for. */
  readonly isFallback: boolean;
  /** What the challenge required of the visitor. */
  readonly interaction: "none" | "click";
  /** Whether the site asks everybody for the click (mode `interactive`), not only who is at risk. */
  readonly asksEverybody?: boolean;
};

/** How busy this visitor's network and this site are right now. */
export type VelocityEvidence = {
  /** Submissions of the client (IPv4 /32, IPv6 /64) in the last minute. */
  readonly perMinute: number;
  /** Submissions of their whole network (IPv4 /24, IPv6 /48) in the last minute. */
  readonly networkPerMinute?: number;
  /** The site's rate against its own baseline; 1 is usual. */
  readonly siteRatio?: number;
};

/** What the operator's lists say of the visitor's address. */
export type NetworkEvidence = { readonly isDatacenter: boolean; readonly isTor: boolean };

/** What became of the tokens that were earned in one stretch of time, all of which have expired by now. */
export type TokenUsageCounts = {
  readonly earned: number;
  readonly redeemed: number;
  /** Of the redeemed ones, those redeemed for an address that could be compared with the one they were earned at. */
  readonly traced: number;
  /** Of the traced ones, those redeemed for an address of another network (D5). */
  readonly moved: number;
};

/** Tokens of the visitor's network (IPv4 /24, IPv6 /48) and of all the site's other networks. */
export type FarmEvidence = { readonly network: TokenUsageCounts; readonly others: TokenUsageCounts };

/** What the service remembers about the things that were handed in; an absent field is false. */
export type HistoryEvidence = {
  /** The same signals were handed in before (D7). */
  readonly isSignalsReplayed?: boolean;
  /** The token that was shown is forged, foreign, expired or spent (D7). */
  readonly isTokenInvalid?: boolean;
  /** Solved from another network: another prefix, or IPv4 instead of IPv6 or the reverse (D5). */
  readonly isAddressChanged?: boolean;
  /** A proxy that nobody declared hid the address from which it was solved, so that it is bound to none (D5). */
  readonly isAddressHidden?: boolean;
  /** Solved with another user agent (D5). */
  readonly isUserAgentChanged?: boolean;
  /** Another network did the very same on the site within a day, sample by sample. */
  readonly isBehaviourRepeated?: boolean;
  /**
   * Distance of the visitor's paths from the nearest that another network drew on the site lately, in shares of the line
   * from start to end; absent where none is near.
   */
  readonly nearestPathDistance?: number | undefined;
};

/**
 * Everything that may be known about one visitor; all of it optional, and what is not known is neutral. "withheld" is
 * not the same as undefined: withheld signals were due and are absent or malformed; undefined ones could not be had.
 */
export type RiskEvidence = {
  /** The visitor's request headers that risk may see (`isRiskHeader`), names in lower case (D7). */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The visitor's user agent; undefined counts as absent where the visitor called the service directly. */
  readonly userAgent?: string | undefined;
  readonly environment?: ObservedEnvironment | "withheld" | undefined;
  readonly behaviour?: ObservedBehaviour | "withheld" | undefined;
  readonly solve?: SolveEvidence | undefined;
  readonly velocity?: VelocityEvidence | undefined;
  readonly network?: NetworkEvidence | undefined;
  readonly farm?: FarmEvidence | undefined;
  /**
   * Score inside a genuine token of this visitor, 0..1. The judgement goes on from it instead of starting anew: what
   * both say about the browser counts once, the graver of the two; what happened since is added (D5, D7).
   */
  readonly tokenScore?: number | undefined;
  readonly history?: HistoryEvidence | undefined;
};

/** What the page reported about its browser, or undefined if there is nothing to judge. */
export function knownEnvironment(evidence: RiskEvidence): ObservedEnvironment | undefined {
  return evidence.environment === "withheld" ? undefined : evidence.environment;
}

/** What the page reported about input, or undefined if there is nothing to judge. */
export function knownBehaviour(evidence: RiskEvidence): ObservedBehaviour | undefined {
  return evidence.behaviour === "withheld" ? undefined : evidence.behaviour;
}

/** The user agent of the visitor's request, or undefined if the request's is not known. */
export function requestUserAgent(evidence: RiskEvidence): string | undefined {
  return evidence.userAgent ?? evidence.headers?.["user-agent"];
}

/** Every user agent the visitor showed: the request's, the page's and the solver frame's, without repetition. */
export function shownUserAgents(evidence: RiskEvidence): readonly string[] {
  const environment = knownEnvironment(evidence);
  const shown = [requestUserAgent(evidence), environment?.userAgent, environment?.frame?.userAgent];
  return [...new Set(shown.filter((text) => text !== undefined))];
}
