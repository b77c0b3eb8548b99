/** What visits of one browser release, such as "Chromium 156", had of their reads as the bank has them; sums of shares, 0..1 each. */
export type ReleaseVotes = {
  readonly release: string;
  /** Visits with as much as browsers have. */
  readonly near: number;
  readonly nearShare: number;
  /** Visits with less, that is more than guesses have. */
  readonly low: number;
  readonly lowShare: number;
};

/** Below it nothing was laid out: guesses have 0.04 to 0.11, browsers of an engine that nobody baked 0.25 and more (decision 0045). */
const GUESSED_BELOW = 0.25;
/** The least that a browser had whose own engine was baked is 0.74; a layout library has 0.65. */
const NEAR_FROM = 0.7;
/** Votes of a release from which on something is made of them, and the share below which it is no longer held to its engine. */
const LEAST_OF_RELEASE = 20;
const FALLEN_BELOW = 0.95;

/** What must be before layouts count by themselves. */
export const GATE = { engines: 2, visits: 200, share: 0.98 } as const;
/** Votes of a release are halved beyond it, and all of them fade: what browsers do now counts more than what they did. */
export const MOST_OF_RELEASE = 400;
/** Releases that are kept. */
export const MOST_RELEASES = 100;

/** One visit's vote; undefined for guesses, which say nothing of any browser. */
export function voteOf(release: string, share: number): ReleaseVotes | undefined {
  if (share < GUESSED_BELOW) return undefined;
  if (share < NEAR_FROM) return { release, near: 0, nearShare: 0, low: 1, lowShare: share };
  return { release, near: 1, nearShare: share, low: 0, lowShare: 0 };
}

/** Both together, of the same release. */
export function sumVotes(one: ReleaseVotes, other: ReleaseVotes): ReleaseVotes {
  return {
    release: one.release,
    near: one.near + other.near,
    nearShare: one.nearShare + other.nearShare,
    low: one.low + other.low,
    lowShare: one.lowShare + other.lowShare,
  };
}

/**
 * The votes that are believed. An engine lays out the same everywhere: where most visits of a release have as much as browsers have,
 * those with less are no such browsers, whatever they claim. Only where they are the most does the release itself lay out otherwise,
 * and only where they are many: releases can be made up, and a few wrong answers under each would say nothing of any browser.
 */
function believed({ near, nearShare, low, lowShare }: ReleaseVotes): { readonly visits: number; readonly sum: number } {
  const isLowBelieved = low > near && hasVisits(near + low, LEAST_OF_RELEASE);
  return isLowBelieved ? { visits: near + low, sum: nearShare + lowShare } : { visits: near, sum: nearShare };
}

/** Whether it is that many, when votes that faded are put in whole ones. */
const hasVisits = (visits: number, least: number): boolean => Math.round(visits) >= least;

/** Whether browsers of that release lay out otherwise than the bank has it, so that they are held to what all engines share. */
export function isFallen(votes: ReleaseVotes): boolean {
  const { visits, sum } = believed(votes);
  return hasVisits(visits, LEAST_OF_RELEASE) && sum < FALLEN_BELOW * visits;
}

/** How far the installation is from letting layouts count by themselves, and whether it does. */
export type Gate = {
  readonly isOpen: boolean;
  /** Engines that the bank has answers of. */
  readonly engines: number;
  /** Believed visits by releases that stand, each as much as is left of its vote, and the share of their reads that is as the bank has it, 0..1; 1 for none. */
  readonly visits: number;
  readonly share: number;
  /** Releases that fell. */
  readonly fallen: readonly string[];
};

/** The gate, by how many engines the bank has and what visits came to. */
export function gateOf(engines: number, votes: readonly ReleaseVotes[]): Gate {
  const standing = votes.filter((release) => !isFallen(release)).map(believed);
  const visits = standing.reduce((count, one) => count + one.visits, 0);
  const sum = standing.reduce((total, one) => total + one.sum, 0);
  const share = visits === 0 ? 1 : sum / visits;
  const isOpen = engines >= GATE.engines && hasVisits(visits, GATE.visits) && share >= GATE.share;
  return {
    isOpen,
    engines,
    visits: Math.round(visits),
    share,
    fallen: votes.filter(isFallen).map(({ release }) => release),
  };
}
