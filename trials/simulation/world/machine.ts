import type { TimeSources } from "@stile/server/clock/steady-clock";

/**
 * A disturbance of the machine's time. `wall`: somebody set its clock, or stopped or resumed it
 * (infinite); `sleep`: the machine slept.
 */
export type Disturbance = {
  readonly kind: "wall" | "sleep";
  readonly trueMs: number;
  readonly byMs: number;
};

/** A machine in virtual time: the true time, and the times of its clocks. */
export type Machine = {
  readonly trueMs: () => number;
  readonly sources: TimeSources;
  /** Lets true time advance to that moment; it never goes back. */
  readonly advanceTo: (trueMs: number) => void;
  /** Sets the system's clock ahead or back. */
  readonly jump: (byMs: number) => void;
  /** Corrects the system's clock. */
  readonly correct: () => void;
  /** The system's clock stands still until it is thawed, and continues from there. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Time passes that a process's steady clock does not count. */
  readonly sleep: (forMs: number) => void;
  readonly isFrozen: () => boolean;
  readonly disturbances: readonly Disturbance[];
};

/** A machine whose clock is right, booted at that moment. */
export function createMachine(bootMs: number): Machine {
  let trueMs = bootMs;
  let sleptMs = 0;
  let offsetMs = 0;
  let frozenAtMs: number | undefined;
  const disturbances: Disturbance[] = [];
  const record = (kind: Disturbance["kind"], byMs: number): void =>
    void disturbances.push({ kind, trueMs, byMs });
  const wallMs = (): number => frozenAtMs ?? trueMs + offsetMs;
  const setOffset = (nextMs: number): void => {
    record("wall", frozenAtMs === undefined ? nextMs - offsetMs : Number.POSITIVE_INFINITY);
    frozenAtMs = undefined;
    offsetMs = nextMs;
  };
  return {
    trueMs: () => trueMs,
    sources: {
      wallMs,
      steadyMs: () => trueMs - bootMs - sleptMs,
      sinceBootMs: () => trueMs - bootMs,
    },
    advanceTo: (nextMs) => {
      trueMs = Math.max(trueMs, nextMs);
    },
    jump: (byMs) => setOffset(wallMs() - trueMs + byMs),
    correct: () => setOffset(0),
    freeze: () => {
      record("wall", Number.POSITIVE_INFINITY);
      frozenAtMs = wallMs();
    },
    thaw: () => setOffset(wallMs() - trueMs),
    sleep: (forMs) => {
      record("sleep", forMs);
      trueMs += forMs;
      sleptMs += forMs;
    },
    isFrozen: () => frozenAtMs !== undefined,
    disturbances,
  };
}
