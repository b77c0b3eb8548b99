import type { Detector } from "../evidence.ts";

/** Redeemed from another network than solved (D5). Phones that leave a WLAN and dual-stack homes do it: small weight. */
export const ipChanged: Detector = ({ history }) => history?.isAddressChanged === true;

/**
 * Solved behind a proxy that nobody declared: the token is good in any network, so it weighs like one that was taken to
 * another. The operator's mistake more often than the visitor's doing; a visitor can do it where the service's peers are
 * private addresses, by sending the header himself.
 */
export const ipHidden: Detector = ({ history }) => history?.isAddressHidden === true;

/** Redeemed with another user agent than solved (D5). Rare in people (an update in between), usual in token farms. */
export const uaChanged: Detector = ({ history }) => history?.isUserAgentChanged === true;

/** The same signed observations came a second time (D7). A customer's retry does it too: never a block by itself. */
export const signalsReplayed: Detector = ({ history }) => history?.isSignalsReplayed === true;

/** The token shown is forged, foreign, expired or spent: score 1.00 (D7). */
export const tokenInvalid: Detector = ({ history }) => history?.isTokenInvalid === true;

/**
 * Another network handed in the very same pointer and key times of this site within a day, sample by sample: a recording is
 * played, or made-up signals are used again. No two people do that: times have tenths of a millisecond. One's own page does
 * hand the same in again; the history leaves out the visitor's own networks.
 */
export const behaviourRepeated: Detector = ({ history }) => history?.isBehaviourRepeated === true;
