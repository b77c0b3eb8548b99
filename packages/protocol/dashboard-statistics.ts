import type { ReasonCode } from "./reason-codes.ts";
import type { RiskFlag } from "./risk-flags.ts";
import { RECOMMENDATIONS, type Recommendation } from "./site-settings.ts";
import type { VendorVerdict } from "./vendor-verdicts.ts";

/**
 * How finely counts are kept and shown: minutes for 48 h, hours for 90 days, days for 13 months.
 */
export const RESOLUTIONS = ["minute", "hour", "day"] as const;
/** One of minute, hour, day. */
export type Resolution = (typeof RESOLUTIONS)[number];

/**
 * Time ranges that end now, by name, with their number of periods. The current, unfinished period
 * counts as one.
 */
export const RANGES = {
  "1h": { resolution: "minute", periods: 60 },
  "24h": { resolution: "hour", periods: 24 },
  "7d": { resolution: "hour", periods: 7 * 24 },
  "30d": { resolution: "day", periods: 30 },
  "90d": { resolution: "day", periods: 90 },
  "13m": { resolution: "day", periods: 396 },
} as const satisfies Readonly<
  Record<string, { readonly resolution: Resolution; readonly periods: number }>
>;
/** The name of a time range that ends now. */
export type RangeName = keyof typeof RANGES;

/** One point of a time series: sums from `startMs` to the next point. */
export type OutcomePoint = {
  readonly startMs: number;
  readonly issued: number;
  readonly solved: number;
  readonly failed: number;
  readonly steppedUp: number;
  readonly priced: number;
  readonly blocked: number;
  readonly tokens: number;
  readonly verified: number;
  readonly refused: number;
};

/**
 * GET sites/{key}/outcome?range&timeZone (or from and to instead of range): the funnel and how it
 * developed (spec 1, View Statistics).
 */
export type OutcomeData = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly resolution: Resolution;
  /**
   * The time zone of the points: the requested one, or UTC if points are days for which only UTC
   * days are kept.
   */
  readonly timeZone: string;
  /** Oldest first, without gaps; each point covers the time until the next one. */
  readonly points: readonly OutcomePoint[];
  /** Whether the last point is still being counted. */
  readonly isLastOpen: boolean;
  readonly sums: Omit<OutcomePoint, "startMs">;
  readonly refusedByReason: Readonly<Partial<Record<ReasonCode, number>>>;
  /**
   * Browsers' requests that were refused before scoring; `solution_rejected` equals the sum of
   * `failed`.
   */
  readonly refusedAtDoor: Readonly<Record<DoorReason, number>>;
  /** Hosts whose pages were refused, the most frequent first, as far as they were recorded. */
  readonly refusedHosts: readonly RefusedHost[];
  /** Calls of POST /api/v1/score. */
  readonly scoreRequests: number;
  readonly passRate: number | null;
  readonly blockRate: number | null;
  /**
   * Whether the customer's server verifies nothing, or nothing any more; false for a time that is
   * over.
   */
  readonly isNeverVerified: boolean;
  readonly solveTimes: SolveTimesData;
  readonly devices: readonly NamedCount[];
  /** By country code (ISO 3166-1); empty if the operator supplies no country database. */
  readonly countries: readonly NamedCount[];
  /** At most 20 names a day; the rest are counted as `other`. */
  readonly hosts: readonly NamedCount[];
};

/** How long solvers worked: the page's figure, at most the time from issue to submission. */
export type SolveTimesData = {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Counts by upper bound; the last bucket has none (null). */
  readonly buckets: readonly { readonly belowMs: number | null; readonly count: number }[];
};

/** How often a name was counted, the most frequent first. */
export type NamedCount = { readonly name: string; readonly count: number };

/**
 * GET sites/{key}/scores, with the query of `outcome` and for the same time: how visitors were
 * scored.
 */
export type ScoresData = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly thresholds: { readonly challenge: number; readonly block: number };
  /** Scored solutions by score in hundredths: 101 counts. */
  readonly scored: readonly number[];
  /** Redeemed tokens by score in hundredths: 101 counts. */
  readonly verified: readonly number[];
  /**
   * Redeemed tokens whose call named the verdict of the customer's old CAPTCHA, by the answered
   * score in hundredths: 101 counts for each verdict.
   */
  readonly byVendorVerdict: Readonly<Record<VendorVerdict, readonly number[]>>;
  /**
   * Whether the site's mode asks for a click and blocks; the other modes issue a token for every
   * visit.
   */
  readonly mayAsk: boolean;
  /**
   * Like `scored`, per action name: "" means no action name, `other` adds up names beyond the first
   * 20 of a day.
   */
  readonly byAction: readonly { readonly action: string; readonly scored: readonly number[] }[];
  readonly flags: readonly { readonly flag: RiskFlag; readonly count: number }[];
};

/** The known facts about every listed request. */
type ListedRequest = {
  readonly decisionId: string;
  readonly atMs: number;
  /**
   * The request id that the visitor saw when blocked or refused, and that the service's log names.
   */
  readonly requestId: string;
  readonly action: string | null;
  readonly host: string | null;
};

/** One scored request, with its reasons. */
export type ScoredRequestData = ListedRequest & {
  /**
   * A submission of the widget, a call of POST /api/v1/score, or a visitor without JavaScript who
   * waited (D18, no JavaScript).
   */
  readonly source: "widget" | "score" | "no_script";
  readonly recommendation: Recommendation;
  /** The visitor's result. For a score request there is only the answer. */
  readonly outcome: "token" | "step_up" | "priced" | "blocked" | "answered";
  readonly score: number;
  /** Each flag's part of the score, in log-odds, the heaviest first. */
  readonly contributions: readonly { readonly flag: RiskFlag; readonly weight: number }[];
  readonly device: DeviceClass;
  /**
   * How long the solver worked: the page's figure, at most the time from issue to submission; null
   * without work.
   */
  readonly solveMs: number | null;
  /** The label that a member of the account gave the visitor (kept for calibration). */
  readonly label: DecisionLabel | null;
  /**
   * The trusted bot that signed the request, and whether the site let it through unscored (D9,
   * submission); absent if unsigned.
   */
  readonly signedAgent?: { readonly name: string; readonly isLetThrough: boolean } | undefined;
};

/**
 * Why a browser's request is refused before scoring (D8, challenge; D9, submission; D10, limits).
 */
export const DOOR_REASONS = [
  "domain_mismatch",
  "site_disabled",
  "rate_limited",
  "solution_rejected",
] as const;
/** One of domain_mismatch, site_disabled, rate_limited, solution_rejected. */
export type DoorReason = (typeof DOOR_REASONS)[number];

/**
 * A request that was refused before scoring. `host` is the host of the page, null if the browser
 * named none.
 */
export type RefusalData = ListedRequest & {
  readonly outcome: "refused";
  readonly reason: DoorReason;
};

/** An entry of the Decisions page. */
export type DecisionData = ScoredRequestData | RefusalData;

/** The filters of the Decisions page. */
export const DECISION_FILTERS = [...RECOMMENDATIONS, "refused"] as const;
/** A recommendation, or the requests that were refused before scoring. */
export type DecisionFilter = (typeof DECISION_FILTERS)[number];

/** A host whose pages were refused, and the last time that happened. */
export type RefusedHost = { readonly host: string; readonly lastAtMs: number };

/** A member's possible labels for a decision. */
export const DECISION_LABELS = ["person", "bot"] as const;
/** One of person, bot. */
export type DecisionLabel = (typeof DECISION_LABELS)[number];

/** Kinds of devices, by user agent. */
export const DEVICE_CLASSES = ["desktop", "mobile", "tablet", "other"] as const;
/** One of desktop, mobile, tablet, other. */
export type DeviceClass = (typeof DEVICE_CLASSES)[number];

/**
 * GET sites/{key}/decisions?before&show&requestId: newest first; kept for 30 days, of a busy site
 * the newest and the labelled.
 */
export type DecisionsData = {
  readonly decisions: readonly DecisionData[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
};

/**
 * GET sites/{key}/install: whether each step of the integration was seen within the last 48 h, and
 * when last.
 */
export type InstallData = {
  readonly lastChallengeAtMs: number | null;
  readonly lastTokenAtMs: number | null;
  readonly lastVerifiedAtMs: number | null;
  /** Hosts whose pages were refused within the last 48 h, the most frequent first. */
  readonly refusedHosts: readonly RefusedHost[];
  readonly lastRefusal: { readonly atMs: number; readonly reasonCode: ReasonCode } | null;
  readonly nowMs: number;
};
