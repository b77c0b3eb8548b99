import type { ServiceChallenge } from "../service/service-challenge.ts";
import { isOutage, type WidgetFault } from "./widget-fault.ts";

/** A solved challenge, ready for submission (D9, submission). */
export type SolvedChallenge = {
  readonly challenge: ServiceChallenge;
  /**
   * Resolves once the visitor was observed under this challenge for as long as the service requires
   * (D9, submission).
   */
  readonly watched: Promise<void>;
  /** base64url of the packed nonces. */
  readonly solution: string;
  /** base64url of the environment bytes from which the puzzle's seeds were made. */
  readonly environment: string;
  /** Milliseconds from handing the puzzle to the solver to its answer. */
  readonly solveMs: number;
};

/** The fields of every working state. */
export type Working = {
  /** Whether the visitor has clicked the widget in this run. */
  readonly isClicked: boolean;
  /** How many solutions the service has refused in this run. */
  readonly rejections: number;
};

/** The state of the widget. The names are those of the `stile:statechange` event. */
export type WidgetState =
  | { readonly name: "idle" }
  /** The widget is fetching a challenge. */
  | ({ readonly name: "loading" } & Working)
  /**
   * The solver works and nothing is asked of the visitor; `found` of `challenge.k` nonces have been
   * found.
   */
  | ({
      readonly name: "solving";
      readonly challenge: ServiceChallenge;
      readonly found: number;
    } & Working)
  /**
   * The widget asks for a click. The solver works meanwhile, and `work` is set once it has
   * finished.
   */
  | ({
      readonly name: "interactive";
      readonly challenge: ServiceChallenge;
      readonly found: number;
      readonly work: SolvedChallenge | undefined;
    } & Working)
  /** The service is checking the solution. */
  | ({ readonly name: "verifying" } & Working)
  | { readonly name: "verified"; readonly token: string }
  | { readonly name: "expired" }
  | { readonly name: "error"; readonly error: WidgetFault };

/** The name of a state. */
export type WidgetStateName = WidgetState["name"];

/** The events that a run causes. */
export type RunEvent =
  | { readonly type: "challenge"; readonly challenge: ServiceChallenge }
  | { readonly type: "progress"; readonly found: number }
  | { readonly type: "solved"; readonly work: SolvedChallenge }
  | { readonly type: "verified"; readonly token: string; readonly lifeMs: number }
  /**
   * The service wants another try, on the given challenge if it sent one (D9, `next`: retry,
   * interact, work).
   */
  | { readonly type: "again"; readonly challenge: ServiceChallenge | undefined }
  | FailedEvent;

/** The event that ends a run without a token. */
export type FailedEvent = { readonly type: "failed"; readonly error: WidgetFault };

/** A run ends by that error. */
export const failed = (error: WidgetFault): FailedEvent => ({ type: "failed", error });

/** Everything that can happen to the widget. Events of a run are those of the current run. */
export type WidgetEvent =
  /**
   * The page, a touch of the form, a renewal, or time or the network after an error asks for a
   * token.
   */
  | { readonly type: "start" }
  /** The visitor clicked the widget itself. */
  | { readonly type: "click" }
  | RunEvent
  | { readonly type: "expire" }
  /**
   * The form was reset, or the page came back from the cache, so a held token may be spent; or the
   * element left the page during a run.
   */
  | { readonly type: "reset" }
  /** The element is in another place of the document, without having left. */
  | { readonly type: "move" };

/**
 * The action of the surroundings after a step; the result comes back as an event of the same run.
 */
export type WidgetEffect =
  | { readonly type: "fetch" }
  | { readonly type: "solve"; readonly challenge: ServiceChallenge }
  | { readonly type: "submit"; readonly work: SolvedChallenge }
  | { readonly type: "await_expiry"; readonly lifeMs: number };

/** A state in which a run is under way. */
export type WorkingState = Extract<WidgetState, { rejections: number }>;

const WORKING: ReadonlySet<WidgetStateName> = new Set<WorkingState["name"]>([
  "loading",
  "solving",
  "interactive",
  "verifying",
]);

/**
 * Whether a run is under way: a challenge is being fetched, solved, waiting for a click, or being
 * verified.
 */
export const isWorking = (state: WidgetState): state is WorkingState => WORKING.has(state.name);

/** Whether the widget can't continue without the visitor, who has to see it. */
export const needsVisitor = ({ name }: WidgetState): boolean =>
  name === "interactive" || name === "error";

/** Whether the widget has stopped because the service failed (D15, outage). */
export const isOut = (state: WidgetState): boolean =>
  state.name === "error" && isOutage(state.error);
