import type { Detector } from "../evidence.ts";
import { isMove, isUnscaled, mouseTrail } from "../mouse.ts";

/** Wayland and layout work in 1/256 and 1/64 of a pixel; samples are rounded to 1/1000. */
const GRID = 256;
const ROUNDING = 0.0006;
/** One odd number is an accident. */
const MIN_FRACTIONS = 3;

const isOffGrid = (value: number): boolean => Math.abs(value - Math.round(value * GRID) / GRID) > ROUNDING;

/**
 * A mouse in Chromium on Windows or Linux stood at fractions of a pixel that no device reports: the driver's protocol
 * takes any number (paths that Playwright and ghost-cursor compute: 48 of 48 sessions; input of the system: 0 of 24).
 * Real mice give whole pixels there, Wayland multiples of 1/256. Not judged: other pixel ratios, zoom, scaled frames,
 * touch and pen, macOS and Chrome OS (their pointers stand between pixels), Firefox (it rounds).
 */
export const fractionalPointer: Detector = (evidence) => {
  const trail = mouseTrail(evidence);
  if (trail === undefined || !isUnscaled(trail.environment)) return false;
  const { engine, platform } = trail.claim;
  if (engine !== "chromium" || (platform !== "Windows" && platform !== "Linux")) return false;
  return trail.samples.filter(([, x, y]) => isOffGrid(x) || isOffGrid(y)).length >= MIN_FRACTIONS;
};

/** Moves further apart may have others between them, in frames of other pages, that are not seen. */
const NEIGHBOUR_MS = 50;
const TOLERANCE_PX = 2;
const MIN_MISMATCHES = 6;

/**
 * What the mouse moved by (`movementX`, `movementY`) is not the way between its places, at most of the moves: made-up
 * events. One recorded session in 113 had one such move, so one is nothing; zoom and scaled frames are not judged.
 */
export const movementMismatch: Detector = (evidence) => {
  const trail = mouseTrail(evidence);
  if (trail === undefined || !isUnscaled(trail.environment) || trail.claim.engine !== "chromium") return false;
  const moves = trail.samples.filter(isMove);
  let pairs = 0;
  let mismatches = 0;
  moves.forEach(([ms, x, y, , , , , dx, dy], at) => {
    const before = moves[at - 1];
    if (before === undefined || dx === undefined || dy === undefined || ms - before[0] > NEIGHBOUR_MS) return;
    pairs++;
    const isOff = Math.abs(x - before[1] - dx) > TOLERANCE_PX || Math.abs(y - before[2] - dy) > TOLERANCE_PX;
    if (isOff) mismatches++;
  });
  return mismatches >= MIN_MISMATCHES && mismatches * 2 > pairs;
};

const MIN_TIMES = 8;
/** Input of the system reaches 1.00 under X11 (24 of 24 sessions), a driver's at most 0.63 (108 of 108). */
const MIN_CONCENTRATION = 0.8;

/**
 * The times of the mouse's events lie anywhere within the millisecond. X11 counts whole milliseconds, so real events of
 * Chromium there share one phase, R = |mean exp(2 pi i t)| = 1; a driver's carry the time of its call, even when a person's
 * path is replayed. Shadow: counted and shown, not scored, since a page cannot tell X11 from Wayland, where the mice of
 * people raise it too (decision 0015).
 */
export const eventTimePhase: Detector = (evidence) => {
  const trail = mouseTrail(evidence);
  if (trail === undefined || trail.claim.engine !== "chromium" || trail.claim.platform !== "Linux") return false;
  const times = trail.samples.map(([ms]) => ms);
  if (times.length < MIN_TIMES) return false;
  let cosines = 0;
  let sines = 0;
  for (const ms of times) {
    cosines += Math.cos(2 * Math.PI * ms);
    sines += Math.sin(2 * Math.PI * ms);
  }
  return Math.hypot(cosines, sines) / times.length < MIN_CONCENTRATION;
};
