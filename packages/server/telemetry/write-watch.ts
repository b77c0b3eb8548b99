/** Watches the batches of writes of a store: those that have ended, and the present one. */
export type WriteWatch = {
  /** Called by the store. */
  readonly observer: {
    readonly onSent: () => void;
    readonly onWritten: (ms: number) => void;
    readonly onLate: (writes: number) => void;
  };
  /** How long the present batch has taken so far, in ms; 0 if there is none. */
  readonly pendingMs: () => number;
  /** How many writes had no known result in time. */
  readonly unanswered: () => number;
  /** Sets a listener for the duration of each batch from now on, in ms. */
  readonly listen: (onWritten: (ms: number) => void) => void;
};

/** A watch without any writes yet. `nowMs` is a clock that runs evenly. */
export function createWriteWatch(nowMs: () => number): WriteWatch {
  let sentAtMs: number | undefined;
  let unanswered = 0;
  let listener: ((ms: number) => void) | undefined;
  return {
    observer: {
      onSent: () => {
        sentAtMs = nowMs();
      },
      onWritten: (ms) => {
        sentAtMs = undefined;
        listener?.(ms);
      },
      onLate: (writes) => {
        unanswered += writes;
      },
    },
    pendingMs: () => (sentAtMs === undefined ? 0 : nowMs() - sentAtMs),
    unanswered: () => unanswered,
    listen: (onWritten) => {
      listener = onWritten;
    },
  };
}
