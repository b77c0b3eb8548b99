/** The member who made a link; null for older links and for those that the operator makes. */
export const LINK_MAKER_COLUMN = "ALTER TABLE links ADD COLUMN made_by TEXT;";
