/**
 * The challenge limit of an account became that of each of its networks, with a total for all of
 * them and a choice of what happens over it (D10). An account with a limit keeps the most that it
 * gave out: budget and reserve together.
 */
export const ACCOUNT_LIMITS = `
ALTER TABLE accounts ADD COLUMN total_per_minute INTEGER;
ALTER TABLE accounts ADD COLUMN over_limit TEXT CHECK (over_limit IN ('refuse', 'work'));
UPDATE accounts SET total_per_minute = coalesce(challenge_per_minute, 100) + coalesce(reserve_per_minute, 100)
  WHERE challenge_per_minute IS NOT NULL OR reserve_per_minute IS NOT NULL;
ALTER TABLE accounts DROP COLUMN reserve_per_minute;
`;
