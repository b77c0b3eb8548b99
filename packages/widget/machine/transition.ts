import type { ServiceChallenge } from "../service/answers.ts";
import { mayPass, type WidgetError, widgetError } from "./widget-error.ts";
import { isWorking, type WidgetEffect, type WidgetEvent, type WidgetState, type WorkingState } from "./widget-state.ts";

/** Refused solutions after which the widget gives up and says so. */
export const MAX_REJECTIONS = 3;

/** The state after an event and what is to be done now. An event that means nothing in a state returns that same state object. */
export type Step = { readonly state: WidgetState; readonly effect?: WidgetEffect };

const isStale = (state: WidgetState, event: WidgetEvent): boolean => "run" in event && event.run !== state.run;

function begin(state: WidgetState, isClicked: boolean): Step {
  return { state: { name: "loading", run: state.run + 1, isClicked, rejections: 0 }, effect: { type: "fetch" } };
}

/** Whether a run may begin without a click: an error that trying again does not mend waits for somebody. */
function mayStart(state: WidgetState): boolean {
  return state.name === "error" ? mayPass(state.error) : state.name === "idle" || state.name === "expired";
}

function solve(state: WorkingState, challenge: ServiceChallenge): Step {
  const { run, isClicked, rejections } = state;
  const common = { run, isClicked, rejections, challenge, found: 0 };
  const asks = challenge.interaction === "click" && !isClicked;
  return {
    state: asks ? { name: "interactive", ...common, work: undefined } : { name: "solving", ...common },
    effect: { type: "solve", challenge },
  };
}

function onClick(state: WidgetState): Step {
  switch (state.name) {
    case "idle":
    case "expired":
    case "error":
      return begin(state, true);
    case "loading":
    case "solving":
      return state.isClicked ? { state } : { state: { ...state, isClicked: true } };
    case "interactive": {
      const { run, rejections, challenge, found, work } = state;
      const common = { run, rejections, isClicked: true };
      return work === undefined
        ? { state: { name: "solving", ...common, challenge, found } }
        : { state: { name: "verifying", ...common }, effect: { type: "submit", work } };
    }
    default:
      return { state };
  }
}

function onSolved(state: WidgetState, event: Extract<WidgetEvent, { type: "solved" }>): Step {
  const { work } = event;
  if (state.name === "interactive") return { state: { ...state, found: state.challenge.k, work } };
  if (state.name !== "solving") return { state };
  const { run, isClicked, rejections } = state;
  return { state: { name: "verifying", run, isClicked, rejections }, effect: { type: "submit", work } };
}

function onAgain(state: WidgetState, challenge: ServiceChallenge | undefined): Step {
  if (state.name !== "verifying") return { state };
  const rejections = state.rejections + 1;
  if (rejections > MAX_REJECTIONS) {
    return fail(state, widgetError("solution_rejected"));
  }
  if (challenge !== undefined) return solve({ ...state, rejections }, challenge);
  return { state: { ...state, name: "loading", rejections }, effect: { type: "fetch" } };
}

function onProgress(state: WidgetState, found: number): Step {
  if ((state.name !== "solving" && state.name !== "interactive") || found <= state.found) return { state };
  return { state: { ...state, found: Math.min(found, state.challenge.k) } };
}

function fail({ run }: WorkingState, error: WidgetError): Step {
  const state: WidgetState = { name: "error", run, error };
  return mayPass(error) ? { state, effect: { type: "await_retry", error } } : { state };
}

/** The whole behaviour of the widget as a function without surroundings (D9; events and states are in `widget-state.ts`). */
export function transition(state: WidgetState, event: WidgetEvent): Step {
  if (isStale(state, event)) return { state };
  switch (event.type) {
    case "start":
      return mayStart(state) ? begin(state, false) : { state };
    case "click":
      return onClick(state);
    case "challenge":
      return state.name === "loading" ? solve(state, event.challenge) : { state };
    case "progress":
      return onProgress(state, event.found);
    case "solved":
      return onSolved(state, event);
    case "verified":
      if (state.name !== "verifying") return { state };
      return {
        state: { name: "verified", run: state.run, token: event.token },
        effect: { type: "await_expiry", lifeMs: event.lifeMs },
      };
    case "again":
      return onAgain(state, event.challenge);
    case "failed":
      return isWorking(state) ? fail(state, event.error) : { state };
    case "expire":
      return state.name === "verified" ? { state: { name: "expired", run: state.run } } : { state };
    case "reset":
      return state.name === "idle" ? { state } : { state: { name: "idle", run: state.run + 1 } };
    case "disconnect":
      return isWorking(state) ? { state: { name: "idle", run: state.run + 1 } } : { state };
  }
}
