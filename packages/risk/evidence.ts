import type { Batch } from "@stile/protocol/batch";
import type { ObservedBehaviour, ObservedEnvironment } from "@stile/protocol/observed-signals";

/** How this visitor did the proof of work. */
export type SolveEvidence = {
  /** Milliseconds from issue to submission, by the service's own clock. */
  readonly elapsedMs: number;
  /** D, the expected number of hashes that the challenge asked for. */
  readonly difficulty: number;
  /** Number of the puzzle's algorithm: 1 HashWX, 2 SHA-256. */
  readonly algorithm: number;
  /** Whether the visitor asked for the reduced work for browsers without WebAssembly. */
  readonly isFallback: boolean;
  /**
   * Whether it took as long as an interpreter takes, and was one of the first few of its network.
   */
  readonly isFallbackExcused?: boolean;
  /** The challenge's request to the visitor. */
  readonly interaction: "none" | "click";
  /**
   * Whether the site asks everybody for a click (mode `interactive`), and not only visitors at
   * risk.
   */
  readonly asksEverybody?: boolean;
  /**
   * The page's observations when it asked for the challenge, confirmed by the service's own
   * receipt. "none" if the page sent no batch, "forged" if the service issued no such receipt for
   * it.
   */
  readonly witness: Batch | "none" | "forged";
};

/** The current load from this visitor's network and on this site. */
export type VelocityEvidence = {
  /** Submissions by the client (IPv4 /32, IPv6 /64) in the last minute. */
  readonly perMinute: number;
  /** Submissions by its whole network (IPv4 /24, IPv6 /48) in the last minute. */
  readonly networkPerMinute?: number;
  /** The site's rate relative to its own baseline; 1 is normal. */
  readonly siteRatio?: number;
};

/** The entries of the operator's lists for the visitor's address. */
export type NetworkEvidence = { readonly isDatacenter: boolean; readonly isTor: boolean };

/** The outcomes of tokens earned in one period; all of them have expired by now. */
export type TokenUsageCounts = {
  readonly earned: number;
  readonly redeemed: number;
  /**
   * Redeemed tokens whose address at redemption could be compared with the address where they were
   * earned.
   */
  readonly traced: number;
  /** Of the traced ones, those redeemed for an address in another network (D5, binding). */
  readonly moved: number;
};

/** Tokens of the visitor's network (IPv4 /24, IPv6 /48), and of all other networks of the site. */
export type FarmEvidence = {
  readonly network: TokenUsageCounts;
  readonly others: TokenUsageCounts;
};

/** How the visitor's request arrived over the network; only the service itself sees this. */
export type WireEvidence = {
  /** Names of all its headers, in the order and case in which they arrived. */
  readonly headerNames: readonly string[];
  /** Whether a proxy states that it forwarded the request. */
  readonly isForwarded: boolean;
  /**
   * The fingerprint of the visitor's TLS handshake (JA4), as reported by a trusted proxy; undefined
   * if none does.
   */
  readonly tlsFingerprint: string | undefined;
};

/** A class of visits that is far above its normal share at the site. */
export type SurgeEvidence = {
  /** Networks that it came from recently. */
  readonly networks: number;
  /** The number of networks to expect, by the site's own past. */
  readonly expected: number;
};

/** Facts that the service remembers about this submission; an absent field means false. */
export type HistoryEvidence = {
  /** The same signals were submitted before (D7, score request). */
  readonly isSignalsReplayed?: boolean;
  /** The token shown is forged, foreign, expired or spent (D7, score request). */
  readonly isTokenInvalid?: boolean;
  /**
   * Solved from another network: another prefix, or IPv4 instead of IPv6 or the other way round
   * (D5, binding).
   */
  readonly isAddressChanged?: boolean;
  /**
   * An undeclared proxy hid the address from which it was solved, so that it is bound to no address
   * (D5, binding).
   */
  readonly isAddressHidden?: boolean;
  /** Solved with another user agent (D5, binding). */
  readonly isUserAgentChanged?: boolean;
  /** Another network showed the very same behaviour on the site within a day, sample by sample. */
  readonly isBehaviourRepeated?: boolean;
  /**
   * Distance from the visitor's paths to the nearest path that another network drew on the site
   * recently, relative to the line from start to end; absent if none is near.
   */
  readonly nearestPathDistance?: number | undefined;
  /** How many other networks drew about the same path as the visitor on the site within a day. */
  readonly networksNearPaths?: number;
  /** The class of this visit, if more visits to the site share it than normal. */
  readonly surge?: SurgeEvidence | undefined;
};

/**
 * Everything that may be known about one visitor. All fields are optional, and an unknown one is
 * neutral. "withheld" is not the same as undefined: withheld signals were due but absent or
 * malformed; undefined signals could not be had.
 */
export type RiskEvidence = {
  /**
   * The visitor's request headers that the score may use (`isRiskHeader`), names in lower case
   * (D7, score request).
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly wire?: WireEvidence | undefined;
  /**
   * The visitor's user agent. If the visitor called the service directly, undefined means that the
   * request had none.
   */
  readonly userAgent?: string | undefined;
  readonly environment?: ObservedEnvironment | "withheld" | undefined;
  readonly behaviour?: ObservedBehaviour | "withheld" | undefined;
  /**
   * Whether the visitor waited for the token instead of being observed, because they have no
   * JavaScript (D18, no JavaScript).
   */
  readonly isScriptless?: boolean;
  readonly solve?: SolveEvidence | undefined;
  /**
   * Whether the site collects signals for its scores, so that their absence is evidence (D7, score
   * request).
   */
  readonly areSignalsExpected?: boolean;
  readonly velocity?: VelocityEvidence | undefined;
  readonly network?: NetworkEvidence | undefined;
  readonly farm?: FarmEvidence | undefined;
  /**
   * The score inside a genuine token of this visitor, 0..1. The assessment continues from it
   * instead of starting from scratch. If both describe the browser, the worse of the two counts
   * once; later events are added (D5, binding; D7, score request).
   */
  readonly tokenScore?: number | undefined;
  readonly history?: HistoryEvidence | undefined;
};

/** The page's report about its browser, or undefined if there is nothing to assess. */
export function knownEnvironment(evidence: RiskEvidence): ObservedEnvironment | undefined {
  return evidence.environment === "withheld" ? undefined : evidence.environment;
}

/** The page's report about input, or undefined if there is nothing to assess. */
export function knownBehaviour(evidence: RiskEvidence): ObservedBehaviour | undefined {
  return evidence.behaviour === "withheld" ? undefined : evidence.behaviour;
}

/** The user agent of the visitor's request, or undefined if it is not known. */
export function requestUserAgent(evidence: RiskEvidence): string | undefined {
  return evidence.userAgent ?? evidence.headers?.["user-agent"];
}

/**
 * Every distinct user agent that the visitor showed: in the request, in the page and in the solver
 * frame.
 */
export function shownUserAgents(evidence: RiskEvidence): readonly string[] {
  const environment = knownEnvironment(evidence);
  const shown = [requestUserAgent(evidence), environment?.userAgent, environment?.frame?.userAgent];
  return [...new Set(shown.filter((text) => text !== undefined))];
}
