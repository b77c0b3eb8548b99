import { knownBehaviour, knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { parseUserAgent } from "../user-agent.ts";

const NO_POINTER = ["pointer:none", "any-pointer:none"];

/**
 * A desktop without touch on which `(pointer: none)` or `(any-pointer: none)` matches: headless Chromium and Firefox
 * (12 of 15 sessions). Computers without a mouse exist: whoever used the keyboard is not judged, televisions and
 * consoles are no desktops, and the weight is small.
 */
export const headlessMedia = {
  name: "headless_media",
  group: "environment",
  label: "A desktop without any pointing device.",
  weight: 1.4,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || environment.touchPoints > 0) return false;
    if (!parseUserAgent(environment.userAgent).isDesktop) return false;
    if ((knownBehaviour(evidence)?.keys.length ?? 0) > 0) return false;
    return environment.media.some((query) => NO_POINTER.includes(query.replace(/[()\s]/g, "")));
  },
} satisfies FlagRow;
