import type { ObservedEnvironment } from "@stile/protocol/observed-signals";
import { parseUserAgent } from "./user-agent.ts";

/** What `navigator.platform` is on handhelds, iPads that pass for a Mac included, whatever their user agent says. */
const HANDHELD_PLATFORM = /^(?:Linux (?:arm|aarch)|Android|iP|Mac)/;

/**
 * Whether the browser of what calls itself a computer may be that of a tablet or a phone that asks for desktop sites: it has touch. A
 * computer under Windows has it too, and is none: no handheld asks for desktop sites under that name by itself, and where somebody made
 * one do so, its page still says what it runs on.
 */
export function mayBeHandheld({ touchPoints, userAgent, platform }: ObservedEnvironment): boolean {
  if (touchPoints === 0) return false;
  return parseUserAgent(userAgent).platform !== "Windows" || HANDHELD_PLATFORM.test(platform);
}

/**
 * Whether a mouse is what it is worked by, as far as rules of mice go: a computer, or what calls itself a phone and takes no finger. No
 * phone is that, but Firefox where it resists fingerprinting: it hides touch and calls fingers a mouse, which come to no press by a way.
 */
export function isWorkedByMouse({ touchPoints, userAgent }: ObservedEnvironment): boolean {
  const { isDesktop, isMobile, platform } = parseUserAgent(userAgent);
  return isDesktop || (touchPoints === 0 && isMobile && (platform === "Android" || platform === "iOS"));
}
