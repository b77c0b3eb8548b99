import { type Detector, knownBehaviour, knownEnvironment } from "../evidence.ts";
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
