import type { ObservedPointer } from "@stile/protocol/observed-signals";
import { knownBehaviour, knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { isWorkedByMouse } from "../handheld.ts";
import { isCentred, SHORT_MS } from "../press.ts";

/** A hand may show any single one of them. */
const LEAST_SIGNS = 2;

const isPen = ({ type, isTrusted }: ObservedPointer): boolean => type === "pen" && isTrusted;

/**
 * Signs against a pen on a surface. A sign that a device may always show counts once; a sign that a
 * hand shows by chance counts each time.
 */
function signsOf(pen: readonly ObservedPointer[]): number {
  const presses = pen.flatMap((down, at) =>
    down.kind === "down" ? [{ down, after: pen[at + 1] }] : [],
  );
  const isWeightless = presses.some(({ down }) => down.pressure === 0);
  const isLetGoAtOnce = presses.some(
    ({ down, after }) => after?.kind === "up" && after.atMs - down.atMs < SHORT_MS,
  );
  return Number(isWeightless) + Number(isLetGoAtOnce) + presses.filter(isCentred).length;
}

/**
 * On a device with a mouse, a pen pressed without pressure, for less than 12 ms, or in the exact
 * middle of its target: two of the three in a visit, or the middle twice. Drivers' clicks of type
 * "pen" do that. Pens tap for 30 ms or longer and report a pressure. Assistive technology presses
 * as a mouse or without a type. Not every pen was measured.
 */
export const scriptedPen = {
  name: "scripted_pen",
  group: "input",
  label: "A pen was pressed in a way that only programs do.",
  weight: 2.6,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || !isWorkedByMouse(environment)) return false;
    return signsOf((knownBehaviour(evidence)?.pointer ?? []).filter(isPen)) >= LEAST_SIGNS;
  },
} satisfies FlagRow;
