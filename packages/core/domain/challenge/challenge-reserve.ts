import { checkRate } from "../rate-window.ts";
import { type DrawPath, type Holding, helpedLately, isBelowShare, shareOf, type Tally } from "./fair-share.ts";

/** Of a reserve, what everybody may draw on; the rest is kept for agents whose tokens were redeemed lately (D10). */
const OPEN_SHARE = 0.75;

/** Who asks a holder whose budget is used up. */
export type ReserveQuestion = Holding & {
  /** What everybody may draw on, where the reserve has not the size of the budget. */
  readonly reserve?: number | undefined;
  /** Whether this agent's tokens were redeemed lately. */
  readonly isKnown: boolean;
};

/** Whether a request may draw on its holder's reserve: while there is some, those who asked for less than their fair share. */
export function mayDrawOnReserve(holder: Tally, path: readonly Tally[], question: ReserveQuestion): boolean {
  const { perMinute, isKnown, nowMs } = question;
  const reserve = question.reserve ?? (isKnown ? perMinute : Math.ceil(perMinute * OPEN_SHARE));
  const drawn = { current: holder.reserved, previous: holder.reservedBefore };
  return checkRate(drawn, reserve, nowMs).isAdmitted && isBelowShare(holder, path, question);
}

/** No site takes more than its share of the account's reserve: a flood on one leaves the others theirs. */
export function maySiteDrawOnReserve({ sites, site }: DrawPath, { perMinute, leastShare, nowMs }: Holding): boolean {
  const share = shareOf(sites, perMinute, Math.min(leastShare, perMinute), nowMs);
  return helpedLately(site, nowMs) + 1 <= share;
}
