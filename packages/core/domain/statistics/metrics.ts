import type { DeviceClass, DoorReason } from "@stile/protocol/dashboard-statistics";
import type { ReasonCode } from "@stile/protocol/reason-codes";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { VendorVerdict } from "@stile/protocol/vendor-verdicts";
import type { CountryCode } from "../visitor/country-code.ts";

/**
 * Names of the counts of a site, as `kind:name`; names without a colon have the kind `outcome`.
 * - `refused:<reason>`: refused redemptions by reason (spec 7.3).
 * - `door:<reason>`: browsers' requests refused before scoring; a rejected
 *   solution counts as `challenge_failed` instead.
 * - `score:<action>:<NN>`: scored solutions by action name (may be empty) and score in hundredths;
 *   their sum is `challenge_solved`.
 * - `verified_score:<NN>`: redeemed tokens by score; their sum is `token_redeemed`.
 * - `vendor:<verdict>:<NN>`: redeemed tokens whose call named the verdict of the customer's old
 *   CAPTCHA, by this verdict and the answered score.
 * - `flag:<flag>`, `solve:<bucket>`, `device:<class>`, `host:<host name>`: scored solutions by
 *   their properties.
 * - `busiest:<n>`: some network had n tokens of an hour redeemed; the largest of a day is its
 *   busiest network (D10, limits).
 * - `country:<CC>`: scored solutions of known country; none if the operator supplies no database.
 */
export type Metric =
  | "challenge_issued"
  | "challenge_solved"
  | "challenge_failed"
  | "challenge_stepped_up"
  | "challenge_priced"
  | "challenge_blocked"
  | "token_issued"
  | "token_redeemed"
  | "score_requested"
  | `refused:${ReasonCode}`
  | `door:${Exclude<DoorReason, "solution_rejected">}`
  | `score:${string}:${string}`
  | `verified_score:${string}`
  | `vendor:${VendorVerdict}:${string}`
  | `flag:${RiskFlag}`
  | `solve:${number}`
  | `device:${DeviceClass}`
  | `busiest:${number}`
  | `country:${CountryCode}`
  | `host:${string}`;

/** The kinds of metrics: the part before the colon. */
export const METRIC_KINDS = [
  "outcome",
  "refused",
  "door",
  "score",
  "verified_score",
  "vendor",
  "flag",
  "solve",
  "device",
  "busiest",
  "country",
  "host",
] as const;
/** One of the kinds of metrics. */
export type MetricKind = (typeof METRIC_KINDS)[number];

/** A single event to count for a site. */
export type SiteCount = {
  readonly siteKey: string;
  readonly metric: Metric;
  readonly atMs: number;
};

/** The same event, `count` times. */
export type SiteSum = SiteCount & { readonly count: number };

/**
 * How many names of one kind that visitors can choose (actions, hosts) are counted separately per
 * site and day, in addition to the owner's own hosts; the rest is `other`.
 */
export const MAX_NAMES_PER_DAY = 20;
/** The common name of all names beyond those. */
export const OTHER_NAME = "other";

/** Upper bounds, in ms, of the buckets of `solve:<bucket>`; the last bucket has none. */
export const SOLVE_BUCKETS_MS = [
  100, 200, 300, 400, 500, 700, 1000, 1400, 2000, 3000, 5000, 10_000, 30_000, 120_000,
] as const;

/** A published score as the two digits of its hundredths, or `100` (D6, scores). */
export function scoreText(score: number): string {
  return String(Math.round(score * 100)).padStart(2, "0");
}

/** The metric of a scored solution (D6, scores). */
export function scoreMetric(actionName: string | undefined, score: number): Metric {
  return `score:${actionName ?? ""}:${scoreText(score)}`;
}

const VERIFIED_SCORES: readonly Metric[] = Array.from(
  { length: 101 },
  (_, hundredths): Metric => `verified_score:${scoreText(hundredths / 100)}`,
);

/** The metrics to count when a token with that score is spent. */
export function redeemedMetrics(score: number): readonly Metric[] {
  const verified = VERIFIED_SCORES[Math.round(score * 100)];
  return verified === undefined ? ["token_redeemed"] : ["token_redeemed", verified];
}

/** The metric to count when a token is spent by a call that names an old CAPTCHA's verdict. */
export function vendorMetric(verdict: VendorVerdict, score: number): Metric {
  return `vendor:${verdict}:${scoreText(score)}`;
}

/** The bucket metric of a solve time. */
export function solveMetric(solveMs: number): Metric {
  const bucket = SOLVE_BUCKETS_MS.findIndex((boundMs) => solveMs < boundMs);
  return `solve:${bucket < 0 ? SOLVE_BUCKETS_MS.length : bucket}`;
}

/** Splits a metric into kind and name. */
export function splitMetric(metric: Metric): { kind: MetricKind; name: string } {
  const colon = metric.indexOf(":");
  if (colon < 0) return { kind: "outcome", name: metric };
  return { kind: metric.slice(0, colon) as MetricKind, name: metric.slice(colon + 1) };
}

/** The inverse of `splitMetric`. */
export function joinMetric(kind: MetricKind, name: string): Metric {
  return (kind === "outcome" ? name : `${kind}:${name}`) as Metric;
}
