/** Where spent tokens and challenges are kept, if not in this database (decision 0039). */
export const SPENDS_ELSEWHERE = `
ALTER TABLE generations ADD COLUMN spends_in TEXT NOT NULL DEFAULT '';
`;
