import type { ObservedPointer } from "@stile/protocol/observed-signals";
import { knownBehaviour, knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { isHandheld } from "../handheld.ts";
import { isCentred, SHORT_MS } from "../press.ts";
import { parseUserAgent } from "../user-agent.ts";

/** A person with an unusual screen, or with luck, may show any single sign. */
const ONE_SIGN = 0.5;

/** What an emulated screen reports by default. Real ones feel several fingers. */
const EMULATED_POINTS = 1;

const isFinger = ({ type, isTrusted }: ObservedPointer): boolean => type === "touch" && isTrusted;

/** Signs that the taps came from a program: a short one counts once, a centred one each time. */
function signsOf(fingers: readonly ObservedPointer[]): number {
  const taps = fingers.flatMap((down, at) =>
    down.kind === "down" ? [{ down, after: fingers[at + 1] }] : [],
  );
  const isLetGoAtOnce = taps.some(
    ({ down, after }) => after?.kind === "up" && after.atMs - down.atMs < SHORT_MS,
  );
  return Number(isLetGoAtOnce) + taps.filter(isCentred).length;
}

/**
 * A browser of a computer was tapped by a finger, as debugging protocols emulate it. Signs are a
 * screen that feels one finger only, Linux, a tap of less than 12 ms (fingers: 50 and longer), and
 * each tap in the exact middle of its target. Computers with touchscreens exist, so one sign counts
 * half. Phones and tablets are not scored.
 */
export const scriptedTouch = {
  name: "scripted_touch",
  group: "input",
  label: "A finger tapped a computer in a way that only programs do.",
  weight: 2.6,
  grade: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || environment.touchPoints === 0) return 0;
    const { isDesktop, platform } = parseUserAgent(environment.userAgent);
    if (!isDesktop || isHandheld(environment)) return 0;
    const fingers = (knownBehaviour(evidence)?.pointer ?? []).filter(isFinger);
    if (!fingers.some(({ kind }) => kind === "down")) return 0;
    const signs =
      Number(environment.touchPoints === EMULATED_POINTS) +
      Number(platform === "Linux") +
      signsOf(fingers);
    return signs > 1 ? 1 : signs * ONE_SIGN;
  },
} satisfies FlagRow;
