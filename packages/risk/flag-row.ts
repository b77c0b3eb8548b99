import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { RiskGroup } from "@stile/protocol/risk-groups";
import type { PreparedEvidence } from "./prepared-evidence.ts";

/**
 * Whether one risk indicator is present; pure, never throws, and false if the evidence is missing.
 */
export type Detector = (evidence: PreparedEvidence) => boolean;

/**
 * How strongly one is present, from 0 (not at all) to 1 (fully); pure, never throws, and 0 if the
 * evidence is missing.
 */
export type Grade = (evidence: PreparedEvidence) => number;

/**
 * One complete risk indicator. All tables, the vocabulary (`protocol/risk-flags.ts`) and the page
 * of flags are generated from these rows. The comment above a row says what raises the flag, which
 * honest visitors may raise it, and therefore why it has its weight.
 */
export type FlagRow = {
  readonly name: RiskFlag;
  readonly group: RiskGroup;
  /** Its meaning about the visitor, in a plain sentence. */
  readonly label: string;
  /**
   * The log-odds that the flag adds if fully present; never negative. From the prior, a single flag
   * of 1.4 leads to 0.18, 2.1 to 0.30, 2.6 to 0.41, 3.2 to 0.56, 4.5 to 0.83. Chosen by
   * measurements on real automation tools, and by which honest visitors could raise the flag.
   */
  readonly weight: number;
  /**
   * The lowest score with which the flag may be published, whatever the sum is (D7, score
   * request; D9, fallback).
   */
  readonly floor?: number;
  /**
   * Whether it is a shadow flag for this visit: shown with the decision, but neither scored nor
   * reported to customers' servers.
   */
  readonly isShadowFor?: (evidence: PreparedEvidence) => boolean;
} & (
  | { readonly detect: Detector }
  /** For flags that may be partly present. */
  | { readonly grade: Grade }
);

/** How a flag is graded: the share of its weight that it adds, from 0 (not at all) to 1 (fully). */
export function graderOf(row: FlagRow): Grade {
  if ("grade" in row) return row.grade;
  const { detect } = row;
  return (evidence) => (detect(evidence) ? 1 : 0);
}

/** How strongly a flag is present. */
export const gradeOf = (row: FlagRow, evidence: PreparedEvidence): number =>
  graderOf(row)(evidence);
