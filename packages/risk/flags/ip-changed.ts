import type { FlagRow } from "../flag-row.ts";

/**
 * The solution was submitted from another network than the one that asked for the challenge (D9,
 * submission), or the token is redeemed for another network than the one that solved it (D5,
 * binding). Phones that leave a WLAN, dual-stack homes, mobile networks and relays do that.
 */
export const ipChanged = {
  name: "ip_changed",
  group: "network",
  label: "The visitor's network changed during the visit, or before redeeming.",
  weight: 1,
  detect: ({ history }) => history?.isAddressChanged === true,
} satisfies FlagRow;
