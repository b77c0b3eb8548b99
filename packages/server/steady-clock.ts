import { readFileSync } from "node:fs";
import type { Clock } from "@stile/core/ports/clock";

/** Where time comes from, ms: the system's clock, which anyone with the right may set, and two that nobody can. */
export type TimeSources = {
  readonly wallMs: () => number;
  /** Goes on evenly while the process runs. */
  readonly steadyMs: () => number;
  /** The same, going on while the machine sleeps; undefined where the system has none. */
  readonly sinceBootMs: () => number | undefined;
};

/** How the clock stands to the system's: `jumped` is not believed, `ahead` lets the system's catch up. */
export type ClockState = {
  readonly kind: "agrees" | "jumped" | "ahead";
  /** The system's clock less this one, ms. */
  readonly apartMs: number;
};

/** A clock that does not follow jumps of the system's. */
export type SteadyClock = Clock & { readonly state: () => ClockState };

/** Apart by less, the system's clock is followed: time services correct by milliseconds, and a step of theirs by less. */
const TOLERANCE_MS = 2_000;
/** How often the system's clock is followed while the two agree. */
const FOLLOW_EVERY_MS = 60_000;
/** The longest life of a token: a jump ahead that lasts is believed when nothing is left that was issued before it. */
const BELIEVE_AFTER_MS = 900_000;
/** Of a second, while the system's clock is behind: nothing happens twice, and lives at most double. */
const CATCH_UP_RATE = 0.5;

/** The sources of this system. */
export const SYSTEM_TIME: TimeSources = {
  wallMs: () => Date.now(),
  steadyMs: () => performance.now(),
  sinceBootMs: () => {
    try {
      return Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 1000;
    } catch {
      return undefined;
    }
  },
};

/** A reading that the clock goes on from. */
type Anchor = { readonly timeMs: number; readonly steadyMs: number };

/**
 * A clock that never goes back and does not jump: when the system's does, it goes on by itself, and tokens, limits and grace
 * periods with it. A jump ahead is believed at once if the machine slept, else after a quarter of an hour; when the system's clock
 * falls behind, this one goes at half speed until they agree. `notBeforeMs` is the newest time in the store: a start does not go
 * behind it. `onChange` hears of each change once.
 */
export function createSteadyClock(
  { wallMs, steadyMs, sinceBootMs }: TimeSources,
  { notBeforeMs, onChange }: { readonly notBeforeMs: number; readonly onChange: (state: ClockState) => void },
): SteadyClock {
  const anchorAt = (timeMs: number): Anchor => ({ timeMs, steadyMs: steadyMs() });
  /** What the machine slept since its boot, and the process knows nothing of; NaN where the system does not tell. */
  const sleptMs = (): number => (sinceBootMs() ?? Number.NaN) - steadyMs();
  let anchor = anchorAt(Math.max(wallMs(), notBeforeMs));
  let last = anchor;
  let knownSleepMs = sleptMs();
  let kind: ClockState["kind"] = "agrees";
  let jumpedAtMs = 0;

  const become = (next: ClockState["kind"], apartMs: number): void => {
    if (next === kind) return;
    if (next === "jumped") jumpedAtMs = steadyMs();
    kind = next;
    onChange({ kind, apartMs });
  };

  /** Asked at a jump's beginning only: it reads a file. */
  const hasSlept = (apartMs: number): boolean => Math.abs(sleptMs() - knownSleepMs - apartMs) <= TOLERANCE_MS;

  const read = (): number => {
    const wall = wallMs();
    const elapsedMs = steadyMs() - anchor.steadyMs;
    const ownMs = anchor.timeMs + elapsedMs;
    const apartMs = wall - ownMs;
    if (Math.abs(apartMs) <= TOLERANCE_MS) {
      become("agrees", apartMs);
      // The two drift by seconds a day; what adds up slowly is no jump.
      if (elapsedMs > FOLLOW_EVERY_MS) anchor = anchorAt(wall);
      return wall;
    }
    if (apartMs < 0) {
      const slowMs = last.timeMs + (steadyMs() - last.steadyMs) * CATCH_UP_RATE;
      become(wall < slowMs - TOLERANCE_MS ? "ahead" : "agrees", apartMs);
      anchor = anchorAt(Math.max(slowMs, wall));
      return anchor.timeMs;
    }
    const isBelieved = kind === "jumped" ? steadyMs() - jumpedAtMs >= BELIEVE_AFTER_MS : hasSlept(apartMs);
    if (!isBelieved) {
      become("jumped", apartMs);
      return ownMs;
    }
    anchor = anchorAt(wall);
    knownSleepMs = sleptMs();
    become("agrees", 0);
    return wall;
  };

  return {
    nowMs: () => {
      const timeMs = Math.max(last.timeMs, read());
      last = { timeMs, steadyMs: steadyMs() };
      return Math.floor(timeMs);
    },
    state: () => ({ kind, apartMs: wallMs() - last.timeMs }),
  };
}
