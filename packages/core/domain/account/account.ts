import type { OverLimit } from "../challenge/decide-draw.ts";

/** Owner of sites and of the challenge budget (spec 8, D10). */
export type Account = {
  readonly accountId: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** Challenges a minute that one network may draw, over all sites (D10); null takes the service's, here and below. */
  readonly challengePerMinute: number | null;
  /** Challenges a minute for everybody together. */
  readonly totalPerMinute: number | null;
  readonly overLimit: OverLimit | null;
};
