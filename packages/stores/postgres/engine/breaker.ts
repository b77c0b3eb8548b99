import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** After this many connection faults in a row, callers no longer wait for another one. */
const OPEN_AFTER_FAULTS = 3;
/**
 * The pause between probes while open, ms. Together with PROBE_DEADLINE_MS, it limits how late a
 * recovered database is noticed.
 */
const PROBE_EVERY_MS = 200;

/** Sends no requests to a database that does not answer, until it answers again. */
export type Breaker = {
  /** Throws StoreUnavailable while the database does not answer. */
  readonly check: () => void;
  /** Call this when the database answered, whatever the answer. */
  readonly onAnswer: () => void;
  /** Call this on a connection fault. The third one in a row opens the breaker. */
  readonly onFault: () => void;
  /** Opens the breaker immediately. Call this if a deadline passed. */
  readonly open: () => void;
  readonly stop: () => void;
};

/**
 * Creates a closed breaker. `probe` rejects while the database does not answer. At most one probe
 * runs at a time.
 */
export function createBreaker(probe: () => Promise<void>): Breaker {
  let faults = 0;
  let isOpen = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const close = (): void => {
    faults = 0;
    isOpen = false;
  };
  const tryAgain = (): void => {
    probe().then(close, () => {
      if (isStopped) return;
      timer = setTimeout(tryAgain, PROBE_EVERY_MS).unref();
    });
  };
  const open = (): void => {
    if (isOpen || isStopped) return;
    isOpen = true;
    tryAgain();
  };

  return {
    check: () => {
      if (isOpen) throw new StoreUnavailable("the database does not answer");
    },
    onAnswer: () => {
      faults = 0;
    },
    onFault: () => {
      faults += 1;
      if (faults >= OPEN_AFTER_FAULTS) open();
    },
    open,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
