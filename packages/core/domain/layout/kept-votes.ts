import { MOST_OF_RELEASE, MOST_RELEASES, type ReleaseVotes, sumVotes } from "./agreement.ts";

/** The votes of a release as they are stored. */
export type KeptVotes = ReleaseVotes & {
  /** Its own votes plus those of the release it replaced. The next newcomer replaces the release of the lowest rank. */
  readonly rank: number;
  /** The UTC day, counted from 1970, for which these weights hold. */
  readonly day: number;
};

/** What a write changes. */
export type VoteChanges = { readonly put: readonly KeptVotes[]; readonly forget: readonly string[] };

const DAY_MS = 86_400_000;
/** Days after which a vote has half its weight: about as long as a browser release is the newest. */
const HALF_LIFE_DAYS = 30;
/** A release with less weight left is forgotten; a single vote gets there after 30 days. */
const LEAST_KEPT = 0.5;

/** The UTC day of a moment, counted from 1970. */
export const dayOf = (nowMs: number): number => Math.floor(nowMs / DAY_MS);

const scale = (votes: ReleaseVotes, by: number): ReleaseVotes => ({
  release: votes.release,
  near: votes.near * by,
  nearShare: votes.nearShare * by,
  low: votes.low * by,
  lowShare: votes.lowShare * by,
});

const countOf = ({ near, low }: ReleaseVotes): number => near + low;

/** The votes as they weigh on that day. An earlier day changes nothing, since the clocks of nodes differ. */
function weigh(kept: KeptVotes, day: number): KeptVotes {
  if (day <= kept.day) return kept;
  const left = 2 ** ((kept.day - day) / HALF_LIFE_DAYS);
  return { ...scale(kept, left), rank: kept.rank * left, day };
}

const isForgotten = (kept: KeptVotes): boolean => countOf(kept) < LEAST_KEPT;

/** The votes as they weigh now, without releases that have faded away. */
export function weighVotes(kept: readonly KeptVotes[], nowMs: number): readonly ReleaseVotes[] {
  const weighed = kept.map((one) => weigh(one, dayOf(nowMs))).filter((one) => !isForgotten(one));
  return weighed.map(({ rank: _, day: __, ...votes }) => votes);
}

function add(before: KeptVotes, votes: ReleaseVotes): KeptVotes {
  const sum = sumVotes(before, votes);
  const part = countOf(sum) > MOST_OF_RELEASE ? 0.5 : 1;
  return { ...scale(sum, part), rank: part * (before.rank + countOf(votes)), day: before.day };
}

/** The release of the lowest rank; of equals, the first by name, so that all store engines choose alike. */
function lowestOf(kept: Iterable<KeptVotes>): KeptVotes | undefined {
  let lowest: KeptVotes | undefined;
  for (const one of kept) {
    if (lowest === undefined || one.rank < lowest.rank || (one.rank === lowest.rank && one.release < lowest.release)) {
      lowest = one;
    }
  }
  return lowest;
}

/**
 * Adds votes to the stored ones, of at most 100 releases. If there is no room, a new release replaces the one of the
 * lowest rank and takes over that rank (the Space-Saving sketch: Metwally, Agrawal, El Abbadi, 2005). So a release with
 * more than one in 100 of the recent votes is always kept, whatever other names are made up and however many votes
 * those had before.
 */
export function addToVotes(kept: readonly KeptVotes[], votes: readonly ReleaseVotes[], nowMs: number): VoteChanges {
  const day = dayOf(nowMs);
  // An older version of the service, which knew no ranks, may have written these.
  const ranked = kept.map((one) => ({ ...one, rank: Math.max(one.rank, countOf(one)) }));
  const weighed = ranked.map((one) => weigh(one, day));
  const before = new Map(weighed.map((one) => [one.release, one]));
  const after = new Map(weighed.filter((one) => !isForgotten(one)).map((one) => [one.release, one]));
  for (const vote of votes) {
    const known = after.get(vote.release);
    const gone = known === undefined && after.size >= MOST_RELEASES ? lowestOf(after.values()) : undefined;
    if (gone !== undefined) after.delete(gone.release);
    const { release } = vote;
    const nothing = { release, near: 0, nearShare: 0, low: 0, lowShare: 0, rank: gone?.rank ?? 0, day };
    after.set(release, add(known ?? nothing, vote));
  }
  return {
    put: [...after.values()].filter((one) => before.get(one.release) !== one),
    forget: [...before.keys()].filter((release) => !after.has(release)),
  };
}
