import { transition } from "../machine/transition.ts";
import {
  isWorking,
  type WidgetEffect,
  type WidgetEvent,
  type WidgetState,
} from "../machine/widget-state.ts";
import { isLeftAlone } from "./attributes.ts";
import { foreignEndpoint } from "./foreign-endpoint.ts";
import { createObserving } from "./observing.ts";
import type { PageServices } from "./page-services.ts";
import { readAttribute } from "./read-attribute.ts";
import { createRunning } from "./running.ts";
import { createTokenLife, isInUse, nowMs } from "./token-life.ts";

/**
 * A page may move or replace its widget at every event. After this many runs cut short before a
 * token, a moved run ends, automatic retries wait longer each time, and no touch begins a run.
 */
const MOST_UPROOTED = 9;
/** Counted for all widgets of the page, since a new element knows nothing of the one before. */
let uprooted = 0;

/** The course of a widget from state to state: its runs, and the life of its tokens. */
export type Course = {
  readonly state: () => WidgetState;
  /** The state to show: the renewal of a token that is still valid stays hidden. */
  readonly toShow: () => WidgetState;
  readonly send: (event: WidgetEvent) => void;
  /** Begins a run unless one is under way or there is a token. */
  readonly start: () => void;
  /**
   * The element was inserted into the page: what the visitor does counts from now on. Also calls
   * `wake`. If the element was moved during a run, that begins anew, since its frame is gone; the
   * visitor's earlier behaviour still counts then.
   */
  readonly connect: () => void;
  /** The element left the page: ends a run, unless it is back within the same task. */
  readonly uproot: () => void;
  /** Gives up the token, or the run, and wakes it. */
  readonly giveUp: () => void;
  /**
   * Whether a touch may begin a run: not soon after a failure, nor if the page cuts every run short
   * or leaves the widget alone.
   */
  readonly mayBegin: () => boolean;
  /**
   * Call this when time, the network, the visitor or the element came back: timers stand still
   * while a machine sleeps, and nothing is renewed in a hidden page or outside of any. Begins a run
   * if the page says so.
   */
  readonly wake: () => void;
  /** Somebody waits for the token: the work is handed in as soon as it is done. */
  readonly hurry: () => void;
  /**
   * Somebody came to the control that sends the form, and will wait for the token. Ignored before
   * any input since the element was inserted: scripts return the focus to whatever replaces a form,
   * and a pointer may happen to rest there.
   */
  readonly aim: () => void;
};

/**
 * A course that has not begun. `onStep` is called after each step, `onShown` when only what to show
 * may have changed.
 */
export function createCourse(
  element: Element,
  page: PageServices,
  onStep: (state: WidgetState, before: WidgetState) => void,
  onShown: () => void,
): Course {
  const { base, recorder } = page;
  const life = createTokenLife();
  const observing = createObserving(recorder);
  const running = createRunning(page, (event) => send(event));
  let state: WidgetState = { name: "idle" };
  let connectedMs = 0;
  /** Whether the last run asked for a press. Nobody is asked again before they touch the form. */
  let hasAsked = false;

  /** Returns whether there was a token whose time is up by the clock; such a token is dropped. */
  const expire = (): boolean => {
    const isDue = life.isDue(state, nowMs());
    if (isDue) {
      send({ type: "expire" });
      setTimeout(onShown, life.goodUntilMs() - nowMs() + 1);
    }
    return isDue;
  };

  const start = (): void => {
    expire();
    send({ type: "start" });
  };
  const mayBegin = (): boolean =>
    !(state.name === "error" ? running.isTooSoon() : uprooted > MOST_UPROOTED) &&
    !isLeftAlone(element, state.name);

  const wake = (): void => {
    // Nor in a page that is prerendered: it has no frames of other origins yet.
    if (!element.isConnected || document.hidden) return;
    const isWanted =
      (expire() && !hasAsked && isInUse(recorder.lastInputMs(), performance.now())) ||
      state.name === "error" ||
      (state.name === "idle" && readAttribute(element, "execution") === "render");
    if (isWanted && mayBegin()) start();
  };

  const follow = (effect: WidgetEffect): void => {
    switch (effect.type) {
      case "await_expiry":
        uprooted = 0;
        running.succeed();
        running.later(life.begin(state, effect.lifeMs, nowMs()) + 1, wake);
        return;
      case "await_retry":
        running.later(running.waitMs(effect.error), wake);
        return;
      default:
        running.perform(effect, () => ({
          ...{ element, observed: observing.begin(connectedMs) },
          behaviour: (solveMs) => recorder.snapshot(connectedMs, solveMs, element),
        }));
    }
  };

  const send = (event: WidgetEvent): void => {
    const before = state;
    const [after, effect] = transition(before, event);
    if (after === before) return;
    state = after;
    // A run begins with loading.
    hasAsked = after.name === "interactive" || (hasAsked && after.name !== "loading");
    if (!isWorking(before) || !isWorking(after)) running.end();
    // Before the listeners, which may cause another step: by then it is known what waits for a
    // retry.
    if (effect) follow(effect);
    onStep(after, before);
  };

  return {
    send,
    start,
    wake,
    mayBegin,
    state: () => state,
    toShow: () => life.toShow(state, nowMs()),
    connect: () => {
      recorder.attend();
      if (isWorking(state))
        send(
          uprooted > MOST_UPROOTED
            ? { type: "failed", error: { name: "internal" } }
            : { type: "move" },
        );
      else connectedMs = performance.now();
      // For whoever writes the page, who may not use the form.
      foreignEndpoint(element, base);
      wake();
    },
    uproot: () => {
      if (!isWorking(state)) return;
      uprooted++;
      running.end();
      // An element that is back by then was only moved.
      setTimeout(() => element.isConnected || send({ type: "reset" }));
    },
    giveUp: () => {
      life.giveUp();
      send({ type: "reset" });
      wake();
    },
    hurry: observing.hurry,
    aim: () => {
      if (recorder.lastInputMs() > connectedMs) observing.hurry();
    },
  };
}
