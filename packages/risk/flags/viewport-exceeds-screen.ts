import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { mayBeHandheld } from "../handheld.ts";
import { parseUserAgent } from "../user-agent.ts";

/** Invisible borders let a maximised window on Windows exceed its screen by up to 16 CSS pixels. */
export const BORDER_PX = 24;

/**
 * On a desktop both the page and its window are larger than the screen, in both directions: a
 * driver set the window's size but not the screen's. Zoom, and a window across two screens, do not
 * raise it. Phones and tablets are not scored.
 */
export const viewportExceedsScreen = {
  name: "viewport_exceeds_screen",
  group: "environment",
  label: "The window is larger than the screen.",
  weight: 0.8,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || mayBeHandheld(environment)) return false;
    if (!parseUserAgent(environment.userAgent).isDesktop) return false;
    const { width, height } = environment.screen;
    const { innerWidth, innerHeight, outerWidth, outerHeight } = environment.viewport;
    if (width <= 0 || height <= 0) return false;
    return (
      innerWidth >= width &&
      innerHeight >= height &&
      outerWidth > width &&
      outerHeight > height + BORDER_PX
    );
  },
} satisfies FlagRow;
