import type { FlagRow } from "../flag-row.ts";

/**
 * The customer's server named something that is no address, so nothing can be compared. Or it was
 * solved behind an undeclared proxy: the token is valid in any network, so this weighs as much as a
 * token that was taken to another one. More often it is the operator's mistake than the visitor's
 * doing; a visitor can cause it if the service's peers have private addresses, by sending the
 * header themselves.
 */
export const ipHidden = {
  name: "ip_hidden",
  group: "network",
  label: "The visitor's address is hidden, or what was sent is no address.",
  weight: 1,
  detect: ({ history }) => history?.isAddressHidden === true,
} satisfies FlagRow;
