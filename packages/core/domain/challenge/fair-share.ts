import { MINUTE_MS } from "../rate-window.ts";

/**
 * The counts of one account, site, network, client or agent (D10, limits), in its latest clock
 * minute and the one before (`...Before`). It is flat because a process holds many thousands of
 * them.
 */
export type Tally = {
  readonly minute: number;
  /** Requests, including refused ones: a program that keeps asking while refused stays refused. */
  readonly asked: number;
  readonly askedBefore: number;
  /** Challenges drawn from its own budget. */
  readonly drawn: number;
  readonly drawnBefore: number;
  /** Challenges that levels below it drew from its own reserve. */
  readonly reserved: number;
  readonly reservedBefore: number;
  /** Challenges that it drew from the reserves above it. */
  readonly helped: number;
  readonly helpedBefore: number;
  /**
   * Number of direct children that asked. The earlier minute leaves out children that have asked
   * again since.
   */
  readonly children: number;
  readonly childrenBefore: number;
};

/** The tallies that one request increases (D10, limits). */
export type DrawPath = {
  readonly account: Tally;
  /** The parent of the account's sites, as the account is the parent of its networks. */
  readonly sites: Tally;
  readonly site: Tally;
  /**
   * The IPv6 /32 around the network; none for IPv4. It shares the account's reserve and has no
   * limit of its own.
   */
  readonly provider: Tally | undefined;
  readonly network: Tally;
  /** The levels below the network, from the outside in: IPv6 /56, client, agent. */
  readonly inner: readonly Tally[];
};

/** The limit of a holder in challenges a minute, and how many requests never count as a flood. */
export type Holding = {
  readonly perMinute: number;
  readonly leastShare: number;
  readonly nowMs: number;
};

/** At each level, a known agent pays for this many neighbours at most. */
const MOST_KNOWN = 8;

/** The part of a count that lies within the last 60 s, by the sliding window of D10 (limits). */
function lately(current: number, before: number, nowMs: number): number {
  return current + before * (1 - (nowMs % MINUTE_MS) / MINUTE_MS);
}

/** Requests of the last 60 s. */
function askedLately({ asked, askedBefore }: Tally, nowMs: number): number {
  return lately(asked, askedBefore, nowMs);
}

/** Number of direct children that asked in the last 60 s, at least the one that asks now. */
function childrenLately({ children, childrenBefore }: Tally, nowMs: number): number {
  return Math.max(1, lately(children, childrenBefore, nowMs));
}

/** Challenges drawn from reserves above in the last 60 s. */
export const helpedLately = ({ helped, helpedBefore }: Tally, nowMs: number): number =>
  lately(helped, helpedBefore, nowMs);

/**
 * The share of each child in its holder's amount, but at least `due`: a few requests are always
 * allowed.
 */
export function shareOf(holder: Tally, perMinute: number, due: number, nowMs: number): number {
  return Math.max(due, perMinute / childrenLately(holder, nowMs));
}

/**
 * Whether a request is below its fair share. Starts at the outermost level. If a level asked for
 * less than its fair share of the amount above it, the answer is yes. If it asked for more, the
 * next inner level decides, unless reserves already gave this level its whole share. This separates
 * thirty people behind one address from the one program among them.
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
 * The rate that sets the price of a request's work, in challenges a minute: that of the busiest
 * level it belongs to. An outer level counts for no more than if everyone in it asked as often as
 * this agent. So a program that spreads over addresses or agents pays for all of them, and people
 * next to it only for themselves. A known agent pays for a few neighbours at most. So it does not
 * pay for a program next to it, and a program gains little by becoming many known agents.
 */
export function pricedRate({ network, inner }: DrawPath, isKnown: boolean, nowMs: number): number {
  const [agent = network, ...outer] = [network, ...inner].reverse();
  let rate = Math.max(1, askedLately(agent, nowMs));
  let busiest = rate;
  for (const level of outer) {
    const likeIt = isKnown
      ? Math.min(MOST_KNOWN, childrenLately(level, nowMs))
      : childrenLately(level, nowMs);
    rate = Math.max(1, Math.min(askedLately(level, nowMs), likeIt * rate));
    busiest = Math.max(busiest, rate);
  }
  return busiest;
}
