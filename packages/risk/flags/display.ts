import { type Detector, knownBehaviour, knownEnvironment, type RiskEvidence } from "../evidence.ts";
import { parseUserAgent } from "../user-agent.ts";

const NO_POINTER = ["pointer:none", "any-pointer:none"];

/**
 * A desktop without touch on which `(pointer: none)` or `(any-pointer: none)` matches: headless Chromium and Firefox
 * (12 of 15 sessions). Computers without a mouse exist: whoever used the keyboard is not judged, televisions and
 * consoles are no desktops, and the weight is small.
 */
export const headlessMedia: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  if (environment === undefined || environment.touchPoints > 0) return false;
  if (!parseUserAgent(environment.userAgent).isDesktop) return false;
  if ((knownBehaviour(evidence)?.keys.length ?? 0) > 0) return false;
  return environment.media.some((query) => NO_POINTER.includes(query.replace(/[()\s]/g, "")));
};

/** Invisible borders let a maximised window of Windows exceed its screen by up to 16 CSS pixels. */
const BORDER_PX = 24;

/**
 * On a desktop both the page and its window are larger than the screen, in both directions: a driver set the window's
 * size and the virtual screen kept its own. Zooming changes the page only, a window across two screens exceeds one
 * direction only, phones and tablets are not judged.
 */
export const viewportExceedsScreen: Detector = (evidence) => {
  const environment = knownEnvironment(evidence);
  if (environment === undefined || environment.touchPoints > 0) return false;
  if (!parseUserAgent(environment.userAgent).isDesktop) return false;
  const [width, height] = environment.screen;
  const [innerWidth, innerHeight, outerWidth, outerHeight] = environment.viewport;
  if (width <= 0 || height <= 0) return false;
  return innerWidth >= width && innerHeight >= height && outerWidth > width && outerHeight > height + BORDER_PX;
};

const IN_TAB = "(display-mode: browser)";

/** Share of the weight where there are no bars: whoever tries his own site with a browser without a window raises it too. */
const NO_BARS_GRADE = 0.3;

/** How surely the screen was made up to fit the page: 1 behind a window with bars, NO_BARS_GRADE in a tab without any. */
export function emulatedScreenGrade(evidence: RiskEvidence): number {
  const environment = knownEnvironment(evidence);
  if (environment === undefined || environment.touchPoints > 0 || environment.isFramed) return 0;
  const { engine, isDesktop } = parseUserAgent(environment.userAgent);
  if (engine !== "chromium" || !isDesktop) return 0;
  const [width, height] = environment.screen;
  const [innerWidth, innerHeight, outerWidth, outerHeight] = environment.viewport;
  if (width <= 0 || innerWidth !== width || innerHeight !== height) return 0;
  if (outerHeight > height + BORDER_PX) return 1;
  const hasNoBars = outerWidth === innerWidth && outerHeight === innerHeight;
  return hasNoBars && environment.media.includes(IN_TAB) ? NO_BARS_GRADE : 0;
}

/**
 * The screen of a desktop has exactly the size of the page, and the window either has bars and is higher than the screen,
 * or has none although the page stands in a tab: the screen was made up to fit a page of wanted size, as Playwright does
 * with a window (61 of 61 sessions) and without. Real windows that reach beyond a screen don't have pages of just its
 * size; a page without bars is in full screen, and then its display mode is another. Developers who try a desktop layout
 * in their browser's device mode raise it on their own site.
 */
export const emulatedScreen: Detector = (evidence) => emulatedScreenGrade(evidence) > 0;

const SOFTWARE = /SwiftShader|llvmpipe|softpipe|Microsoft Basic Render/i;

/** WebGL is drawn by the processor: servers and virtual machines, but also people's; next to no weight. */
export const softwareGl: Detector = (evidence) =>
  SOFTWARE.test(knownEnvironment(evidence)?.graphics?.join(" ").slice(0, 512) ?? "");
