import { type EnvironmentSignals, POINTER_KINDS, POINTER_TYPES, type PointerSample } from "@stile/protocol/signals";
import { knownBehaviour, knownEnvironment, type RiskEvidence } from "./evidence.ts";
import { type ClaimedBrowser, parseUserAgent } from "./user-agent.ts";

const MOVE = POINTER_KINDS.indexOf("move");
const DOWN = POINTER_KINDS.indexOf("down");
const UP = POINTER_KINDS.indexOf("up");
const MOUSE = POINTER_TYPES.indexOf("mouse");

/** A trusted press of a mouse that had been moved to its place. */
export type MousePress = {
  readonly down: PointerSample;
  /** The move that brought the mouse there. */
  readonly arrival: PointerSample;
  /** The sample before that move, if there was one. */
  readonly before: PointerSample | undefined;
  /** Milliseconds from press to release; undefined if the release was not seen. */
  readonly dwellMs: number | undefined;
};

/** What a mouse did in the browser of a desktop. */
export type MouseTrail = {
  readonly environment: EnvironmentSignals;
  readonly claim: ClaimedBrowser;
  /** Trusted moves, presses and releases, in the order of time. */
  readonly samples: readonly PointerSample[];
  readonly presses: readonly MousePress[];
};

/** How far, in CSS pixels, the last move may lie from the press that it led to. */
const ARRIVAL_PX = 3;

/** Whether the pointer had been moved to where the press happened, which no screen reader does. */
export function didArrive(press: PointerSample, before: PointerSample | undefined): boolean {
  if (before === undefined || before[3] !== MOVE || before[4] !== MOUSE) return false;
  return Math.abs(before[1] - press[1]) <= ARRIVAL_PX && Math.abs(before[2] - press[2]) <= ARRIVAL_PX;
}

/** Whether the sample is a move. */
export const isMove = (sample: PointerSample): boolean => sample[3] === MOVE;

function pressesOf(samples: readonly PointerSample[]): MousePress[] {
  const presses: MousePress[] = [];
  samples.forEach((down, at) => {
    const arrival = samples[at - 1];
    if (down[3] !== DOWN || arrival === undefined || !didArrive(down, arrival)) return;
    const after = samples.slice(at + 1).find((sample) => !isMove(sample));
    const dwellMs = after?.[3] === UP ? after[0] - down[0] : undefined;
    presses.push({ down, arrival, before: samples[at - 2], dwellMs });
  });
  return presses;
}

/**
 * The mouse of a visitor, or undefined where its rules don't hold: no desktop, nothing known, or touch and pen are in
 * use too. Presses by assistive technology, which come without a move, are not among the presses.
 */
export function mouseTrail(evidence: RiskEvidence): MouseTrail | undefined {
  const environment = knownEnvironment(evidence);
  const pointer = knownBehaviour(evidence)?.pointer;
  if (environment === undefined || pointer === undefined) return undefined;
  const claim = parseUserAgent(environment.userAgent);
  const trusted = pointer.filter(([, , , kind, , , isTrusted]) => isTrusted === 1 && kind <= UP);
  if (!claim.isDesktop || trusted.some((sample) => sample[4] !== MOUSE)) return undefined;
  return { environment, claim, samples: trusted, presses: pressesOf(trusted) };
}

/** Whether a CSS pixel of this page is a pixel of the screen: not zoomed, not pinched, not in a frame that is scaled. */
export function isUnscaled({ pixelRatio, pageScale, isFramed }: EnvironmentSignals): boolean {
  return pixelRatio === 1 && pageScale === 1 && !isFramed;
}
