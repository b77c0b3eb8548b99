import type { ServiceChallenge } from "../service/service-challenge.ts";
import { mayPass, type WidgetFault } from "./widget-fault.ts";
import {
  isWorking,
  type SolvedChallenge,
  type WidgetEffect,
  type WidgetEvent,
  type WidgetState,
  type Working,
  type WorkingState,
} from "./widget-state.ts";

/** After this many refused solutions the widget gives up and says so. */
export const MAX_REJECTIONS = 3;

/** The state after an event, and the effect to perform now. */
export type Step = readonly [state: WidgetState, effect?: WidgetEffect | undefined];

/** A step, or false if the event means nothing in this state. */
type Next = Step | false;

const REST: Step = [{ name: "idle" }];

const refetch = ({ isClicked, rejections }: Working): Step => [
  { name: "loading", isClicked, rejections },
  { type: "fetch" },
];

const begin = (isClicked: boolean): Step => refetch({ isClicked, rejections: 0 });

/**
 * Whether a run may begin without a click: after an error that trying again can't fix, somebody has
 * to act first.
 */
const mayStart = (state: WidgetState): boolean =>
  state.name === "idle" ||
  state.name === "expired" ||
  (state.name === "error" && mayPass(state.error));

const solve = (state: WorkingState, challenge: ServiceChallenge): Step => [
  {
    ...state,
    name: challenge.interaction === "click" && !state.isClicked ? "interactive" : "solving",
    challenge,
    found: 0,
    work: undefined,
  },
  { type: "solve", challenge },
];

const submit = (state: WorkingState, work: SolvedChallenge): Step => [
  { ...state, name: "verifying" },
  { type: "submit", work },
];

function onClick(state: WidgetState): Next {
  if (!isWorking(state)) return state.name !== "verified" && begin(true);
  const clicked = { ...state, isClicked: true };
  if (clicked.name === "interactive")
    return clicked.work ? submit(clicked, clicked.work) : [{ ...clicked, name: "solving" }];
  return clicked.name !== "verifying" && !state.isClicked && [clicked];
}

function onAgain(state: WidgetState, challenge: ServiceChallenge | undefined): Next {
  if (state.name !== "verifying") return false;
  // A challenge that does not ask for a click is the price after one: it comes once, and does not
  // count as a refusal (D9, submission).
  if (challenge?.interaction === "none") return solve(state, challenge);
  const refused = { ...state, rejections: state.rejections + 1 };
  if (refused.rejections === MAX_REJECTIONS) return fail({ name: "solution_rejected" });
  return challenge ? solve(refused, challenge) : refetch(refused);
}

const fail = (error: WidgetFault): Step => [{ name: "error", error }];

function next(state: WidgetState, event: WidgetEvent): Next {
  switch (event.type) {
    case "start":
      return mayStart(state) && begin(false);
    case "click":
      return onClick(state);
    case "challenge":
      return state.name === "loading" && solve(state, event.challenge);
    case "progress":
      return (
        (state.name === "solving" || state.name === "interactive") &&
        event.found > state.found && [{ ...state, found: Math.min(event.found, state.challenge.k) }]
      );
    case "solved": {
      const { work } = event;
      if (state.name === "interactive") return [{ ...state, found: state.challenge.k, work }];
      return state.name === "solving" && submit(state, work);
    }
    case "verified": {
      const { token, lifeMs } = event;
      return (
        state.name === "verifying" && [
          { name: "verified", token },
          { type: "await_expiry", lifeMs },
        ]
      );
    }
    case "again":
      return onAgain(state, event.challenge);
    case "failed":
      return isWorking(state) && fail(event.error);
    case "expire":
      return state.name === "verified" && [{ name: "expired" }];
    case "reset":
      return REST;
    case "move":
      return isWorking(state) && refetch(state);
  }
}

/**
 * The whole behaviour of the widget as a pure function (D9, submission; events and states are in
 * `widget-state.ts`). If an event means nothing in a state, it returns that same state object.
 */
export const transition = (state: WidgetState, event: WidgetEvent): Step =>
  next(state, event) || [state];
