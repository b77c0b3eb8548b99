import type { Detector } from "../evidence.ts";

/** Submissions a minute that a shared address (office, school, mobile carrier) has without being odd. */
const BUSY_CLIENT_PER_MINUTE = 30;
/** The same for a whole /24 or /48, through which a program can change its address with every call. */
const BUSY_NETWORK_PER_MINUTE = 200;
/** A site's rate against its baseline from which it counts as a rush. */
const RUSH_RATIO = 5;

/** Many submissions from one address or its network. Carriers and schools have it too: small weight, never a block. */
export const velocityIp: Detector = ({ velocity }) =>
  (velocity?.perMinute ?? 0) > BUSY_CLIENT_PER_MINUTE || (velocity?.networkPerMinute ?? 0) > BUSY_NETWORK_PER_MINUTE;

/** The site is visited far more than usual. A sale does that too and it meets everybody: smallest weight. */
export const velocitySite: Detector = (evidence) => (evidence.velocity?.siteRatio ?? 0) >= RUSH_RATIO;
