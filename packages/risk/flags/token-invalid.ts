import type { FlagRow } from "../flag-row.ts";

/** The token shown is forged, foreign, expired or spent: score 1.00 (D7, score request). */
export const tokenInvalid = {
  name: "token_invalid",
  group: "history",
  label: "The token is forged, expired, already used or from another site.",
  weight: 6,
  floor: 1,
  detect: ({ history }) => history?.isTokenInvalid === true,
} satisfies FlagRow;
