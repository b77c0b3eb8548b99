import type { Detector } from "../evidence.ts";
import { type MousePress, mouseTrail } from "../mouse.ts";

const SHORT_MS = 12;
const isShort = ({ dwellMs }: MousePress): boolean => dwellMs !== undefined && dwellMs < SHORT_MS;

/**
 * A mouse button was held for less than 12 ms (clicks of drivers: 0 to 9; people's tenth percentile is 55). Of 61 recorded people
 * one held it so half of the time, and one a tenth: tapping on a touchpad does it. Small weight.
 */
export const pressTooShort: Detector = (evidence) => mouseTrail(evidence)?.presses.some(isShort) ?? false;

const JUMP_PX = 50;
/** A move so long after the one before is a movement of its own. */
const ALONE_MS = 100;
/** A page that was busy gets many moves as one, and says of how many it is made. */
const MAX_COALESCED = 2;

/** Whether one single move, from far away, was all that led to the press. */
function didJump({ arrival, before }: MousePress): boolean {
  const [ms, x, y, , , , , dx = 0, dy = 0, coalesced = 1] = arrival;
  if (coalesced > MAX_COALESCED || (before !== undefined && ms - before[0] < ALONE_MS)) return false;
  const fromBefore = before === undefined ? 0 : Math.hypot(x - before[1], y - before[2]);
  return Math.max(Math.hypot(dx, dy), fromBefore) >= JUMP_PX;
}

/**
 * The mouse jumped to the place of the press in one step. Hands draw a path; page, frame borders and late scripts cut
 * paths short, but leave more than one move. Remote control by touch, voice control and pointing by a screen reader
 * jump, so the weight is small, and a pointer that was there all the time is not judged.
 */
export const noApproach: Detector = (evidence) => mouseTrail(evidence)?.presses.some(didJump) ?? false;

const COINCIDENT_MS = 1;

/**
 * The press came within a millisecond of the last move. Hands come to rest first (median 62 ms), yet 4 % of recorded
 * presses did so, since mice jerk when they are pressed: smallest weight.
 */
export const movePressCoincident: Detector = (evidence) =>
  mouseTrail(evidence)?.presses.some(({ down, arrival }) => down[0] - arrival[0] <= COINCIDENT_MS) ?? false;

const CENTRE_PX = 0.51;

const isCentred = ({ down: [, , , , , , , dx, dy] }: MousePress): boolean =>
  dx !== undefined && dy !== undefined && Math.abs(dx) <= CENTRE_PX && Math.abs(dy) <= CENTRE_PX;

/**
 * The press hit the exact middle of what was pressed, as drivers aim (74 of 113 sessions). A hand hits it once in some
 * hundred presses, the less often the larger the button is: smallest weight.
 */
export const exactCentreClick: Detector = (evidence) => mouseTrail(evidence)?.presses.some(isCentred) ?? false;

const AT_ONCE_MS = 15;
const isAtOnce = (press: MousePress): boolean => isShort(press) && press.down[0] - press.arrival[0] <= AT_ONCE_MS;

/**
 * On Linux the mouse jumped, and then pressed within 15 ms and let go within 12, or stood in the exact middle: one command
 * "click there". On Windows and macOS voice control and remote help by touch do the same for people, so there the small
 * flags must do; Linux has no such aids. A tap on a touchpad does not jump, and a finger on a remote screen does not hit
 * the middle.
 */
export const scriptedClick: Detector = (evidence) => {
  const trail = mouseTrail(evidence);
  if (trail?.claim.platform !== "Linux") return false;
  return trail.presses.some((press) => didJump(press) && (isAtOnce(press) || isCentred(press)));
};

const REGULAR_PRESSES = 5;
const REGULAR_MS = 2;

/**
 * Five presses in a row were held equally long, to 2 ms: a constant in a program. Of the recorded people's rows of five
 * 0.2 % are so; taps on touchpads, which are shorter than 12 ms, are left out.
 */
export const pressDwellRegular: Detector = (evidence) => {
  const dwells = (mouseTrail(evidence)?.presses ?? []).flatMap(({ dwellMs }) => dwellMs ?? []);
  return dwells.some((_, at) => {
    const row = dwells.slice(at, at + REGULAR_PRESSES);
    if (row.length < REGULAR_PRESSES || Math.min(...row) < SHORT_MS) return false;
    return Math.max(...row) - Math.min(...row) <= REGULAR_MS;
  });
};
