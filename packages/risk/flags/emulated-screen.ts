import { knownEnvironment, type RiskEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { mayBeHandheld } from "../handheld.ts";
import { parseUserAgent } from "../user-agent.ts";
import { BORDER_PX } from "./viewport-exceeds-screen.ts";

const IN_TAB = "(display-mode: browser)";

/**
 * Share of the weight if there are no bars: people who try their site in a browser without a window
 * raise it too.
 */
const NO_BARS_GRADE = 0.3;

/**
 * How likely it is that the screen was made to fit the page: 1 in a window with bars, NO_BARS_GRADE
 * in a tab without any.
 */
function emulatedScreenGrade(evidence: RiskEvidence): number {
  const environment = knownEnvironment(evidence);
  if (environment === undefined || mayBeHandheld(environment) || environment.isFramed) return 0;
  const { engine, isDesktop } = parseUserAgent(environment.userAgent);
  if (engine !== "chromium" || !isDesktop) return 0;
  const { width, height } = environment.screen;
  const { innerWidth, innerHeight, outerWidth, outerHeight } = environment.viewport;
  if (width <= 0 || innerWidth !== width || innerHeight !== height) return 0;
  if (outerHeight > height + BORDER_PX) return 1;
  const hasNoBars = outerWidth === innerWidth && outerHeight === innerHeight;
  return hasNoBars && environment.media.includes(IN_TAB) ? NO_BARS_GRADE : 0;
}

/**
 * The screen of a desktop has exactly the size of the page. And the window either has bars and is
 * taller than the screen, or has none although the page is in a tab. Playwright sets it so (61 of
 * 61 sessions). Developers in device mode raise it on their own site.
 */
export const emulatedScreen = {
  name: "emulated_screen",
  group: "environment",
  label: "The screen was emulated to fit the page.",
  weight: 2.8,
  grade: emulatedScreenGrade,
} satisfies FlagRow;
