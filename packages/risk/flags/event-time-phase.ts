import { type FlagRow, gradeOf } from "../flag-row.ts";
import { trajectoryBot } from "./trajectory-bot.ts";

const MIN_TIMES = 8;

/**
 * Input from the operating system reaches 1.00 under X11 (24 of 24 sessions), a driver's at most
 * 0.63 (108 of 108).
 */
const MIN_CONCENTRATION = 0.8;

/**
 * The times of the mouse's events lie anywhere within the millisecond. X11 counts whole
 * milliseconds, so real events in Chromium there share one phase; a driver's events carry the time
 * of its call. Under Wayland people's mice raise it too. So it is a shadow flag unless
 * `trajectory_bot` is fully present, and is too small to block with it.
 */
export const eventTimePhase = {
  name: "event_time_phase",
  group: "input",
  label: "The event times are not those of a mouse under X11.",
  weight: 0.15,
  isShadowFor: (evidence) => gradeOf(trajectoryBot, evidence) < 1,
  detect: ({ mouse }) => {
    if (
      mouse === undefined ||
      mouse.claim.engine !== "chromium" ||
      mouse.claim.platform !== "Linux"
    )
      return false;
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
