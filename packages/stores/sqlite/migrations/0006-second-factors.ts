/**
 * Recovery codes, reset links that remove the second factors, and whether the account demands one.
 */
export const SECOND_FACTOR_COLUMNS = `
ALTER TABLE members ADD COLUMN recovery_codes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE links ADD COLUMN removes_second_factors INTEGER NOT NULL DEFAULT 0;
ALTER TABLE links ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN demands_second_factor INTEGER NOT NULL DEFAULT 0;
`;
