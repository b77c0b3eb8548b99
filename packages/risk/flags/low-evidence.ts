import { LEAST_WATCHED_MS } from "@stile/protocol/limits";
import type { ObservedBehaviour, ObservedPointer } from "@stile/protocol/observed-signals";
import {
  knownBehaviour,
  knownEnvironment,
  type RiskEvidence,
  type SolveEvidence,
} from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { isRuled } from "../is-ruled.ts";
import { findMissingSignals } from "../missing-signals.ts";
import {
  AHEAD_MS,
  isOnWidget,
  keyPresses,
  pointerPresses,
  type WidgetPress,
} from "../widget-press.ts";
import { isPointerSeen, isPressAnAnswer, isPressSeen, isWatchedLongEnough } from "../witness.ts";

/**
 * Whether something is known of the visitor's past. An unreadable address says nothing about the
 * visitor.
 */
const hasHistory = ({ history: { isAddressHidden: _, ...known } = {} }: RiskEvidence): boolean =>
  Object.values(known).includes(true);

function isNothingKnown(evidence: RiskEvidence): boolean {
  const { userAgent, environment, behaviour, solve, tokenScore } = evidence;
  const known = [userAgent, environment, behaviour, solve, tokenScore];
  const hasHeaders = Object.keys(evidence.headers ?? {}).length > 0;
  return known.every((part) => part === undefined) && !hasHeaders && !hasHistory(evidence);
}

/** Whether this is a press: by a mouse, a pen or, on a device that reports touch, a finger. */
const isPress = ({ kind, type }: ObservedPointer, touchPoints: number): boolean =>
  kind === "down" && (type === "touch" ? touchPoints > 0 : type !== "unknown");

/** Whether this is a move without a press: of a mouse or a pen. */
const isHover = ({ kind, type }: ObservedPointer): boolean =>
  kind === "move" && (type === "mouse" || type === "pen");

/**
 * Whether a pointer was seen anywhere: it pressed; or it moved, but not on a straight line in even
 * steps. This does not assess how hands move (`trajectory_bot` does, for moves that lead to a
 * press). It only rules out what is trivial to generate.
 */
function hasPointer(
  { pointer, durationMs }: ObservedBehaviour,
  solve: SolveEvidence,
  touchPoints: number,
): boolean {
  const isSeen = (sample: ObservedPointer): boolean => isPointerSeen(sample, durationMs, solve);
  const trusted = pointer.filter(({ isTrusted }) => isTrusted);
  if (trusted.some((sample) => isPress(sample, touchPoints) && isSeen(sample))) return true;
  const moves = trusted.filter(isHover);
  return !isRuled(moves) && moves.some(isSeen);
}

/** Whether the widget was pressed, by pointer or key, at a time that fits the challenge. */
function hasPressedWidget(behaviour: ObservedBehaviour, solve: SolveEvidence): boolean {
  const { durationMs } = behaviour;
  const isSeen = solve.interaction === "click" ? isPressAnAnswer : isPressSeen;
  const fits = (press: WidgetPress): boolean =>
    isOnWidget(press, behaviour) &&
    press.clickMs <= durationMs + AHEAD_MS &&
    isSeen(press, durationMs, solve);
  return pointerPresses(behaviour).some(fits) || keyPresses(behaviour).some(fits);
}

/**
 * Whether an observed visit shows a person. A visitor who was asked for a click shows it only by
 * that click.
 */
function isSomebodyThere(
  behaviour: ObservedBehaviour,
  solve: SolveEvidence,
  touchPoints: number,
): boolean {
  if (!isWatchedLongEnough(solve, LEAST_WATCHED_MS)) return false;
  if (hasPressedWidget(behaviour, solve)) return true;
  return solve.interaction !== "click" && hasPointer(behaviour, solve, touchPoints);
}

/**
 * The share of the weight that a visit without a sign of a person adds. The floor sets the score,
 * and no other suspicion may add up to block somebody for having no pointer.
 */
const NOBODY_SEEN = 0.05;

/**
 * The widget saw nobody: no press of a pointer or finger, no mouse or pen that moved off the
 * straight line, no key that pressed the widget, within the time that the service knows to have
 * passed (D9, submission). In `managed` one press clears it; in other modes the site's server
 * decides. People who use a keyboard, autofill or voice control raise it. So does a call of
 * `POST /api/v1/score` for a visitor of whom nothing is known, or without signals or input on a
 * site that collects them (D7, score request).
 */
export const lowEvidence = {
  name: "low_evidence",
  group: "history",
  label: "There is too little evidence for a reliable score.",
  weight: 2.1,
  floor: 0.3,
  grade: (evidence) => {
    if (isNothingKnown(evidence)) return 1;
    if (
      evidence.areSignalsExpected === true &&
      findMissingSignals(evidence.behaviour) !== undefined
    )
      return NOBODY_SEEN;
    const behaviour = knownBehaviour(evidence);
    const { solve } = evidence;
    if (behaviour === undefined || solve === undefined || solve.asksEverybody === true) return 0;
    return isSomebodyThere(behaviour, solve, knownEnvironment(evidence)?.touchPoints ?? 0)
      ? 0
      : NOBODY_SEEN;
  },
} satisfies FlagRow;
