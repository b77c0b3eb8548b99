import type { BehaviourRecorder } from "../signals/behaviour-recorder.ts";

/**
 * Before the work is handed in, the visitor is observed for at least this long since the start of
 * the first run, and until they were noticed; not if somebody waits for the token. The work alone
 * takes about a second, in which most people press once and type a few keys. Two more seconds show
 * enough of both to tell people from programs.
 */
const OBSERVED_FOR_MS = 3_000;

/**
 * A visitor noticed up to this long before a run has begun it, ms: the service counts nothing older
 * (D9).
 */
const NOTICED_BEFORE_MS = 30_000;

/** How long a widget watches its visitor before it hands in the work. */
export type Observing = {
  /**
   * Begins a run: resolves when the visitor has been observed for long enough, also since
   * `connectedMs`, or is waiting for the token. What they did before the element was inserted into
   * the page is not reported.
   */
  readonly begin: (connectedMs: number) => Promise<void>;
  /** Somebody waits for the token of this run. */
  readonly hurry: () => void;
};

/** Watches with that recorder; the time counts from the first run on. */
export function createObserving(recorder: BehaviourRecorder): Observing {
  let observedAtMs: number | undefined;
  let hurry = (): void => {};
  return {
    begin: (connectedMs) => {
      const nowMs = performance.now();
      observedAtMs ??= nowMs + OBSERVED_FOR_MS;
      const waitMs = observedAtMs - nowMs;
      return new Promise((resolve) => {
        hurry = resolve;
        setTimeout(
          () => recorder.noticed(Math.max(nowMs - NOTICED_BEFORE_MS, connectedMs), resolve),
          waitMs,
        );
      });
    },
    hurry: () => hurry(),
  };
}
