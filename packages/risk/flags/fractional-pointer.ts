import type { FlagRow } from "../flag-row.ts";
import { isUnscaled } from "../mouse.ts";

/** Wayland and layout work in 1/256 and 1/64 of a pixel; samples are rounded to 1/1000. */
const GRID = 256;
const ROUNDING = 0.0006;

/** One odd number is an accident. */
const MIN_FRACTIONS = 3;

const isOffGrid = (value: number): boolean =>
  Math.abs(value - Math.round(value * GRID) / GRID) > ROUNDING;

/**
 * A mouse in Chromium on Windows or Linux was at fractions of a pixel that no device reports. A
 * driver's protocol accepts any number (48 of 48 sessions; input from the operating system: 0 of
 * 24). Wayland reports multiples of 1/256. Not scored: other pixel ratios, zoom, scaled frames,
 * touch and pen, macOS, Chrome OS and Firefox.
 */
export const fractionalPointer = {
  name: "fractional_pointer",
  group: "input",
  label: "The mouse was between pixels, where only programs put it.",
  weight: 3.5,
  detect: ({ mouse }) => {
    if (mouse === undefined || !isUnscaled(mouse.environment)) return false;
    const { engine, platform } = mouse.claim;
    if (engine !== "chromium" || (platform !== "Windows" && platform !== "Linux")) return false;
    return mouse.samples.filter(({ x, y }) => isOffGrid(x) || isOffGrid(y)).length >= MIN_FRACTIONS;
  },
} satisfies FlagRow;
