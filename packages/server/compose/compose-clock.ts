import {
  type ClockState,
  createSteadyClock,
  type SteadyClock,
  SYSTEM_TIME,
} from "../clock/steady-clock.ts";
import type { Logger } from "../telemetry/log.ts";

/** Sentences for the log and /readyz while the service does not follow the system's clock. */
export const CLOCK_SENTENCES = {
  agrees: undefined,
  jumped:
    "The system's clock jumped ahead. The service ignores the jump, so that nothing expires or is removed too early. Check the clock.",
  ahead:
    "The system's clock is behind a time that the service has already used. The service's time runs at half speed until they agree. Check the clock; if it is right, doctor says what to do.",
} as const satisfies Record<ClockState["kind"], string | undefined>;

/** A clock that counts how often it stopped following the system's clock. */
export type StartedClock = SteadyClock & { readonly jumps: () => number };

/** The service's clock, which logs when it does not follow the system's. */
export function startClock(notBeforeMs: number, log: Logger): StartedClock {
  let jumps = 0;
  const onChange = ({ kind, apartMs }: ClockState): void => {
    const sentence = CLOCK_SENTENCES[kind];
    if (sentence === undefined) {
      log.warn("The service follows the system's clock again.");
      return;
    }
    jumps += 1;
    log.error({ apartSeconds: Math.round(apartMs / 1000) }, sentence);
  };
  return { ...createSteadyClock(SYSTEM_TIME, { notBeforeMs, onChange }), jumps: () => jumps };
}
