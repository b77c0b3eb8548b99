import { checkRate } from "../rate-window.ts";
import { type DrawPath, type Holding, helpedLately, isBelowShare, shareOf, type Tally } from "./fair-share.ts";

/** The share of a reserve that everybody may draw; the rest is for agents whose tokens were redeemed lately (D10). */
const OPEN_SHARE = 0.75;

/** A request whose holder has used up its budget. */
export type ReserveQuestion = Holding & {
  /** Size of the reserve, open to everybody, if it differs from that of the budget. */
  readonly reserve?: number | undefined;
  /** Whether this agent's tokens were redeemed lately. */
  readonly isKnown: boolean;
};

/** Whether a request may draw on its holder's reserve: something must be left, and it must be below its fair share. */
export function mayDrawOnReserve(holder: Tally, path: readonly Tally[], question: ReserveQuestion): boolean {
  const { perMinute, isKnown, nowMs } = question;
  const reserve = question.reserve ?? (isKnown ? perMinute : Math.ceil(perMinute * OPEN_SHARE));
  const drawn = { current: holder.reserved, previous: holder.reservedBefore };
  return checkRate(drawn, reserve, nowMs).isAdmitted && isBelowShare(holder, path, question);
}

/** Keeps each site within its share of the account's reserve, so that a flood on one site leaves the others theirs. */
export function maySiteDrawOnReserve({ sites, site }: DrawPath, { perMinute, leastShare, nowMs }: Holding): boolean {
  const share = shareOf(sites, perMinute, Math.min(leastShare, perMinute), nowMs);
  return helpedLately(site, nowMs) + 1 <= share;
}
