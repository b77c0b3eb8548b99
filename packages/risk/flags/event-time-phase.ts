import type { FlagRow } from "../flag-row.ts";

const MIN_TIMES = 8;

/** Input of the system reaches 1.00 under X11 (24 of 24 sessions), a driver's at most 0.63 (108 of 108). */
const MIN_CONCENTRATION = 0.8;

/**
 * The times of the mouse's events lie anywhere within the millisecond. X11 counts whole milliseconds, so real events of
 * Chromium there share one phase, R = |mean exp(2 pi i t)| = 1; a driver's carry the time of its call, even when a person's
 * path is replayed. Shadow: counted and shown, not scored, since a page cannot tell X11 from Wayland, where the mice of
 * people raise it too (decision 0015).
 */
export const eventTimePhase = {
  name: "event_time_phase",
  group: "input",
  label: "Times of events that no mouse has (shadow flag, not scored).",
  weight: 0,
  isShadow: true,
  detect: ({ mouse }) => {
    if (mouse === undefined || mouse.claim.engine !== "chromium" || mouse.claim.platform !== "Linux") return false;
    const times = mouse.samples.map(({ atMs }) => atMs);
    if (times.length < MIN_TIMES) return false;
    let cosines = 0;
    let sines = 0;
    for (const ms of times) {
      cosines += Math.cos(2 * Math.PI * ms);
      sines += Math.sin(2 * Math.PI * ms);
    }
    return Math.hypot(cosines, sines) / times.length < MIN_CONCENTRATION;
  },
} satisfies FlagRow;
