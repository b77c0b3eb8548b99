import { MOST_OF_RELEASE, MOST_RELEASES } from "@stile/core/domain/layout/agreement";

/** Adds votes, as release, near, its shares, low, its shares; both engines know these statements. */
export const addVotesStatement = (values: string): string =>
  `INSERT INTO layout_votes (release, near_count, near_share, low_count, low_share) VALUES ${values}
    ON CONFLICT (release) DO UPDATE SET near_count = layout_votes.near_count + excluded.near_count,
      near_share = layout_votes.near_share + excluded.near_share, low_count = layout_votes.low_count + excluded.low_count,
      low_share = layout_votes.low_share + excluded.low_share`;

/** Halves the votes of whoever has too many. */
export const HALVE_VOTES = `UPDATE layout_votes SET near_count = near_count / 2, near_share = near_share / 2,
    low_count = low_count / 2, low_share = low_share / 2 WHERE near_count + low_count > ${MOST_OF_RELEASE}`;

/** Forgets releases beyond their number, those with fewest votes. */
export const FORGET_SURPLUS = `DELETE FROM layout_votes WHERE release NOT IN
    (SELECT release FROM layout_votes ORDER BY near_count + low_count DESC, release LIMIT ${MOST_RELEASES})`;

/** All votes, by the names of `ReleaseVotes`. */
export const SELECT_VOTES = `SELECT release, near_count AS near, near_share AS "nearShare", low_count AS low,
    low_share AS "lowShare" FROM layout_votes ORDER BY release`;
