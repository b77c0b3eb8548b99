import type { Recommendation } from "@stile/protocol/site-settings";
import type { Decision, Labelled } from "../domain/decision.ts";

/** Which decisions are asked for, the newest first. */
export type DecisionQuery = {
  readonly siteKey: string;
  readonly limit: number;
  /** Only those older than this one, for the next page. */
  readonly beforeId?: string | undefined;
  readonly recommendation?: Recommendation | undefined;
  /** Only the one of this request: what a blocked visitor quotes. */
  readonly requestId?: string | undefined;
};

/** The last decisions of each site. Ids grow with time. */
export interface DecisionLog {
  /**
   * Keeps a decision: in memory, written within a second, in bounded number; under a flood the ones too many are left out
   * here (statistics count them all).
   */
  append(decision: Decision): void;
  /** Writes what `append` holds back. */
  flush(): Promise<void>;
  list(query: DecisionQuery): Promise<readonly Decision[]>;
  /** False if the site has no such decision (any more). */
  setLabel(labelled: Labelled): Promise<boolean>;
  /** Removes decisions older than DECISION_DAYS or beyond MAX_DECISIONS_PER_SITE, in small steps. */
  prune(nowMs: number): Promise<number>;
}
