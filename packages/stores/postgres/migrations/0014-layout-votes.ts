/**
 * How often reads of honest visits agree with the bank, by browser release: counts, and sums of
 * shares from 0 to 1.
 */
export const LAYOUT_VOTE_TABLES = `
CREATE TABLE layout_votes (
  release TEXT PRIMARY KEY,
  near_count DOUBLE PRECISION NOT NULL,
  near_share DOUBLE PRECISION NOT NULL,
  low_count DOUBLE PRECISION NOT NULL,
  low_share DOUBLE PRECISION NOT NULL
);
`;
