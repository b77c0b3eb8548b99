/**
 * The rank by which releases keep their places, and the UTC day, counted from 1970, on which votes
 * have their full weight. For existing rows, and those that nodes of the version before still add,
 * it is the day on which they get the column.
 */
export const FADING_VOTE_COLUMNS = `
ALTER TABLE layout_votes ADD COLUMN rank DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE layout_votes ADD COLUMN day BIGINT NOT NULL DEFAULT floor(extract(epoch FROM now()) / 86400);
`;
