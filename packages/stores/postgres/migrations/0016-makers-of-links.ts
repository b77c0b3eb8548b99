/** The member who made a link; none of those that are there, that the operator makes, or that nodes of the version before do. */
export const LINK_MAKER_COLUMN = "ALTER TABLE links ADD COLUMN made_by TEXT;";
