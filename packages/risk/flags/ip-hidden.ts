import type { FlagRow } from "../flag-row.ts";

/**
 * The customer's server passed something that is not an address, so nothing can be compared. Or the
 * token was solved behind an undeclared proxy and is valid in any network. Most often it is the
 * operator's mistake. A visitor can cause it if the service's peers have private addresses.
 */
export const ipHidden = {
  name: "ip_hidden",
  group: "network",
  label: "The visitor's address is hidden or not valid.",
  weight: 1,
  detect: ({ history }) => history?.isAddressHidden === true,
} satisfies FlagRow;
