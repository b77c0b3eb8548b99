import type { ObservedBehaviour, ObservedPointer } from "@stile/protocol/observed-signals";
import { knownBehaviour } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

const isPress = ({ kind }: ObservedPointer): boolean => kind === "down" || kind === "click";

function isInside({ x, y }: ObservedPointer, box: ObservedBehaviour["box"]): boolean {
  if (box === null) return false;
  const { left, top, width, height } = box;
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/**
 * A script made the click that answered the widget: it was untrusted. Any trusted press clears it;
 * browsers trust devices, keyboards, screen readers and switches. Keyboard extensions (Vimium) and
 * some voice control raise it: it never blocks.
 */
export const syntheticClick = {
  name: "synthetic_click",
  group: "input",
  label: "The click was made by a program, not by a device.",
  weight: 2.6,
  detect: (evidence) => {
    const behaviour = knownBehaviour(evidence);
    const presses = behaviour?.pointer.filter(isPress) ?? [];
    if (
      behaviour === undefined ||
      presses.length === 0 ||
      presses.some(({ isTrusted }) => isTrusted)
    )
      return false;
    return (
      evidence.solve?.interaction === "click" ||
      presses.some((press) => isInside(press, behaviour.box))
    );
  },
} satisfies FlagRow;
