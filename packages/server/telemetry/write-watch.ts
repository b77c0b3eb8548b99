/** Watches the writes of a store, a batch at a time: what has ended, and what is under way. */
export type WriteWatch = {
  /** To be told by the store. */
  readonly observer: {
    readonly onSent: () => void;
    readonly onWritten: (ms: number) => void;
    readonly onLate: (writes: number) => void;
  };
  /** How long the batch that is being written has been, ms; 0 while none is. */
  readonly pendingMs: () => number;
  /** Writes of which nobody knew in time whether they were done. */
  readonly unanswered: () => number;
  /** Tells one listener of how long each batch took, ms, from now on. */
  readonly listen: (onWritten: (ms: number) => void) => void;
};

/** Nothing written yet; `nowMs` is a clock that goes on evenly. */
export function createWriteWatch(nowMs: () => number): WriteWatch {
  let sentAtMs: number | undefined;
  let unanswered = 0;
  let tell: ((ms: number) => void) | undefined;
  return {
    observer: {
      onSent: () => {
        sentAtMs = nowMs();
      },
      onWritten: (ms) => {
        sentAtMs = undefined;
        tell?.(ms);
      },
      onLate: (writes) => {
        unanswered += writes;
      },
    },
    pendingMs: () => (sentAtMs === undefined ? 0 : nowMs() - sentAtMs),
    unanswered: () => unanswered,
    listen: (onWritten) => {
      tell = onWritten;
    },
  };
}
