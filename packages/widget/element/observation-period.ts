import type { BehaviourRecorder } from "../signals/behaviour-recorder.ts";

/**
 * Before the widget submits a solution, it observes the visitor for at least this long since the
 * start of the first run, and until it has noticed them. If the form or a script waits for the
 * token, it submits at once. The work alone takes about a second, in which most people press once
 * and type a few keys. Two more seconds show enough of both to separate people from programs.
 */
const OBSERVED_FOR_MS = 3_000;

/**
 * If the visitor was noticed up to this long before the run, they need not be noticed again, ms.
 * The service counts nothing older (D9, submission).
 */
const NOTICED_BEFORE_MS = 30_000;

/** How long a widget observes its visitor before it submits the solution. */
export type ObservationPeriod = {
  /**
   * Begins a run. Resolves when the visitor has been observed for long enough, also since
   * `connectedMs`, or is waiting for the token. Input before the element was inserted into the page
   * is not reported.
   */
  readonly begin: (connectedMs: number) => Promise<void>;
  /** Ends the period of this run now, because the form or a script waits for the token. */
  readonly prioritize: () => void;
};

/** Observes with that recorder; the time counts from the first run on. */
export function createObservationPeriod(recorder: BehaviourRecorder): ObservationPeriod {
  let observedAtMs: number | undefined;
  let endNow = (): void => {};
  return {
    begin: (connectedMs) => {
      const nowMs = performance.now();
      observedAtMs ??= nowMs + OBSERVED_FOR_MS;
      const waitMs = observedAtMs - nowMs;
      return new Promise((resolve) => {
        endNow = resolve;
        setTimeout(
          () => recorder.noticed(Math.max(nowMs - NOTICED_BEFORE_MS, connectedMs), resolve),
          waitMs,
        );
      });
    },
    prioritize: () => endNow(),
  };
}
