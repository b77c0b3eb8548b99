import type { ObservedEnvironment } from "@stile/protocol/observed-signals";
import { parseUserAgent } from "./user-agent.ts";

/**
 * How `navigator.platform` begins on handhelds, whatever their user agent says; even iPads that
 * claim to be a Mac.
 */
const HANDHELD_PLATFORM = /^(?:Linux (?:arm|aarch)|Android|iP|Mac)/;

/** Whether the page runs on a phone or a tablet, even if its user agent names a computer. */
export const isHandheld = ({ platform }: Pick<ObservedEnvironment, "platform">): boolean =>
  HANDHELD_PLATFORM.test(platform);

/**
 * Whether a browser that claims to run on a computer may be on a tablet or a phone that asks for
 * desktop sites: it has touch. A Windows computer may have touch too, but does not count. No
 * handheld asks for desktop sites under that name on its own, and if somebody made one do so, its
 * page still reveals its platform.
 */
export function mayBeHandheld(environment: ObservedEnvironment): boolean {
  if (environment.touchPoints === 0) return false;
  return parseUserAgent(environment.userAgent).platform !== "Windows" || isHandheld(environment);
}

/**
 * Whether the device is used with a mouse, so that rules about mice apply: a computer, or a device
 * that claims to be a phone but accepts no finger. No phone is like that, except with Firefox when
 * it resists fingerprinting: it hides touch and reports fingers as a mouse, but these reach no
 * press by a path.
 */
export function isWorkedByMouse({ touchPoints, userAgent }: ObservedEnvironment): boolean {
  const { isDesktop, isMobile, platform } = parseUserAgent(userAgent);
  return (
    isDesktop || (touchPoints === 0 && isMobile && (platform === "Android" || platform === "iOS"))
  );
}
