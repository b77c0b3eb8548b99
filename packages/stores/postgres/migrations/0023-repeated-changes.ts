/**
 * Identifies a change whose answer may have been lost, so that its repeat is recognised (decision
 * 0134).
 */
export const CHANGE_DIGEST_COLUMN = `
ALTER TABLE audit_entries ADD COLUMN change_digest TEXT;
CREATE INDEX audit_entries_change ON audit_entries (change_digest) WHERE change_digest IS NOT NULL;
`;
