import type { WidgetFault } from "../machine/widget-fault.ts";
import { runBackoffMs } from "../service/backoff.ts";

/** How long touches are ignored after a failed run, ms. */
const TOUCH_REST_MS = 2_000;

/** When a widget tries again automatically, and when a touch may make it try. */
export type Retries = {
  /** A run failed: returns how long to wait before the next one, ms. */
  readonly waitMs: (error: WidgetFault) => number;
  /** Whether it is too soon for any other run. */
  readonly isTooSoon: () => boolean;
  /** A token was earned: the next failure counts as the first again. */
  readonly succeed: () => void;
};

/** Counts the runs that failed since the last token. */
export function createRetries(): Retries {
  let failures = 0;
  let calmUntilMs = 0;
  return {
    waitMs: ({ name, detail }) => {
      const restMs = name === "rate_limited" ? 1000 * +(detail ?? 60) : TOUCH_REST_MS;
      calmUntilMs = performance.now() + restMs;
      return Math.max(restMs, runBackoffMs(++failures, Math.random()));
    },
    isTooSoon: () => performance.now() < calmUntilMs,
    succeed: () => {
      failures = 0;
    },
  };
}
