/**
 * The rank by which releases keep their places, and the UTC day, counted from 1970, on which votes
 * have full weight.
 */
export const FADING_VOTE_COLUMNS = `
ALTER TABLE layout_votes ADD COLUMN rank REAL NOT NULL DEFAULT 0;
ALTER TABLE layout_votes ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
UPDATE layout_votes SET rank = near_count + low_count, day = unixepoch() / 86400;
`;
