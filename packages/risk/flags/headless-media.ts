import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { mayBeHandheld } from "../handheld.ts";
import { parseUserAgent } from "../user-agent.ts";

const NO_POINTER = ["pointer:none", "any-pointer:none"];

/**
 * A desktop on which `(pointer: none)` or `(any-pointer: none)` matches: headless Chromium and
 * Firefox (12 of 15 sessions). People who use a computer without a mouse raise it too. Televisions,
 * consoles and touch devices that may be tablets are not scored.
 */
export const headlessMedia = {
  name: "headless_media",
  group: "environment",
  label: "A desktop without any pointing device.",
  weight: 1.4,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || mayBeHandheld(environment)) return false;
    if (!parseUserAgent(environment.userAgent).isDesktop) return false;
    return environment.media.some((query) => NO_POINTER.includes(query.replace(/[()\s]/g, "")));
  },
} satisfies FlagRow;
