import type { FlagRow } from "../flag-row.ts";

/**
 * Solved behind an undeclared proxy: the token is valid in any network, so this weighs as much as a token that was
 * taken to another one. More often it is the operator's mistake than the visitor's doing; a visitor can cause it if the
 * service's peers have private addresses, by sending the header themselves.
 */
export const ipHidden = {
  name: "ip_hidden",
  group: "network",
  label: "An undeclared proxy hid the visitor's address.",
  weight: 1,
  detect: ({ history }) => history?.isAddressHidden === true,
} satisfies FlagRow;
