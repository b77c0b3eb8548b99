/**
 * The greatest id that a service key was ever made with: a key that was lost is noticed, and its id
 * not used again.
 */
export const NEWEST_KEY_COLUMN = `
ALTER TABLE generations ADD COLUMN newest_key_id INTEGER NOT NULL DEFAULT 0;
UPDATE generations SET newest_key_id = (SELECT coalesce(max(key_id), 0) FROM service_keys);
`;
