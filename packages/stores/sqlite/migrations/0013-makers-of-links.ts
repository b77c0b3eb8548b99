/** The member who made a link; none of those that are there, or that the operator makes. */
export const LINK_MAKER_COLUMN = "ALTER TABLE links ADD COLUMN made_by TEXT;";
