import type {
  ObservedBehaviour,
  ObservedEnvironment,
  ObservedPointer,
} from "@stile/protocol/observed-signals";
import { knownBehaviour, knownEnvironment, type RiskEvidence } from "./evidence.ts";
import { isWorkedByMouse } from "./handheld.ts";
import { type ClaimedBrowser, parseUserAgent } from "./user-agent.ts";

/** A trusted press of a mouse that had been moved to its place. */
export type MousePress = {
  readonly down: ObservedPointer;
  /** The move that brought the mouse there. */
  readonly arrival: ObservedPointer;
  /** The sample before that move, if there was one. */
  readonly before: ObservedPointer | undefined;
  /** Milliseconds from press to release; undefined if the release was not seen. */
  readonly dwellMs: number | undefined;
};

/** The actions of a mouse in a browser that is used with one. */
export type MouseTrail = {
  readonly environment: ObservedEnvironment;
  readonly claim: ClaimedBrowser;
  /** Its trusted moves, presses and releases, in order of time. */
  readonly samples: readonly ObservedPointer[];
  readonly presses: readonly MousePress[];
};

/** How far, in CSS pixels, the last move may lie from the press that it led to. */
const ARRIVAL_PX = 3;

/** Whether the pointer was where it is now, up to a few pixels. */
export const isSamePlace = (before: ObservedPointer, now: ObservedPointer): boolean =>
  Math.abs(before.x - now.x) <= ARRIVAL_PX && Math.abs(before.y - now.y) <= ARRIVAL_PX;

/** Whether the pointer had been moved to where the press happened; screen readers don't do that. */
export function didArrive(press: ObservedPointer, before: ObservedPointer | undefined): boolean {
  if (before === undefined || before.kind !== "move" || before.type !== "mouse") return false;
  return isSamePlace(before, press);
}

/** Whether the sample is a move. */
export const isMove = (sample: ObservedPointer): boolean => sample.kind === "move";

function pressesOf(samples: readonly ObservedPointer[]): MousePress[] {
  const presses: MousePress[] = [];
  samples.forEach((down, at) => {
    const arrival = samples[at - 1];
    if (down.kind !== "down" || arrival === undefined || !didArrive(down, arrival)) return;
    let end = at + 1;
    while (samples[end]?.kind === "move") end++;
    const after = samples[end];
    const dwellMs = after?.kind === "up" ? after.atMs - down.atMs : undefined;
    presses.push({ down, arrival, before: samples[at - 2], dwellMs });
  });
  return presses;
}

/**
 * The pointer samples, checked against the device. A finger on a device without touch counts as a
 * mouse, so that a mere word in a sample excuses nothing. Browsers that hide how many fingers a
 * screen accepts (Firefox's resistFingerprinting) report fingers as a mouse, too.
 */
function heldPointers(
  pointer: readonly ObservedPointer[],
  touchPoints: number,
): readonly ObservedPointer[] {
  if (touchPoints > 0 || !pointer.some(({ type }) => type === "touch")) return pointer;
  return pointer.map((sample) => (sample.type === "touch" ? { ...sample, type: "mouse" } : sample));
}

/**
 * The behaviour, with its pointers checked against the device: touch counts as a mouse on a device
 * without touch. Undefined if withheld.
 */
export function heldBehaviour(evidence: RiskEvidence): ObservedBehaviour | undefined {
  const behaviour = knownBehaviour(evidence);
  if (behaviour === undefined) return undefined;
  const pointer = heldPointers(behaviour.pointer, knownEnvironment(evidence)?.touchPoints ?? 1);
  return pointer === behaviour.pointer ? behaviour : { ...behaviour, pointer };
}

/**
 * The visitor's mouse, or undefined if rules about mice don't apply (`isWorkedByMouse`), or nothing
 * is known. Input by fingers, pen and keys is left out, and excuses nothing else. Presses by
 * assistive technology, which come without a move, are not among the presses.
 */
export function mouseTrail(evidence: RiskEvidence): MouseTrail | undefined {
  const environment = knownEnvironment(evidence);
  const pointer = knownBehaviour(evidence)?.pointer;
  if (environment === undefined || pointer === undefined) return undefined;
  const claim = parseUserAgent(environment.userAgent);
  if (!isWorkedByMouse(environment)) return undefined;
  const samples = heldPointers(pointer, environment.touchPoints).filter(
    ({ kind, type, isTrusted }) =>
      isTrusted && type === "mouse" && kind !== "cancel" && kind !== "click",
  );
  return { environment, claim, samples, presses: pressesOf(samples) };
}

/**
 * Whether a CSS pixel of this page is a pixel of the screen: not zoomed, not pinched, not in a
 * scaled frame.
 */
export function isUnscaled(environment: ObservedEnvironment): boolean {
  return environment.pixelRatio === 1 && environment.pageScale === 1 && !environment.isFramed;
}
