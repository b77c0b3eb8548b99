/**
 * The life cycle of a widget. The controller sends events to the state machine (`transition.ts`),
 * performs the effects that the machine returns, and renews the token.
 *
 * A run is everything from asking for a token to having one or failing. Example, for a site in mode
 * `managed`, with seconds since the page was opened:
 *
 * - 0 s: the element is inserted into the page. `connect`; the state is `idle`.
 * - 5 s: the visitor touches the form. `start` begins a run: `loading`, then `solving`.
 * - 6 s: the work is done: `verifying`. The widget observes the visitor until 8 s, which is 3 s
 *   after the run began, before it submits. If the visitor sends the form earlier, it submits at
 *   once (`prioritize`).
 * - 8 s: the service has doubts and asks for a click: `interactive`. The solver works meanwhile.
 * - 12 s: the visitor clicks: `verifying`, then `verified` with a token that is valid for 300 s.
 * - 282 s: 30 s before the token expires: `expired`. If the visitor used the page in the last 5
 *   minutes, a new run begins. It stays hidden, and the form keeps the old token until 307 s. But
 *   this visitor was asked for a click, so the widget waits until they touch the form again.
 *
 * If the service can't be reached, the run ends in `error`, and another one begins automatically
 * after about 6 s. Each further failure doubles that, up to 51 s. If the element leaves the page,
 * its run ends. If the page only moved it, the run begins again.
 */

import { transition } from "../machine/transition.ts";
import {
  isWorking,
  type WidgetEffect,
  type WidgetEvent,
  type WidgetState,
} from "../machine/widget-state.ts";
import { isLeftAlone } from "./attributes.ts";
import { createCurrentRun } from "./current-run.ts";
import { foreignEndpoint } from "./foreign-endpoint.ts";
import { createObservationPeriod } from "./observation-period.ts";
import type { PageServices } from "./page-services.ts";
import { readAttribute } from "./read-attribute.ts";
import { createTokenLife, isInUse, nowMs } from "./token-life.ts";

/**
 * A page may move or replace its widget at every event. After this many runs that ended so before a
 * token, a moved run ends, automatic retries wait longer each time, and no touch begins a run.
 */
const MOST_CUT_SHORT = 9;
/** Counted for all widgets of the page, since a new element knows nothing of the one before. */
let cutShort = 0;

/** A visitor who gave no sign for this long, while the widget waits for one, is asked to press, ms. */
const SIGN_AWAITED_MS = 4_000;
/** How long after their last input, ms: a key counts as a sign after five seconds. */
const INPUT_COUNTS_MS = 5_000;
/** How often to look again, ms. */
const LOOK_AGAIN_MS = 400;

/** Takes a widget from state to state: its runs, and the life of its tokens. */
export type Controller = {
  readonly state: () => WidgetState;
  /** The state to show: the renewal of a token that is still valid stays hidden. */
  readonly shownState: () => WidgetState;
  /** Whether all that a run waits for is a sign of the visitor, and they gave none for a while. */
  readonly isSignAwaited: () => boolean;
  readonly send: (event: WidgetEvent) => void;
  /** Begins a run unless one is under way or there is a token. */
  readonly start: () => void;
  /**
   * The element was inserted into the page: the visitor's input counts from now on. Also calls
   * `wake`. If the element was moved during a run, the run starts again, since its frame is gone;
   * the visitor's earlier behaviour still counts then.
   */
  readonly connect: () => void;
  /** The element left the page: ends a run, unless it is back within the same task. */
  readonly disconnect: () => void;
  /** Drops the token, or ends the run, and calls `wake`. */
  readonly discard: () => void;
  /**
   * The same for the page, but right after a failure only drops the token. Some libraries reset the
   * widget at every error, and each reset would begin the next run at once.
   */
  readonly reset: () => void;
  /**
   * Whether a touch may begin a run: not soon after a failure, nor if the page cuts every run short
   * or leaves the widget alone.
   */
  readonly mayBegin: () => boolean;
  /**
   * Call this when time, the network, the visitor or the element came back: timers stop while a
   * machine sleeps, and nothing is renewed in a hidden page or while the element is in no page.
   * Begins a run if the page allows it.
   */
  readonly wake: () => void;
  /** The form or a script waits for the token: the solution is submitted as soon as it is found. */
  readonly prioritize: () => void;
  /**
   * The pointer or the focus has come to the control that sends the form, so the visitor will wait
   * for the token. Ignored before any input since the element was inserted: scripts move the focus
   * to the element that replaces a form, and a pointer may happen to rest there.
   */
  readonly aim: () => void;
};

/**
 * A controller at rest. Calls `onStep` after each step, and `onShown` when only the state to show
 * may have changed.
 */
export function createController(
  element: Element,
  page: PageServices,
  onStep: (state: WidgetState, before: WidgetState) => void,
  onShown: () => void,
): Controller {
  const { base, recorder } = page;
  const life = createTokenLife();
  const observation = createObservationPeriod(recorder);
  const currentRun = createCurrentRun(page, (event) => send(event));
  let state: WidgetState = { name: "idle" };
  let connectedMs = 0;
  /**
   * Whether the last run asked for a press. The widget asks again only after the visitor touches
   * the form.
   */
  let hasAsked = false;
  let isSeen = true;
  let isSignAwaited = false;

  /** Drops a token that has to be renewed by now; returns whether there was one. */
  const expire = (): boolean => {
    const isDue = life.isDue(state, nowMs());
    if (isDue) {
      send({ type: "expire" });
      setTimeout(onShown, life.validUntilMs() - nowMs() + 1);
    }
    return isDue;
  };

  const start = (): void => {
    expire();
    send({ type: "start" });
  };
  const mayBegin = (): boolean =>
    !(state.name === "error" ? currentRun.isTooSoon() : cutShort > MOST_CUT_SHORT) &&
    !isLeftAlone(element, state.name);

  const wake = (): void => {
    // No run in a prerendered page either: it has no frames of other origins yet.
    if (!element.isConnected || document.hidden) return;
    const isWanted =
      (expire() && !hasAsked && isInUse(recorder.lastInputMs(), performance.now())) ||
      state.name === "error" ||
      (state.name === "idle" && readAttribute(element, "execution") === "render");
    if (isWanted && mayBegin()) start();
  };

  const awaitSign = (): void => {
    if (isSeen) return;
    isSignAwaited = performance.now() - recorder.lastInputMs() > INPUT_COUNTS_MS;
    if (isSignAwaited) onShown();
    else currentRun.later(LOOK_AGAIN_MS, awaitSign);
  };
  const beSeen = (): void => {
    isSeen = true;
    if (isSignAwaited) {
      isSignAwaited = false;
      onShown();
    }
  };
  /** Observes the visitor of a new run. */
  const observe = (): Promise<void> => {
    isSeen = isSignAwaited = false;
    currentRun.later(SIGN_AWAITED_MS, awaitSign);
    return observation.begin(connectedMs).then(beSeen);
  };

  const runEffect = (effect: WidgetEffect): void => {
    switch (effect.type) {
      case "await_expiry":
        cutShort = 0;
        currentRun.succeed();
        currentRun.later(life.begin(state, effect.lifeMs, nowMs()) + 1, wake);
        return;
      default:
        currentRun.runEffect(effect, () => ({
          element,
          observed: observe(),
          behaviour: (solveMs) => recorder.snapshot(connectedMs, solveMs, element),
        }));
    }
  };

  const send = (event: WidgetEvent): void => {
    if (event.type === "click") beSeen();
    const before = state;
    const [after, effect] = transition(before, event);
    if (after === before) return;
    state = after;
    // Every run begins with the state `loading`.
    hasAsked = after.name === "interactive" || (hasAsked && after.name !== "loading");
    if (!isWorking(before) || !isWorking(after)) currentRun.end();
    // Before the listeners, which may cause another step: a retry that waits has to be scheduled by
    // then.
    if (after.name === "error") currentRun.later(currentRun.waitMs(after.error), wake);
    if (effect) runEffect(effect);
    onStep(after, before);
  };

  const discard = (): void => {
    life.discard();
    send({ type: "reset" });
    wake();
  };

  return {
    send,
    start,
    wake,
    mayBegin,
    state: () => state,
    isSignAwaited: () => isSignAwaited && isWorking(state),
    shownState: () => life.shownState(state, nowMs()),
    connect: () => {
      recorder.listen();
      if (isWorking(state))
        send(
          cutShort > MOST_CUT_SHORT
            ? { type: "failed", error: { name: "internal" } }
            : { type: "move" },
        );
      else connectedMs = performance.now();
      // Checked already here, because a page's author may load the page and never start a run.
      foreignEndpoint(element, base);
      wake();
    },
    disconnect: () => {
      if (!isWorking(state)) return;
      cutShort++;
      currentRun.end();
      // An element that has returned by then was only moved.
      setTimeout(() => element.isConnected || send({ type: "reset" }));
    },
    discard,
    reset: () => {
      if (state.name !== "error" || !currentRun.isTooSoon()) return discard();
      life.discard();
      onShown();
    },
    prioritize: observation.prioritize,
    aim: () => {
      if (recorder.lastInputMs() > connectedMs) observation.prioritize();
    },
  };
}
