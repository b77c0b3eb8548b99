import { checkRate } from "../rate-window.ts";
import {
  type DrawPath,
  type Holding,
  helpedLately,
  isBelowShare,
  shareOf,
  type Tally,
} from "./fair-share.ts";

/**
 * The share of a reserve that everybody may draw. The rest is for agents whose tokens were recently
 * redeemed (D10, limits).
 */
const OPEN_SHARE = 0.75;

/**
 * A request whose holder has used up its budget, and how many a minute it may find in the holder's
 * reserve.
 */
export type ReserveQuestion = Holding & { readonly reserve: number };

/**
 * The part of a reserve that an agent may draw. `whole`: as large as the budget. `isKnown`: its
 * tokens were recently redeemed.
 */
export function openReserve(whole: number, isKnown: boolean): number {
  return isKnown ? whole : Math.ceil(whole * OPEN_SHARE);
}

/**
 * Whether a request may draw on its holder's reserve: something must be left, and it must be below
 * its fair share.
 */
export function mayDrawOnReserve(
  holder: Tally,
  path: readonly Tally[],
  question: ReserveQuestion,
): boolean {
  const drawn = { current: holder.reserved, previous: holder.reservedBefore };
  return (
    checkRate(drawn, question.reserve, question.nowMs).isAdmitted &&
    isBelowShare(holder, path, question)
  );
}

/**
 * Keeps each site within its share of the account's reserve, so that a flood on one site leaves the
 * others theirs.
 */
export function maySiteDrawOnReserve(
  { sites, site }: DrawPath,
  { perMinute, leastShare, nowMs }: Holding,
): boolean {
  const share = shareOf(sites, perMinute, Math.min(leastShare, perMinute), nowMs);
  return helpedLately(site, nowMs) + 1 <= share;
}
