import type { Detector } from "../evidence.ts";

/** Redeemed from another network than solved (D5). Phones that leave a WLAN and dual-stack homes do it: small weight. */
export const ipChanged: Detector = ({ history }) =>
  history?.isAddressChanged === true || history?.isAddressFamilyChanged === true;

/** Redeemed with another user agent than solved (D5). Rare in people (an update in between), usual in token farms. */
export const uaChanged: Detector = ({ history }) => history?.isUserAgentChanged === true;

/** The same signed observations came a second time (D7). A customer's retry does it too: never a block by itself. */
export const signalsReplayed: Detector = ({ history }) => history?.isSignalsReplayed === true;

/** The token shown is forged, foreign, expired or spent: score 1.00 (D7). */
export const tokenInvalid: Detector = ({ history }) => history?.isTokenInvalid === true;
