/**
 * The member who made a link; null for older links, the operator's, and those of nodes of the
 * version before.
 */
export const LINK_MAKER_COLUMN = "ALTER TABLE links ADD COLUMN made_by TEXT;";
