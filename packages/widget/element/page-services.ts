import type { BehaviourRecorder } from "../signals/behaviour-recorder.ts";

/** What all widgets of a page share, set once by the script. */
export type PageServices = {
  /** Where the service lives, without a slash at the end; empty until `stile.configure` says it where the script can't know. */
  readonly base: string;
  readonly recorder: BehaviourRecorder;
  /** Whether the page's policy refused something of the service under that directive. */
  readonly refuses: (directive: string) => boolean;
};
