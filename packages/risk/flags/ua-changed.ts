import type { FlagRow } from "../flag-row.ts";

/**
 * Redeemed with another user agent than solved with (D5, binding). Rare for people (an update in
 * between), common in token farms.
 */
export const uaChanged = {
  name: "ua_changed",
  group: "network",
  label: "The visitor's browser changed between solving and redeeming.",
  weight: 1.5,
  detect: ({ history }) => history?.isUserAgentChanged === true,
} satisfies FlagRow;
