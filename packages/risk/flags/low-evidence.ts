import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { knownBehaviour, knownEnvironment, type RiskEvidence, type SolveEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import {
  isInTime,
  isOnWidget,
  keyPresses,
  pointerPresses,
  UNASKED_LEAD_MS,
  type WidgetPress,
} from "../widget-press.ts";

const hasHistory = ({ history }: RiskEvidence): boolean =>
  history !== undefined && Object.values(history).includes(true);

function isNothingKnown(evidence: RiskEvidence): boolean {
  const { userAgent, environment, behaviour, solve, tokenScore } = evidence;
  const known = [userAgent, environment, behaviour, solve, tokenScore];
  const hasHeaders = Object.keys(evidence.headers ?? {}).length > 0;
  return known.every((part) => part === undefined) && !hasHeaders && !hasHistory(evidence);
}

/** Whether a mouse, a pen or, on a device that says it has touch, a finger was seen at all, wherever. */
function hasPointer({ pointer }: ObservedBehaviour, touchPoints: number): boolean {
  return pointer.some(({ kind, type, isTrusted }) => {
    if (!isTrusted || kind === "click") return false;
    return type === "mouse" || type === "pen" || (type === "touch" && touchPoints > 0);
  });
}

/** How long before its challenge a press may lie that the challenge asked for, ms: the widget's answer and the page's cross. */
const ASKED_LEAD_MS = 5_000;

/** Whether the widget was pressed, by pointer or key, at a time that fits the challenge. */
function hasPressedWidget(behaviour: ObservedBehaviour, { interaction, elapsedMs }: SolveEvidence): boolean {
  const leadMs = interaction === "click" ? ASKED_LEAD_MS : UNASKED_LEAD_MS;
  const fits = (press: WidgetPress): boolean =>
    isOnWidget(press, behaviour) && isInTime(press, behaviour.durationMs, elapsedMs, leadMs);
  return pointerPresses(behaviour).some(fits) || keyPresses(behaviour).some(fits);
}

/** Whether a visit that was watched shows somebody; who was asked for a click shows themselves by that and nothing else. */
function isSomebodyThere(behaviour: ObservedBehaviour, solve: SolveEvidence, touchPoints: number): boolean {
  if (hasPressedWidget(behaviour, solve)) return true;
  return solve.interaction !== "click" && hasPointer(behaviour, touchPoints);
}

/**
 * What a visit adds that shows nobody, as a share of the weight: the floor says all there is to say, and no other suspicion may
 * come to block somebody for having no pointer.
 */
const NOBODY_SEEN = 0.05;

/**
 * Nothing else is known of the visitor (D7), how busy their network is says nothing about them; or the widget watched the
 * visit and saw nobody: no pointer and no finger, and no key that pressed the widget. Keys alone, scrolling and focus are what a client
 * without a browser makes up first. A click that was asked for has to lie on the widget, after it was asked for, made by a
 * pointer that was let go again or by a key. Who fills in a form by keyboard or autofill raises it: in `managed` they are asked
 * for one press, which clears it, elsewhere the site's server decides. Voice control that clicks without pointer and keys does
 * not clear it, gets its token all the same, and is never blocked for it. Where everybody is asked for a click, `click_unplaced`
 * judges that.
 */
export const lowEvidence = {
  name: "low_evidence",
  group: "history",
  label: "Too little is known to judge.",
  weight: 2.1,
  floor: 0.3,
  grade: (evidence) => {
    if (isNothingKnown(evidence)) return 1;
    const behaviour = knownBehaviour(evidence);
    const { solve } = evidence;
    if (behaviour === undefined || solve === undefined || solve.asksEverybody === true) return 0;
    return isSomebodyThere(behaviour, solve, knownEnvironment(evidence)?.touchPoints ?? 0) ? 0 : NOBODY_SEEN;
  },
} satisfies FlagRow;
