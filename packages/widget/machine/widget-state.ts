import type { ServiceChallenge } from "../service/answers.ts";
import { isOutage, type WidgetError } from "./widget-error.ts";

/** A solved challenge, ready for submission (D9). */
export type SolvedWork = {
  readonly challenge: ServiceChallenge;
  /** Resolves once the visitor was watched under this challenge for as long as the service asks for (D9). */
  readonly watched: Promise<void>;
  /** base64url of the packed nonces. */
  readonly solution: string;
  /** base64url of the environment bytes that the puzzle's seeds were made of. */
  readonly environment: string;
  /** Milliseconds from handing the puzzle to the solver to its answer. */
  readonly solveMs: number;
};

/** What every working state remembers. `run` numbers the tries since connection, so that a late result finds no taker. */
type Working = {
  readonly run: number;
  /** Whether the visitor has clicked the widget in this run. */
  readonly isClicked: boolean;
  /** Solutions the service has refused in this run. */
  readonly rejections: number;
};

/** Where the widget stands. The names are those of the `stile:statechange` event. */
export type WidgetState =
  | { readonly name: "idle"; readonly run: number }
  /** A challenge is being fetched. */
  | ({ readonly name: "loading" } & Working)
  /** The solver works and nothing is asked of the visitor; `found` of `challenge.k` nonces are there. */
  | ({ readonly name: "solving"; readonly challenge: ServiceChallenge; readonly found: number } & Working)
  /** A click is asked for; the solver works meanwhile, and `work` is there once it has finished. */
  | ({
      readonly name: "interactive";
      readonly challenge: ServiceChallenge;
      readonly found: number;
      readonly work: SolvedWork | undefined;
    } & Working)
  /** The solution is with the service. */
  | ({ readonly name: "verifying" } & Working)
  | { readonly name: "verified"; readonly run: number; readonly token: string }
  | { readonly name: "expired"; readonly run: number }
  | { readonly name: "error"; readonly run: number; readonly error: WidgetError };

/** The name of a state. */
export type WidgetStateName = WidgetState["name"];

/** What can happen to the widget. Results of effects carry the run they belong to. */
export type WidgetEvent =
  /** The page, a touch of the form, a renewal, or time and network after an error ask for a token. */
  | { readonly type: "start" }
  /** The visitor clicked the widget itself. */
  | { readonly type: "click" }
  | { readonly type: "challenge"; readonly run: number; readonly challenge: ServiceChallenge }
  | { readonly type: "progress"; readonly run: number; readonly found: number }
  | { readonly type: "solved"; readonly run: number; readonly work: SolvedWork }
  | { readonly type: "verified"; readonly run: number; readonly token: string; readonly lifeMs: number }
  /** The service wants another try, on the given challenge if it sent one (D9 `next`: retry, interact). */
  | { readonly type: "again"; readonly run: number; readonly challenge: ServiceChallenge | undefined }
  | { readonly type: "failed"; readonly run: number; readonly error: WidgetError }
  | { readonly type: "expire"; readonly run: number }
  /** The form was reset, or the page came back from the cache: a held token may be spent. */
  | { readonly type: "reset" }
  /** The element left the document; a token it holds stays. */
  | { readonly type: "disconnect" };

/** What the surroundings must do after a step; its result comes back as an event of the same run. */
export type WidgetEffect =
  | { readonly type: "fetch" }
  | { readonly type: "solve"; readonly challenge: ServiceChallenge }
  | { readonly type: "submit"; readonly work: SolvedWork }
  | { readonly type: "await_expiry"; readonly lifeMs: number }
  | { readonly type: "await_retry"; readonly error: WidgetError };

/** A state in which a run is under way. */
export type WorkingState = Extract<WidgetState, { rejections: number }>;

/** Whether a run is under way: a challenge is fetched, solved, waiting for a click, or being verified. */
export const isWorking = (state: WidgetState): state is WorkingState => /ing$|^interactive$/.test(state.name);

/** Whether nothing goes on without the visitor, who has to see it. */
export const needsVisitor = ({ name }: WidgetState): boolean => name === "interactive" || name === "error";

/** Whether the widget stands still because the service failed (D15). */
export const isOut = (state: WidgetState): boolean => state.name === "error" && isOutage(state.error);
