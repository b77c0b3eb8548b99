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
/** How often a machine whose clock is not followed is asked whether it slept: its clock may have stood meanwhile. */
const ASK_SLEEP_EVERY_MS = 1_000;
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
 * periods with it. What the machine slept has passed; any other jump ahead is believed when it has lasted a quarter of an hour;
 * when the system's clock falls behind, this one goes at half speed until they agree. `notBeforeMs` is the newest time in the store: a start does not go
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
  let sleepAskedMs = steadyMs();
  let kind: ClockState["kind"] = "agrees";
  let jumpedAtMs = 0;
  /** The system's clock less the steady one, when it was seen to move last. */
  let offsetMs = wallMs() - steadyMs();

  const become = (next: ClockState["kind"], apartMs: number): void => {
    if (next === kind) return;
    if (next === "jumped") jumpedAtMs = steadyMs();
    offsetMs = wallMs() - steadyMs();
    kind = next;
    onChange({ kind, apartMs });
  };

  /** What the machine slept since it was last asked has passed. Asked when the two come apart, and once a second while they are: it reads a file. */
  const creditSleep = (): void => {
    sleepAskedMs = steadyMs();
    const newlySleptMs = sleptMs() - knownSleepMs;
    if (!(newlySleptMs > 0)) return;
    knownSleepMs += newlySleptMs;
    anchor = { ...anchor, timeMs: anchor.timeMs + newlySleptMs };
    if (kind === "ahead") last = { ...last, timeMs: last.timeMs + newlySleptMs };
  };

  /** Whether the system's clock that is not followed was set anew, or the machine slept: the wait begins again. */
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
    // They met on the way, unless the system's clock jumped over this one.
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
        // The two drift by seconds a day; what adds up slowly is no jump, and no sleep.
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
