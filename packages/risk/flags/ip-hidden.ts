import type { FlagRow } from "../flag-row.ts";

/**
 * Solved behind a proxy that nobody declared: the token is good in any network, so it weighs like one that was taken to
 * another. The operator's mistake more often than the visitor's doing; a visitor can do it where the service's peers are
 * private addresses, by sending the header themselves.
 */
export const ipHidden = {
  name: "ip_hidden",
  group: "network",
  label: "An undeclared proxy hid the visitor's address.",
  weight: 1,
  detect: ({ history }) => history?.isAddressHidden === true,
} satisfies FlagRow;
