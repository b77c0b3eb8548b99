import type { KeptVotes } from "@stile/core/domain/layout/kept-votes";

/** Writes the votes of a release, as `votesRow` has them, over the earlier ones; both engines understand it. */
export const putVotesStatement = (values: string): string =>
  `INSERT INTO layout_votes (release, near_count, near_share, low_count, low_share, rank, day) VALUES ${values}
    ON CONFLICT (release) DO UPDATE SET near_count = excluded.near_count, near_share = excluded.near_share,
      low_count = excluded.low_count, low_share = excluded.low_share, rank = excluded.rank, day = excluded.day`;

/** The values of `putVotesStatement`. */
export const votesRow = ({ release, near, nearShare, low, lowShare, rank, day }: KeptVotes) =>
  [release, near, nearShare, low, lowShare, rank, day] as const;

/** All votes, by the names of `KeptVotes`. */
export const SELECT_VOTES = `SELECT release, near_count AS near, near_share AS "nearShare", low_count AS low,
    low_share AS "lowShare", rank, day FROM layout_votes ORDER BY release`;
