import type { BehaviourRecorder } from "../signals/behaviour-recorder.ts";

/** The values that all widgets of a page share, set once by the script. */
export type PageServices = {
  /**
   * The service's address, without a trailing slash; empty until `stile.configure` if the script
   * can't know it.
   */
  readonly base: string;
  /**
   * Elements whose widget the page removed on purpose; a `stile.js` of the previous version has
   * none.
   */
  readonly removed?: WeakSet<Element>;
  readonly recorder: BehaviourRecorder;
  /** Whether the page's policy refused something of the service under that directive. */
  readonly refuses: (directive: string) => boolean;
};
