/** How far visits of a browser release, such as "Chromium 156", match the bank. Shares are 0..1 each, summed up. */
export type ReleaseVotes = {
  readonly release: string;
  /** Visits that agree as much as real browsers do. */
  readonly near: number;
  readonly nearShare: number;
  /** Visits that agree less, but more than guesses do. */
  readonly low: number;
  readonly lowShare: number;
};

/** Lower shares are guesses: those get 0.04 to 0.11, browsers of an unbaked engine 0.25 and more (decision 0045). */
const GUESSED_BELOW = 0.25;
/** The lowest share of a browser whose engine was baked is 0.74; a layout library gets 0.65. */
const NEAR_FROM = 0.7;
/** How many votes of a release are needed to use them, and the share below which it is no longer held to its engine. */
const LEAST_OF_RELEASE = 20;
const FALLEN_BELOW = 0.95;

/** What is needed before layouts count automatically. */
export const GATE = { engines: 2, visits: 200, share: 0.98 } as const;
/** Beyond this, the votes of a release are halved; all votes fade: the present behaviour of browsers counts more. */
export const MOST_OF_RELEASE = 400;
/** How many releases are kept. */
export const MOST_RELEASES = 100;

/** The vote of one visit; undefined for guesses, which say nothing about any browser. */
export function voteOf(release: string, share: number): ReleaseVotes | undefined {
  if (share < GUESSED_BELOW) return undefined;
  if (share < NEAR_FROM) return { release, near: 0, nearShare: 0, low: 1, lowShare: share };
  return { release, near: 1, nearShare: share, low: 0, lowShare: 0 };
}

/** Adds two votes for the same release. */
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
 * The votes that are believed. An engine lays out alike everywhere: if most visits of a release agree as much as real
 * browsers do, those that agree less are not that browser, whatever they claim. If low votes are the majority and many,
 * the release itself lays out differently. A few would prove nothing, since release names can be made up.
 */
function believed({ near, nearShare, low, lowShare }: ReleaseVotes): { readonly visits: number; readonly sum: number } {
  const isLowBelieved = low > near && hasVisits(near + low, LEAST_OF_RELEASE);
  return isLowBelieved ? { visits: near + low, sum: nearShare + lowShare } : { visits: near, sum: nearShare };
}

/** Whether there are that many visits, with faded votes rounded to whole ones. */
const hasVisits = (visits: number, least: number): boolean => Math.round(visits) >= least;

/** Whether browsers of that release lay out differently from the bank: they are then held to what all engines share. */
export function isFallen(votes: ReleaseVotes): boolean {
  const { visits, sum } = believed(votes);
  return hasVisits(visits, LEAST_OF_RELEASE) && sum < FALLEN_BELOW * visits;
}

/** Whether layouts count automatically, and how far the installation is from that. */
export type Gate = {
  readonly isOpen: boolean;
  /** How many engines the bank has answers from. */
  readonly engines: number;
  /** Believed visits by releases that stand, with faded weight, and the share (0..1) of matching reads; 1 for none. */
  readonly visits: number;
  readonly share: number;
  /** Releases that lay out differently from the bank. */
  readonly fallen: readonly string[];
};

/** The gate, from the number of engines in the bank and the votes of visits. */
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
