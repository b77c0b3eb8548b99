import { checkRate, type LimitState, MINUTE_MS, type RateWindow } from "../rate-window.ts";

/**
 * What was counted of one account, site, network, client or agent (D10), each in its latest clock minute and in the one
 * before. Flat, since a process holds many thousands of them.
 */
export type Tally = {
  readonly minute: number;
  /** Requests, those refused too: who polls while refused stays refused. */
  readonly asked: number;
  readonly askedBefore: number;
  /** Out of its own budget. */
  readonly drawn: number;
  readonly drawnBefore: number;
  /** Out of its own reserve, by whoever stands below it. */
  readonly reserved: number;
  readonly reservedBefore: number;
  /** By itself, out of reserves above it. */
  readonly helped: number;
  readonly helpedBefore: number;
  /** Those directly below it that asked; before: without those that have asked again since. */
  readonly children: number;
  readonly childrenBefore: number;
};

/** Everything that one request counts for (D10). */
export type DrawPath = {
  readonly account: Tally;
  /** What holds the account's sites, as the account holds its networks. */
  readonly sites: Tally;
  readonly site: Tally;
  /** Around the network: the IPv6 /32; none for IPv4. It shares the account's reserve, and has no limit of its own. */
  readonly provider: Tally | undefined;
  readonly network: Tally;
  /** Below the network, from the outside in: IPv6 /56, client, agent. */
  readonly inner: readonly Tally[];
};

/** What happens to requests over the limit of their network: a 429, or a harder challenge (D10). */
export const OVER_LIMIT = ["refuse", "work"] as const;
/** What happens to who is over their network's limit (D10). */
export type OverLimit = (typeof OVER_LIMIT)[number];

/** The limits of an account, challenges a minute (D10); each has a reserve of the same size. */
export type DrawRules = {
  readonly total: number;
  readonly network: number;
  readonly overLimit: OverLimit;
  /** Requests a minute that are nobody's flood, however many share the budget. */
  readonly leastShare: number;
  /** What everybody may draw on of the total's reserve, where it has not its size. */
  readonly reserve?: number;
};

/** Whether one more challenge is given out, and at whose cost. */
export type Draw = {
  readonly isAdmitted: boolean;
  readonly account: "budget" | "reserve" | "closed";
  /** `work`: over the limit, let in for a harder challenge. */
  readonly network: "budget" | "reserve" | "work" | "closed";
  /** Of the limit that refused; of the network's where nobody did. */
  readonly limit: LimitState;
};

/** Neighbours for whose requests a known agent pays with its own, at each level. */
const MOST_KNOWN = 8;
/** Of a reserve, what everybody may draw on; the rest is kept for agents whose tokens were redeemed lately. */
const OPEN_SHARE = 0.75;

/** What lies within the last 60 s of a count, by the sliding window of D10. */
function lately(current: number, before: number, nowMs: number): number {
  return current + before * (1 - (nowMs % MINUTE_MS) / MINUTE_MS);
}

/** Requests of the last 60 s. */
function askedLately({ asked, askedBefore }: Tally, nowMs: number): number {
  return lately(asked, askedBefore, nowMs);
}

/** Those directly below that asked in the last 60 s; at least the one that asks now. */
function childrenLately({ children, childrenBefore }: Tally, nowMs: number): number {
  return Math.max(1, lately(children, childrenBefore, nowMs));
}

const helpedLately = ({ helped, helpedBefore }: Tally, nowMs: number): number => lately(helped, helpedBefore, nowMs);

/** A holder's children divide among them what it may have; a few requests are everybody's due. */
function shareOf(holder: Tally, perMinute: number, due: number, nowMs: number): number {
  return Math.max(due, perMinute / childrenLately(holder, nowMs));
}

/**
 * Whether somebody on the way from the outside in asked for less than their fair share of what their holder may have. Who
 * asked for more hands the question on to those inside, as long as reserves gave them no more than that share: thirty
 * people behind one address are told from the one program among them.
 */
function isBelowShare(
  holder: Tally,
  path: readonly Tally[],
  { perMinute, leastShare, nowMs }: Omit<Question, "isKnown">,
): boolean {
  const due = Math.min(leastShare, perMinute);
  let share = perMinute;
  let above = holder;
  for (const level of path) {
    share = shareOf(above, share, due, nowMs);
    if (askedLately(level, nowMs) + 1 <= share) return true;
    if (helpedLately(level, nowMs) + 1 > share) return false;
    above = level;
  }
  return false;
}

type Question = {
  readonly perMinute: number;
  readonly leastShare: number;
  readonly reserve?: number | undefined;
  readonly isKnown: boolean;
  readonly nowMs: number;
};

/** Draws from a holder's budget, then from its reserve for those who asked for little. */
function checkGate(
  holder: Tally,
  path: readonly Tally[],
  question: Question,
): { readonly gate: "budget" | "reserve" | "closed"; readonly budget: LimitState } {
  const { perMinute, isKnown, nowMs } = question;
  const budget = checkRate(windowOf(holder.drawn, holder.drawnBefore), perMinute, nowMs);
  if (budget.isAdmitted) return { gate: "budget", budget };
  const reserve = question.reserve ?? (isKnown ? perMinute : Math.ceil(perMinute * OPEN_SHARE));
  const hasReserve = checkRate(windowOf(holder.reserved, holder.reservedBefore), reserve, nowMs).isAdmitted;
  return { gate: hasReserve && isBelowShare(holder, path, question) ? "reserve" : "closed", budget };
}

function windowOf(current: number, previous: number): RateWindow {
  return { current, previous };
}

/** No site takes more than its share of the account's reserve: a flood on one leaves the others theirs. */
function maySiteReserve({ sites, site }: DrawPath, { total, leastShare }: DrawRules, nowMs: number): boolean {
  const share = shareOf(sites, total, Math.min(leastShare, total), nowMs);
  return helpedLately(site, nowMs) + 1 <= share;
}

/**
 * Judges one more challenge by nested fair shares (D10): first the budget of the network, then that of the account; where
 * one is used up, who asked for little draws on a reserve of the same size. `isKnown`: this agent's tokens were redeemed
 * lately.
 */
export function decideDraw(path: DrawPath, rules: DrawRules, asked: Pick<Question, "isKnown" | "nowMs">): Draw {
  const { account, provider, network, inner } = path;
  const { nowMs } = asked;
  const { leastShare, reserve } = rules;
  const own = checkGate(network, inner, { ...asked, leastShare, perMinute: rules.network });
  const networkGate = own.gate === "closed" && rules.overLimit === "work" ? "work" : own.gate;
  if (networkGate === "closed") return { isAdmitted: false, account: "closed", network: "closed", limit: own.budget };
  const around = provider === undefined ? [network] : [provider, network];
  const all = checkGate(account, [...around, ...inner], { ...asked, leastShare, reserve, perMinute: rules.total });
  const isOpen = all.gate === "budget" || (all.gate === "reserve" && maySiteReserve(path, rules, nowMs));
  if (!isOpen) return { isAdmitted: false, account: "closed", network: networkGate, limit: all.budget };
  return { isAdmitted: true, account: all.gate, network: networkGate, limit: own.budget };
}

/**
 * The rate by which a request's work is priced, challenges a minute: that of the busiest level it belongs to, where each
 * outer level counts for no more than it would if everybody in it asked as often as this one. So whoever spreads over
 * addresses or agents pays for all of them, and people beside them for themselves. A known agent pays for a few like itself
 * at most, so that it need not pay for a program beside it, and a program gains little by becoming many known agents.
 */
export function pricedRate({ network, inner }: DrawPath, isKnown: boolean, nowMs: number): number {
  const [agent = network, ...outer] = [network, ...inner].reverse();
  let rate = Math.max(1, askedLately(agent, nowMs));
  let busiest = rate;
  for (const level of outer) {
    const likeIt = isKnown ? Math.min(MOST_KNOWN, childrenLately(level, nowMs)) : childrenLately(level, nowMs);
    rate = Math.max(1, Math.min(askedLately(level, nowMs), likeIt * rate));
    busiest = Math.max(busiest, rate);
  }
  return busiest;
}
