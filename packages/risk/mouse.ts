import type { ObservedEnvironment, ObservedPointer } from "@stile/protocol/observed-signals";
import { knownBehaviour, knownEnvironment, type RiskEvidence } from "./evidence.ts";
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

/** What a mouse did in the browser of a desktop. */
export type MouseTrail = {
  readonly environment: ObservedEnvironment;
  readonly claim: ClaimedBrowser;
  /** Trusted moves, presses and releases, in the order of time. */
  readonly samples: readonly ObservedPointer[];
  readonly presses: readonly MousePress[];
};

/** How far, in CSS pixels, the last move may lie from the press that it led to. */
const ARRIVAL_PX = 3;

/** Whether the pointer had been moved to where the press happened, which no screen reader does. */
export function didArrive(press: ObservedPointer, before: ObservedPointer | undefined): boolean {
  if (before === undefined || before.kind !== "move" || before.type !== "mouse") return false;
  return Math.abs(before.x - press.x) <= ARRIVAL_PX && Math.abs(before.y - press.y) <= ARRIVAL_PX;
}

/** Whether the sample is a move. */
export const isMove = (sample: ObservedPointer): boolean => sample.kind === "move";

function pressesOf(samples: readonly ObservedPointer[]): MousePress[] {
  const presses: MousePress[] = [];
  samples.forEach((down, at) => {
    const arrival = samples[at - 1];
    if (down.kind !== "down" || arrival === undefined || !didArrive(down, arrival)) return;
    const after = samples.slice(at + 1).find((sample) => !isMove(sample));
    const dwellMs = after?.kind === "up" ? after.atMs - down.atMs : undefined;
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
  const trusted = pointer.filter(({ kind, isTrusted }) => isTrusted && kind !== "cancel" && kind !== "click");
  if (!claim.isDesktop || trusted.some((sample) => sample.type !== "mouse")) return undefined;
  return { environment, claim, samples: trusted, presses: pressesOf(trusted) };
}

/** Whether a CSS pixel of this page is a pixel of the screen: not zoomed, not pinched, not in a frame that is scaled. */
export function isUnscaled({ pixelRatio, pageScale, isFramed }: ObservedEnvironment): boolean {
  return pixelRatio === 1 && pageScale === 1 && !isFramed;
}
