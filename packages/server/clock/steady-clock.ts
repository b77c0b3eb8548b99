import { readFileSync } from "node:fs";
import type { Clock } from "@stile/core/ports/clock";

/*
 * Example: at 12:00 the system's clock jumps to 13:00. This clock continues with 12:01, 12:02 and so
 * on. If the jump is corrected before 12:15, nothing happened. Otherwise this clock moves from 12:15
 * to 13:15.
 *
 * Example: at 12:00 somebody sets the system's clock back to 11:00. This clock runs at half speed,
 * and both show 13:00 two hours later.
 */

/** Sources of time in ms: the system's clock, which can be set, and two that cannot. */
export type TimeSources = {
  readonly wallMs: () => number;
  /** Runs evenly while the process runs, and stops while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Runs evenly, also while the machine sleeps; undefined if the system has no such clock. */
  readonly sinceBootMs: () => number | undefined;
};

/**
 * `jumped`: the system's clock is ahead and this clock does not follow it. `ahead`: this clock is
 * ahead, and waits for the system's.
 */
export type ClockState = {
  readonly kind: "agrees" | "jumped" | "ahead";
  /** The system's clock minus this one, in ms. */
  readonly apartMs: number;
};

/** A clock that does not follow jumps of the system's clock. */
export type SteadyClock = Clock & { readonly state: () => ClockState };

/**
 * Differences up to this (ms) are followed. Time services correct by milliseconds, and step by less
 * than this.
 */
const TOLERANCE_MS = 2_000;
/** How often to follow the system's clock while the two agree, in ms. */
const FOLLOW_EVERY_MS = 60_000;
/** While the system's clock is not followed, how often (ms) to check whether the machine slept. */
const ASK_SLEEP_EVERY_MS = 1_000;
/**
 * The longest life of a token, in ms. The clock follows a jump ahead that lasts this long, because
 * all tokens from before the jump have expired.
 */
const BELIEVE_AFTER_MS = 900_000;
/**
 * The rate while the system's clock is behind. Nothing happens twice, and lifetimes at most double.
 */
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

/** Measures how long the machine slept. Each question reads a file. */
function createSleepWatch({ steadyMs, sinceBootMs }: TimeSources) {
  /** Time slept since boot, plus a constant; NaN if the system does not report it. */
  const sleptMs = (): number => (sinceBootMs() ?? Number.NaN) - steadyMs();
  let knownMs = sleptMs();
  let askedAtMs = steadyMs();
  return {
    /** The sleep since the last call of this or `forget`. */
    takeNewMs: (): number => {
      askedAtMs = steadyMs();
      const newMs = sleptMs() - knownMs;
      if (!(newMs > 0)) return 0;
      knownMs += newMs;
      return newMs;
    },
    isDue: (): boolean => steadyMs() - askedAtMs >= ASK_SLEEP_EVERY_MS,
    /** Ignores all sleep before now. */
    forget: (): void => {
      knownMs = sleptMs();
    },
  };
}

/**
 * A clock that never goes back and does not jump. If the system's clock jumps, this one continues
 * evenly, and so do tokens, limits and grace periods. Time that the machine slept counts as passed.
 * The clock follows any other jump ahead after a quarter of an hour. If the system's clock falls
 * behind, this one runs at half speed until they agree. `notBeforeMs` is the newest time in the
 * store, and a start does not go behind it. `onChange` is called once per change.
 */
export function createSteadyClock(
  sources: TimeSources,
  {
    notBeforeMs,
    onChange,
  }: { readonly notBeforeMs: number; readonly onChange: (state: ClockState) => void },
): SteadyClock {
  const { wallMs, steadyMs } = sources;
  const anchorAt = (timeMs: number): Anchor => ({ timeMs, steadyMs: steadyMs() });
  const sleep = createSleepWatch(sources);
  let kind: ClockState["kind"] = "agrees";
  /** From this reading the clock runs evenly, unless it is ahead. */
  let anchor = anchorAt(Math.max(wallMs(), notBeforeMs));
  /** The last time it returned. If the clock is ahead, it runs at half speed from here. */
  let last = anchor;
  /**
   * While the system's clock is not followed: its distance to the steady clock, and since when that
   * has not changed.
   */
  let unfollowed = { offsetMs: wallMs() - steadyMs(), sinceMs: steadyMs() };

  const become = (next: ClockState["kind"], apartMs: number): void => {
    if (next === kind) return;
    kind = next;
    unfollowed = { offsetMs: wallMs() - steadyMs(), sinceMs: steadyMs() };
    onChange({ kind, apartMs });
  };

  /** Continues from the system's clock. */
  const follow = (wall: number): number => {
    anchor = anchorAt(wall);
    become("agrees", 0);
    return wall;
  };

  /** Counts the sleep since the last call as passed. */
  const creditSleep = (): void => {
    const newMs = sleep.takeNewMs();
    if (newMs === 0) return;
    anchor = { ...anchor, timeMs: anchor.timeMs + newMs };
    if (kind === "ahead") last = { ...last, timeMs: last.timeMs + newMs };
  };

  /** If the system's clock was set again, or the machine slept, the wait starts again. */
  const noticeMove = (wall: number): void => {
    if (sleep.isDue()) creditSleep();
    const offsetMs = wall - steadyMs();
    if (Math.abs(offsetMs - unfollowed.offsetMs) <= TOLERANCE_MS) return;
    unfollowed = { offsetMs, sinceMs: steadyMs() };
    creditSleep();
  };

  /** The time at half speed, until the system's clock has caught up. */
  const readAhead = (wall: number): number => {
    const elapsedMs = steadyMs() - last.steadyMs;
    const slowMs = last.timeMs + elapsedMs * CATCH_UP_RATE;
    if (wall < slowMs) return slowMs;
    // Whether the clocks met on the way. Otherwise the system's clock jumped past this one.
    const haveMet = wall - last.timeMs <= elapsedMs + TOLERANCE_MS;
    if (haveMet) return follow(wall);
    anchor = anchorAt(slowMs);
    become("jumped", wall - slowMs);
    return slowMs;
  };

  const isNear = (wall: number, elapsedMs: number): boolean =>
    Math.abs(wall - anchor.timeMs - elapsedMs) <= TOLERANCE_MS;

  const read = (): number => {
    const wall = wallMs();
    if (kind !== "agrees") noticeMove(wall);
    if (kind === "ahead") return readAhead(wall);
    const elapsedMs = steadyMs() - anchor.steadyMs;
    if (kind === "agrees" && !isNear(wall, elapsedMs)) creditSleep();
    if (isNear(wall, elapsedMs)) {
      if (elapsedMs > FOLLOW_EVERY_MS) {
        // The two clocks drift by seconds a day. A slow drift is neither a jump nor sleep.
        anchor = anchorAt(wall);
        sleep.forget();
      }
      become("agrees", 0);
      return wall;
    }
    const ownMs = anchor.timeMs + elapsedMs;
    if (wall < ownMs) {
      become("ahead", wall - ownMs);
      last = anchorAt(Math.max(last.timeMs, ownMs));
      return readAhead(wall);
    }
    if (kind === "jumped" && steadyMs() - unfollowed.sinceMs >= BELIEVE_AFTER_MS)
      return follow(wall);
    become("jumped", wall - ownMs);
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
