import type { FlagRow } from "../flag-row.ts";

/** Redeemed from another network than solved (D5). Phones that leave a WLAN and dual-stack homes do it: small weight. */
export const ipChanged = {
  name: "ip_changed",
  group: "network",
  label: "The visitor's network changed between solving and redeeming.",
  weight: 1,
  detect: ({ history }) => history?.isAddressChanged === true,
} satisfies FlagRow;
