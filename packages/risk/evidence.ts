import type { Batch } from "@stile/protocol/batch";
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
  /** Whether it took as long as an interpreter takes, and was one of the first few of its network. */
  readonly isFallbackExcused?: boolean;
  /** What the challenge required of the visitor. */
  readonly interaction: "none" | "click";
  /** Whether the site asks everybody for the click (mode `interactive`), not only who is at risk. */
  readonly asksEverybody?: boolean;
  /**
   * What the page had seen when it asked for the challenge, by the service's own receipt; "none" where it handed in nothing of
   * that, "forged" where no such receipt was given for it.
   */
  readonly witness: Batch | "none" | "forged";
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

/** How the visitor's request came over the wire, which only the service itself sees. */
export type WireEvidence = {
  /** Names of all its headers, in the order and case in which they came. */
  readonly headerNames: readonly string[];
  /** Whether a proxy says that it handed the request on. */
  readonly isForwarded: boolean;
  /** The fingerprint of the visitor's TLS handshake (JA4), as a trusted proxy tells it; undefined where none does. */
  readonly tlsFingerprint: string | undefined;
};

/** A class of visits to the site that is far above its own share of them. */
export type SurgeEvidence = {
  /** Networks that brought it lately. */
  readonly networks: number;
  /** How many the site's own past lets expect. */
  readonly expected: number;
};

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
  /** How many other networks drew about the same as one of the visitor's paths on the site within a day. */
  readonly networksNearPaths?: number;
  /** What the visit has in common with more visits to the site than it should; absent where that is nothing. */
  readonly surge?: SurgeEvidence | undefined;
};

/** How the page laid out the scenes that came with its challenge, held against what engines make of them (proof of browser). */
export type LayoutEvidence = {
  /** Whether the site's owner lets it count; else its flags are shadow flags. */
  readonly isLive: boolean;
  /** Of the reads that count, the share that is as the claimed engine's, 0..1; undefined where nothing was read. */
  readonly share: number | undefined;
  /** Whether that engine was itself asked; else the share is of what all that were asked have in common. */
  readonly isEngineKnown: boolean;
  /** Whether the layouts are clearly those of another engine. */
  readonly isOtherEngine: boolean;
  /** Whether the claimed browser is older than what scenes are made of. */
  readonly isOld: boolean;
};

/**
 * Everything that may be known about one visitor; all of it optional, and what is not known is neutral. "withheld" is
 * not the same as undefined: withheld signals were due and are absent or malformed; undefined ones could not be had.
 */
export type RiskEvidence = {
  /** The visitor's request headers that risk may see (`isRiskHeader`), names in lower case (D7). */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly wire?: WireEvidence | undefined;
  /** The visitor's user agent; undefined counts as absent where the visitor called the service directly. */
  readonly userAgent?: string | undefined;
  readonly environment?: ObservedEnvironment | "withheld" | undefined;
  readonly behaviour?: ObservedBehaviour | "withheld" | undefined;
  /** Whether they waited for their token instead of being observed, for want of JavaScript (D18). */
  readonly isScriptless?: boolean;
  readonly solve?: SolveEvidence | undefined;
  readonly velocity?: VelocityEvidence | undefined;
  readonly network?: NetworkEvidence | undefined;
  readonly layout?: LayoutEvidence | undefined;
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
