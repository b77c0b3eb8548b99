import { readFileSync } from "node:fs";
import type { Clock } from "@stile/core/ports/clock";

/** Sources of time in ms: the system's clock, which can be set, and two that cannot. */
export type TimeSources = {
  readonly wallMs: () => number;
  /** Runs evenly while the process runs. */
  readonly steadyMs: () => number;
  /** The same, but also runs while the machine sleeps; undefined if the system has no such clock. */
  readonly sinceBootMs: () => number | undefined;
};

/** `jumped`: the system's clock is ahead and not believed. `ahead`: this clock is, and lets the system's catch up. */
export type ClockState = {
  readonly kind: "agrees" | "jumped" | "ahead";
  /** The system's clock minus this one, in ms. */
  readonly apartMs: number;
};

/** A clock that does not follow jumps of the system's clock. */
export type SteadyClock = Clock & { readonly state: () => ClockState };

/** Differences up to this (ms) are followed: time services correct by milliseconds, and step by less than this. */
const TOLERANCE_MS = 2_000;
/** How often to follow the system's clock while the two agree, in ms. */
const FOLLOW_EVERY_MS = 60_000;
/** While the system's clock is not followed, how often (ms) to ask whether the machine slept: clocks may have stood. */
const ASK_SLEEP_EVERY_MS = 1_000;
/** The longest life of a token: a jump ahead that lasts this long is believed, since all from before it has expired. */
const BELIEVE_AFTER_MS = 900_000;
/** Rate while the system's clock is behind: nothing happens twice, and lifetimes at most double. */
const CATCH_UP_RATE = 0.5;

/** The time sources of this system. */
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

/** A reading from which the clock continues. */
type Anchor = { readonly timeMs: number; readonly steadyMs: number };

/**
 * A clock that never goes back and does not jump: if the system's clock does, this one continues by itself, and so do
 * tokens, limits and grace periods. Time that the machine slept counts as passed. Any other jump ahead is believed
 * after a quarter of an hour. If the system's clock falls behind, this one runs at half speed until they agree.
 * `notBeforeMs` is the newest time in the store, behind which a start does not go. `onChange` is called once per
 * change.
 */
export function createSteadyClock(
  { wallMs, steadyMs, sinceBootMs }: TimeSources,
  { notBeforeMs, onChange }: { readonly notBeforeMs: number; readonly onChange: (state: ClockState) => void },
): SteadyClock {
  const anchorAt = (timeMs: number): Anchor => ({ timeMs, steadyMs: steadyMs() });
  /** How long the machine has slept since boot, apart from a constant; NaN if the system does not tell. */
  const sleptMs = (): number => (sinceBootMs() ?? Number.NaN) - steadyMs();
  let anchor = anchorAt(Math.max(wallMs(), notBeforeMs));
  let last = anchor;
  let knownSleepMs = sleptMs();
  let sleepAskedMs = steadyMs();
  let kind: ClockState["kind"] = "agrees";
  let jumpedAtMs = 0;
  /** The system's clock minus the steady one, when it was last seen to move. */
  let offsetMs = wallMs() - steadyMs();

  const become = (next: ClockState["kind"], apartMs: number): void => {
    if (next === kind) return;
    if (next === "jumped") jumpedAtMs = steadyMs();
    offsetMs = wallMs() - steadyMs();
    kind = next;
    onChange({ kind, apartMs });
  };

  /** Adds the sleep since the last call. Called when the clocks diverge, then once a second: it reads a file. */
  const creditSleep = (): void => {
    sleepAskedMs = steadyMs();
    const newlySleptMs = sleptMs() - knownSleepMs;
    if (!(newlySleptMs > 0)) return;
    knownSleepMs += newlySleptMs;
    anchor = { ...anchor, timeMs: anchor.timeMs + newlySleptMs };
    if (kind === "ahead") last = { ...last, timeMs: last.timeMs + newlySleptMs };
  };

  /** While the system's clock is not followed: if it was set again, or the machine slept, the wait starts again. */
  const noticeMove = (wall: number): void => {
    if (steadyMs() - sleepAskedMs >= ASK_SLEEP_EVERY_MS) creditSleep();
    if (Math.abs(wall - steadyMs() - offsetMs) <= TOLERANCE_MS) return;
    offsetMs = wall - steadyMs();
    jumpedAtMs = steadyMs();
    creditSleep();
  };

  /** The time at half speed, until the system's clock has caught up. */
  const readAhead = (wall: number): number => {
    const elapsedMs = steadyMs() - last.steadyMs;
    const slowMs = last.timeMs + elapsedMs * CATCH_UP_RATE;
    if (wall < slowMs) return slowMs;
    // Tells whether the clocks met on the way, or the system's clock jumped over this one.
    const haveMet = wall - last.timeMs <= elapsedMs + TOLERANCE_MS;
    anchor = anchorAt(haveMet ? wall : slowMs);
    if (haveMet) become("agrees", 0);
    else become("jumped", wall - slowMs);
    return anchor.timeMs;
  };

  const read = (): number => {
    const wall = wallMs();
    if (kind !== "agrees") noticeMove(wall);
    if (kind === "ahead") return readAhead(wall);
    const elapsedMs = steadyMs() - anchor.steadyMs;
    const isApart = Math.abs(wall - anchor.timeMs - elapsedMs) > TOLERANCE_MS;
    if (isApart && kind === "agrees") creditSleep();
    const ownMs = anchor.timeMs + elapsedMs;
    const apartMs = wall - ownMs;
    if (Math.abs(apartMs) <= TOLERANCE_MS) {
      if (elapsedMs > FOLLOW_EVERY_MS) {
        // The two clocks drift by seconds a day. What adds up slowly is neither a jump nor sleep.
        anchor = anchorAt(wall);
        knownSleepMs = sleptMs();
      }
      become("agrees", apartMs);
      return wall;
    }
    if (apartMs < 0) {
      become("ahead", apartMs);
      last = anchorAt(Math.max(last.timeMs, ownMs));
      return readAhead(wall);
    }
    if (kind === "jumped" && steadyMs() - jumpedAtMs >= BELIEVE_AFTER_MS) {
      anchor = anchorAt(wall);
      become("agrees", 0);
      return wall;
    }
    become("jumped", apartMs);
    return ownMs;
  };

  const goOn = (): number => {
    const timeMs = Math.max(last.timeMs, read());
    last = { timeMs, steadyMs: steadyMs() };
    return timeMs;
  };

  return {
    nowMs: () => Math.floor(goOn()),
    state: () => {
      const timeMs = goOn();
      return { kind, apartMs: wallMs() - timeMs };
    },
  };
}
