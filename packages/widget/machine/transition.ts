import type { ServiceChallenge } from "../service/answers.ts";
import { mayPass, type WidgetError, widgetError } from "./widget-error.ts";
import {
  isWorking,
  type SolvedWork,
  type WidgetEffect,
  type WidgetEvent,
  type WidgetState,
  type WorkingState,
} from "./widget-state.ts";

/** Refused solutions after which the widget gives up and says so. */
export const MAX_REJECTIONS = 3;

/** The state after an event and what is to be done now. An event that means nothing in a state returns that same state object. */
export type Step = { readonly state: WidgetState; readonly effect?: WidgetEffect };

/** A step, or that the event means nothing in this state. */
type Next = Step | false;

const isStale = (state: WidgetState, event: WidgetEvent): boolean => "run" in event && event.run !== state.run;

const common = ({ run, isClicked, rejections }: WorkingState) => ({ run, isClicked, rejections });

const rest = ({ run }: WidgetState): Step => ({ state: { name: "idle", run: run + 1 } });

const begin = ({ run }: WidgetState, isClicked: boolean): Step => ({
  state: { name: "loading", run: run + 1, isClicked, rejections: 0 },
  effect: { type: "fetch" },
});

/** Whether a run may begin without a click: an error that trying again does not mend waits for somebody. */
const mayStart = (state: WidgetState): boolean =>
  state.name === "error" ? mayPass(state.error) : /^(idle|expired)$/.test(state.name);

function solve(state: WorkingState, challenge: ServiceChallenge): Step {
  const solving = { ...common(state), challenge, found: 0 };
  const asks = challenge.interaction === "click" && !state.isClicked;
  return {
    state: asks ? { name: "interactive", ...solving, work: undefined } : { name: "solving", ...solving },
    effect: { type: "solve", challenge },
  };
}

const submit = (state: WorkingState, work: SolvedWork): Step => ({
  state: { name: "verifying", ...common(state) },
  effect: { type: "submit", work },
});

function onClick(state: WidgetState): Next {
  switch (state.name) {
    case "idle":
    case "expired":
    case "error":
      return begin(state, true);
    case "loading":
    case "solving":
      return !state.isClicked && { state: { ...state, isClicked: true } };
    case "interactive": {
      const { challenge, found, work } = state;
      const clicked = { ...state, isClicked: true };
      return work ? submit(clicked, work) : { state: { name: "solving", ...common(clicked), challenge, found } };
    }
    default:
      return false;
  }
}

function onAgain(state: WidgetState, challenge: ServiceChallenge | undefined): Next {
  if (state.name !== "verifying") return false;
  const refused = { ...state, rejections: state.rejections + 1 };
  if (refused.rejections > MAX_REJECTIONS) return fail(state, widgetError("solution_rejected"));
  if (challenge) return solve(refused, challenge);
  return { state: { ...refused, name: "loading" }, effect: { type: "fetch" } };
}

function fail({ run }: WorkingState, error: WidgetError): Step {
  const state: WidgetState = { name: "error", run, error };
  return mayPass(error) ? { state, effect: { type: "await_retry", error } } : { state };
}

function next(state: WidgetState, event: WidgetEvent): Next {
  switch (event.type) {
    case "start":
      return mayStart(state) && begin(state, false);
    case "click":
      return onClick(state);
    case "challenge":
      return state.name === "loading" && solve(state, event.challenge);
    case "progress": {
      if ((state.name !== "solving" && state.name !== "interactive") || event.found <= state.found) return false;
      return { state: { ...state, found: Math.min(event.found, state.challenge.k) } };
    }
    case "solved": {
      const { work } = event;
      if (state.name === "interactive") return { state: { ...state, found: state.challenge.k, work } };
      return state.name === "solving" && submit(state, work);
    }
    case "verified": {
      const { token, lifeMs } = event;
      return (
        state.name === "verifying" && {
          state: { name: "verified", run: state.run, token },
          effect: { type: "await_expiry", lifeMs },
        }
      );
    }
    case "again":
      return onAgain(state, event.challenge);
    case "failed":
      return isWorking(state) && fail(state, event.error);
    case "expire":
      return state.name === "verified" && { state: { name: "expired", run: state.run } };
    case "reset":
      return state.name !== "idle" && rest(state);
    case "disconnect":
      return isWorking(state) && rest(state);
  }
}

/** The whole behaviour of the widget as a function without surroundings (D9; events and states are in `widget-state.ts`). */
export const transition = (state: WidgetState, event: WidgetEvent): Step =>
  (!isStale(state, event) && next(state, event)) || { state };
