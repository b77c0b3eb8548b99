import { MINUTE_MS } from "../rate-window.ts";

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

/** What a holder has to give, challenges a minute, and how many requests are nobody's flood. */
export type Holding = { readonly perMinute: number; readonly leastShare: number; readonly nowMs: number };

/** Neighbours for whose requests a known agent pays with its own, at each level. */
const MOST_KNOWN = 8;

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

/** Drawn out of reserves above in the last 60 s. */
export const helpedLately = ({ helped, helpedBefore }: Tally, nowMs: number): number =>
  lately(helped, helpedBefore, nowMs);

/** A holder's children divide among them what it may have; a few requests are everybody's due. */
export function shareOf(holder: Tally, perMinute: number, due: number, nowMs: number): number {
  return Math.max(due, perMinute / childrenLately(holder, nowMs));
}

/**
 * Whether somebody on the way from the outside in asked for less than their fair share of what their holder may have. Who
 * asked for more hands the question on to those inside, as long as reserves gave them no more than that share: thirty
 * people behind one address are told from the one program among them.
 */
export function isBelowShare(
  holder: Tally,
  path: readonly Tally[],
  { perMinute, leastShare, nowMs }: Holding,
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
