import { checkRate, type LimitState } from "../rate-window.ts";
import {
  mayDrawOnReserve,
  maySiteDrawOnReserve,
  openReserve,
  type ReserveQuestion,
} from "./challenge-reserve.ts";
import type { DrawPath, Tally } from "./fair-share.ts";

/** The limits of an account in challenges a minute (D10, limits). */
export type DrawRules = {
  /** For all networks together. */
  readonly total: number;
  /** For each network. */
  readonly network: number;
  /** Requests a minute that never count as a flood, however many holders share the budget. */
  readonly leastShare: number;
  /**
   * The reserve for holders with few requests once the total is used up. By default it is as large
   * as the total, and `openReserve` decides how much of it an agent may draw.
   */
  readonly totalReserve?: number;
};

/** The source of a draw; `closed`: nothing is left for it. */
type DrawSource = "budget" | "reserve" | "closed";

/** Whether one more challenge is issued, and which budget or reserve it is drawn from. */
export type Draw = {
  readonly isAdmitted: boolean;
  readonly account: DrawSource;
  readonly network: DrawSource;
  /** State of the limit that refused the request; if none did, of the network's limit. */
  readonly limit: LimitState;
};

/** Draws from a holder's budget, then from its reserve if the request is below its fair share. */
function checkSource(
  holder: Tally,
  path: readonly Tally[],
  question: ReserveQuestion,
): { readonly source: DrawSource; readonly budget: LimitState } {
  const drawn = { current: holder.drawn, previous: holder.drawnBefore };
  const budget = checkRate(drawn, question.perMinute, question.nowMs);
  if (budget.isAdmitted) return { source: "budget", budget };
  return { source: mayDrawOnReserve(holder, path, question) ? "reserve" : "closed", budget };
}

/**
 * Decides on one more challenge by nested fair shares (D10, limits): first from the budget of the
 * network, then from that of the account. If one is used up, a request below its fair share draws
 * on a reserve of the same size. `isKnown`: this agent's tokens were recently redeemed.
 */
export function decideDraw(
  path: DrawPath,
  rules: DrawRules,
  { isKnown, nowMs }: { readonly isKnown: boolean; readonly nowMs: number },
): Draw {
  const { account, provider, network, inner } = path;
  const { leastShare, totalReserve = openReserve(rules.total, isKnown) } = rules;
  const reserve = openReserve(rules.network, isKnown);
  const ofNetwork = checkSource(network, inner, {
    perMinute: rules.network,
    reserve,
    leastShare,
    nowMs,
  });
  if (ofNetwork.source === "closed") {
    return { isAdmitted: false, account: "closed", network: "closed", limit: ofNetwork.budget };
  }
  const around = provider === undefined ? [network] : [provider, network];
  const total = { perMinute: rules.total, reserve: totalReserve, leastShare, nowMs };
  const ofAccount = checkSource(account, [...around, ...inner], total);
  const isSiteOver = ofAccount.source === "reserve" && !maySiteDrawOnReserve(path, total);
  if (ofAccount.source === "closed" || isSiteOver) {
    return {
      isAdmitted: false,
      account: "closed",
      network: ofNetwork.source,
      limit: ofAccount.budget,
    };
  }
  return {
    isAdmitted: true,
    account: ofAccount.source,
    network: ofNetwork.source,
    limit: ofNetwork.budget,
  };
}
