import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/** Faults of the connection in a row after which nobody is made to wait for the next one. */
const OPEN_AFTER_FAULTS = 3;
/** Pause between two probes while it is open: with PROBE_DEADLINE_MS it bounds how late a database that is back is noticed. */
const PROBE_EVERY_MS = 200;

/** Stops asking a database that does not answer, until it does. */
export type Breaker = {
  /** Throws StoreUnavailable while the database is known not to answer. */
  readonly check: () => void;
  /** To be called when the database answered, whatever it said. */
  readonly onAnswer: () => void;
  /** To be called with a fault of the connection; `isSilence` if a deadline passed, after which one is enough. */
  readonly onFault: (isSilence: boolean) => void;
  readonly stop: () => void;
};

/** A closed breaker; `probe` rejects while the database does not answer. One probe is under way at most. */
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

  return {
    check: () => {
      if (isOpen) throw new StoreUnavailable("the database does not answer");
    },
    onAnswer: () => {
      faults = 0;
    },
    onFault: (isSilence) => {
      faults += 1;
      if (isOpen || isStopped || !(isSilence || faults >= OPEN_AFTER_FAULTS)) return;
      isOpen = true;
      tryAgain();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
