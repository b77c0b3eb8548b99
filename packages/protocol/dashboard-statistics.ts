import type { ReasonCode } from "./reason-codes.ts";
import type { RiskFlag } from "./risk-flags.ts";
import { RECOMMENDATIONS, type Recommendation } from "./site-settings.ts";

/** How finely counts are kept and shown: minutes for 48 h, hours for 90 days, days for 13 months. */
export const RESOLUTIONS = ["minute", "hour", "day"] as const;
/** One of minute, hour, day. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** Ranges that end now, by name: how many periods they have. The running one is the last, and counts as a whole one. */
export const RANGES = {
  "1h": { resolution: "minute", periods: 60 },
  "24h": { resolution: "hour", periods: 24 },
  "7d": { resolution: "hour", periods: 7 * 24 },
  "30d": { resolution: "day", periods: 30 },
  "90d": { resolution: "day", periods: 90 },
  "13m": { resolution: "day", periods: 396 },
} as const satisfies Readonly<Record<string, { readonly resolution: Resolution; readonly periods: number }>>;
/** The name of a range that ends now. */
export type RangeName = keyof typeof RANGES;

/** One point of a time series: sums of everything that happened from `startMs` to the next point. */
export type OutcomePoint = {
  readonly startMs: number;
  readonly issued: number;
  readonly solved: number;
  readonly failed: number;
  readonly steppedUp: number;
  readonly blocked: number;
  readonly tokens: number;
  readonly verified: number;
  readonly refused: number;
};

/**
 * GET sites/{key}/outcome?range&timeZone, or with from and to instead of a range's name: the funnel and its course (spec 1,
 * View Statistics).
 */
export type OutcomeData = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly resolution: Resolution;
  /** The zone to tell points in: the asked one, or UTC where days are those of UTC since only they are kept. */
  readonly timeZone: string;
  /** Oldest first, without gaps; each sums up what happened until the next. */
  readonly points: readonly OutcomePoint[];
  readonly sums: Omit<OutcomePoint, "startMs">;
  readonly refusedByReason: Readonly<Partial<Record<ReasonCode, number>>>;
  /** Requests of browsers that were refused at the door; `solution_rejected` is the sum of `failed`. */
  readonly refusedAtDoor: Readonly<Record<DoorReason, number>>;
  /** Hosts whose pages were refused, the most frequent first, as far as rows were kept of them. */
  readonly refusedHosts: readonly RefusedHost[];
  /** Calls of POST /api/v1/score. */
  readonly scoreRequests: number;
  readonly passRate: number | null;
  readonly blockRate: number | null;
  readonly isNeverVerified: boolean;
  readonly solveTimes: SolveTimesData;
  readonly devices: readonly NamedCount[];
  /** By country code (ISO 3166-1); empty where the operator supplies no database of countries. */
  readonly countries: readonly NamedCount[];
  /** At most 20 names a day, then `other`. */
  readonly hosts: readonly NamedCount[];
};

/** Distribution of the times that solvers worked, as the pages say; at most from issue to submission. */
export type SolveTimesData = {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Counts by upper bound; the last has none (null). */
  readonly buckets: readonly { readonly belowMs: number | null; readonly count: number }[];
};

/** How often a name was counted, the most frequent first. */
export type NamedCount = { readonly name: string; readonly count: number };

/** GET sites/{key}/scores, asked as the outcome is, of the same time: how the visitors were judged. */
export type ScoresData = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly thresholds: { readonly challenge: number; readonly block: number };
  /** Judged solutions by score in hundredths: 101 numbers. */
  readonly judged: readonly number[];
  /** Redeemed tokens by score in hundredths: 101 numbers. */
  readonly verified: readonly number[];
  /** The same as `judged` for each action name; "" is none, `other` what came after 20 names of a day. */
  readonly byAction: readonly { readonly action: string; readonly judged: readonly number[] }[];
  readonly flags: readonly { readonly flag: RiskFlag; readonly count: number }[];
};

/** What is known of every request that is listed. */
type ListedRequest = {
  readonly decisionId: string;
  readonly atMs: number;
  /** The id the visitor was shown when blocked or refused, and that the log names. */
  readonly requestId: string;
  readonly action: string | null;
  readonly host: string | null;
};

/** One judgement, explained. */
export type JudgementData = ListedRequest & {
  /** A submission of the widget, a call of POST /api/v1/score, or a visitor without JavaScript who waited (D18). */
  readonly source: "widget" | "score" | "no_script";
  readonly recommendation: Recommendation;
  /** What the visitor got; a score request gets an answer only. */
  readonly outcome: "token" | "step_up" | "blocked" | "answered";
  readonly score: number;
  /** What each flag added, in log-odds, the heaviest first. */
  readonly contributions: readonly { readonly flag: RiskFlag; readonly weight: number }[];
  readonly device: DeviceClass;
  /** How long the solver worked, as the page says, at most from issue to submission; null where there was no work. */
  readonly solveMs: number | null;
  /** What a person of the account said it was (kept for calibration). */
  readonly label: DecisionLabel | null;
  /** The trusted bot that signed the request, and whether the site let it through unjudged (D9); absent where nobody did. */
  readonly signedAgent?: { readonly name: string; readonly isLetThrough: boolean } | undefined;
};

/** Why a browser's request is refused at the door, before anybody is judged (D8 to D10). */
export const DOOR_REASONS = ["domain_mismatch", "site_disabled", "rate_limited", "solution_rejected"] as const;
/** One of domain_mismatch, site_disabled, rate_limited, solution_rejected. */
export type DoorReason = (typeof DOOR_REASONS)[number];

/** A request that was refused at the door; `host` is that of the page, null where the browser named none. */
export type RefusalData = ListedRequest & { readonly outcome: "refused"; readonly reason: DoorReason };

/** One of what Decisions lists. */
export type DecisionData = JudgementData | RefusalData;

/** What Decisions can be narrowed to. */
export const DECISION_FILTERS = [...RECOMMENDATIONS, "refused"] as const;
/** A recommendation, or what was refused at the door. */
export type DecisionFilter = (typeof DECISION_FILTERS)[number];

/** A host whose pages were refused, and when last. */
export type RefusedHost = { readonly host: string; readonly lastAtMs: number };

/** What people say a decision was about. */
export const DECISION_LABELS = ["person", "bot"] as const;
/** One of person, bot. */
export type DecisionLabel = (typeof DECISION_LABELS)[number];

/** Kinds of devices, by user agent. */
export const DEVICE_CLASSES = ["desktop", "mobile", "tablet", "other"] as const;
/** One of desktop, mobile, tablet, other. */
export type DeviceClass = (typeof DEVICE_CLASSES)[number];

/** GET sites/{key}/decisions?before&show&requestId: the newest first; kept for 30 days, a busy site's newest only. */
export type DecisionsData = {
  readonly decisions: readonly DecisionData[];
  /** Whether older ones exist. */
  readonly hasMore: boolean;
};

/** GET sites/{key}/install: whether each step of the integration was seen within the last 48 h, and when last. */
export type InstallData = {
  readonly lastChallengeAtMs: number | null;
  readonly lastTokenAtMs: number | null;
  readonly lastVerifiedAtMs: number | null;
  /** Hosts whose pages were refused within that time, the most frequent first. */
  readonly refusedHosts: readonly RefusedHost[];
  readonly lastRefusal: { readonly atMs: number; readonly reasonCode: ReasonCode } | null;
  readonly nowMs: number;
};
