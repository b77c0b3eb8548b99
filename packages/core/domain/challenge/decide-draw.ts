import { checkRate, type LimitState } from "../rate-window.ts";
import { mayDrawOnReserve, maySiteDrawOnReserve, type ReserveQuestion } from "./challenge-reserve.ts";
import type { DrawPath, Tally } from "./fair-share.ts";

/** What a request over its network's limit gets: a 429, or a harder challenge (D10). */
export const OVER_LIMIT = ["refuse", "work"] as const;
/** One of refuse, work (D10). */
export type OverLimit = (typeof OVER_LIMIT)[number];

/** The limits of an account in challenges a minute (D10). Each limit has a reserve of the same size. */
export type DrawRules = {
  readonly total: number;
  readonly network: number;
  readonly overLimit: OverLimit;
  /** Requests a minute that never count as a flood, however many share the budget. */
  readonly leastShare: number;
  /** Size of the total's reserve, open to everybody, if it differs from that of the total. */
  readonly reserve?: number;
};

/** Whether one more challenge is issued, and which budget or reserve it is drawn from. */
export type Draw = {
  readonly isAdmitted: boolean;
  readonly account: "budget" | "reserve" | "closed";
  /** `work`: over the limit, admitted for a harder challenge. */
  readonly network: "budget" | "reserve" | "work" | "closed";
  /** State of the limit that refused the request; if none did, of the network's limit. */
  readonly limit: LimitState;
};

/** Draws from a holder's budget, then from its reserve if the request is below its fair share. */
function checkGate(
  holder: Tally,
  path: readonly Tally[],
  question: ReserveQuestion,
): { readonly gate: "budget" | "reserve" | "closed"; readonly budget: LimitState } {
  const drawn = { current: holder.drawn, previous: holder.drawnBefore };
  const budget = checkRate(drawn, question.perMinute, question.nowMs);
  if (budget.isAdmitted) return { gate: "budget", budget };
  return { gate: mayDrawOnReserve(holder, path, question) ? "reserve" : "closed", budget };
}

/**
 * Decides on one more challenge by nested fair shares (D10): first from the budget of the network, then from that of
 * the account. If one is used up, a request below its fair share draws on a reserve of the same size. `isKnown`: this
 * agent's tokens were redeemed lately.
 */
export function decideDraw(path: DrawPath, rules: DrawRules, asked: Pick<ReserveQuestion, "isKnown" | "nowMs">): Draw {
  const { account, provider, network, inner } = path;
  const { leastShare, reserve } = rules;
  const own = checkGate(network, inner, { ...asked, leastShare, perMinute: rules.network });
  const networkGate = own.gate === "closed" && rules.overLimit === "work" ? "work" : own.gate;
  if (networkGate === "closed") return { isAdmitted: false, account: "closed", network: "closed", limit: own.budget };
  const around = provider === undefined ? [network] : [provider, network];
  const total = { ...asked, leastShare, reserve, perMinute: rules.total };
  const all = checkGate(account, [...around, ...inner], total);
  const isOpen = all.gate === "budget" || (all.gate === "reserve" && maySiteDrawOnReserve(path, total));
  if (!isOpen) return { isAdmitted: false, account: "closed", network: networkGate, limit: all.budget };
  return { isAdmitted: true, account: all.gate, network: networkGate, limit: own.budget };
}
