import type { Detector } from "../evidence.ts";

/** Submissions a minute that a shared address prefix (office, school, mobile carrier) has without being odd. */
const BUSY_PREFIX_PER_MINUTE = 30;
/** A site's rate against its baseline from which it counts as a rush. */
const RUSH_RATIO = 5;

/** Many submissions from one address prefix. Shared networks have it too: small weight, never a block. */
export const velocityIp: Detector = (evidence) => (evidence.velocity?.perMinute ?? 0) > BUSY_PREFIX_PER_MINUTE;

/** The site is visited far more than usual. A sale does that too and it meets everybody: smallest weight. */
export const velocitySite: Detector = (evidence) => (evidence.velocity?.siteRatio ?? 0) >= RUSH_RATIO;
