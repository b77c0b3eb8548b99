import type { FlagRow } from "../flag-row.ts";

/** Submissions per minute that are normal for a shared address (office, school, mobile carrier). */
const BUSY_CLIENT_PER_MINUTE = 30;

/**
 * The same for a whole /24 or /48, within which a program can change its address with every call.
 */
const BUSY_NETWORK_PER_MINUTE = 200;

/**
 * Many submissions from one address or network. Carriers and schools have it too, so it never
 * blocks.
 */
export const velocityIp = {
  name: "velocity_ip",
  group: "network",
  label: "Many attempts from this network in a short time.",
  weight: 0.8,
  detect: ({ velocity }) =>
    (velocity?.perMinute ?? 0) > BUSY_CLIENT_PER_MINUTE ||
    (velocity?.networkPerMinute ?? 0) > BUSY_NETWORK_PER_MINUTE,
} satisfies FlagRow;
