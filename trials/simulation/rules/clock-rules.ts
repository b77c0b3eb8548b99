import type { Machine } from "../world/machine.ts";
import { Violation } from "../world/violation.ts";

const DAY_MS = 86_400_000;
/**
 * Steps of the system's clock up to this size are followed at once: the limit of decision 0013
 * (clocks), plus a millisecond of rounding.
 */
const TOLERANCE_MS = 2_001;
/** Smaller corrections don't count as setting the clock. */
const NUDGE_MS = 400;
/** How soon after waking a machine's sleep is recognised. */
const WAKING_MS = 4_000;
/** A jump is believed once it has lasted as long as a token may live. */
const LASTED_MS = 900_000;

/** The time over which the pace is measured. */
const PACE_MS = 60_000;

/** One reading of the service's clock. */
type Reading = { readonly clockMs: number; readonly trueMs: number; readonly steadyMs: number };

/** A start: from what time on old data are removed, and whether the system's clock was believed. */
type Start = {
  readonly fromMs: number;
  readonly steadyMs: number;
  readonly trueMs: number;
  readonly agreed: boolean;
};

/**
 * Checks the clock of each process against decision 0013 (clocks). It never goes back, nor behind
 * the newest time recorded in the store. It runs at least at half speed, and ahead of true time
 * only after a jump that has lasted, or by the time that the machine slept.
 */
export function createClockRules(machine: Machine) {
  let last: Reading | undefined;
  /** When the process was started, and the times that it knew. */
  let started: Start | undefined;
  let furthestMs = 0;
  let highestMs = 0;
  /** Sleep of the machine that the clock does not show yet. */
  let uncreditedMs = 0;
  let paceFrom: Reading | undefined;

  const lastSetting = () =>
    machine.disturbances.findLast(({ kind, byMs }) => kind === "wall" && Math.abs(byMs) > NUDGE_MS);

  const isJumpBelieved = (trueMs: number): boolean => {
    const setting = lastSetting();
    const sinceMs = Math.max(setting?.trueMs ?? 0, started?.trueMs ?? 0);
    return trueMs - sinceMs >= LASTED_MS - 1;
  };

  /** While nobody sets the system's clock, it is followed, asleep or awake. */
  const checkAgreement = ({ clockMs }: Reading): void => {
    if (
      started === undefined ||
      !started.agreed ||
      machine.isFrozen() ||
      (lastSetting()?.trueMs ?? 0) >= started.trueMs
    )
      return;
    const apartMs = machine.sources.wallMs() - clockMs;
    if (Math.abs(apartMs) > TOLERANCE_MS)
      throw new Violation("the clock does not follow", `${apartMs} ms apart`);
  };

  const check = (before: Reading, now: Reading): void => {
    const gained = now.clockMs - before.clockMs;
    const awake = now.steadyMs - before.steadyMs;
    uncreditedMs += now.trueMs - before.trueMs - awake;
    if (gained < 0) throw new Violation("the clock went back", `${gained} ms`);
    const isCatchingUp =
      paceFrom !== undefined &&
      now.clockMs - paceFrom.clockMs <= now.trueMs - paceFrom.trueMs + TOLERANCE_MS;
    if (
      gained > awake + uncreditedMs + TOLERANCE_MS &&
      !isCatchingUp &&
      !isJumpBelieved(now.trueMs)
    ) {
      throw new Violation("the clock followed a jump", `${gained} ms in ${awake} ms`);
    }
    uncreditedMs = Math.max(0, uncreditedMs - Math.max(0, gained - awake));
  };

  /** Steps back that are followed at once may stop the clock for two seconds, but no longer. */
  const checkPace = (now: Reading): void => {
    if (paceFrom === undefined) return;
    const [gained, steady] = [now.clockMs - paceFrom.clockMs, now.steadyMs - paceFrom.steadyMs];
    if (gained < steady / 2 - TOLERANCE_MS)
      throw new Violation("the clock stood", `${gained} ms in ${steady} ms`);
    if (steady > PACE_MS) paceFrom = now;
  };

  const removalMs = (now: Reading): number =>
    started === undefined
      ? 0
      : Math.min(now.clockMs, started.fromMs + DAY_MS + 24 * (now.steadyMs - started.steadyMs));

  const readingAt = (clockMs: number): Reading => ({
    clockMs,
    trueMs: machine.trueMs(),
    steadyMs: machine.sources.steadyMs(),
  });

  return {
    /**
     * A process that began at that true time has started, with the newest time recorded in the
     * store.
     */
    onStart: (clockMs: number, newestMs: number, trueMs: number): void => {
      if (clockMs < newestMs)
        throw new Violation("a start went behind the store", `${newestMs - clockMs} ms`);
      last = readingAt(clockMs);
      paceFrom = last;
      const slept = machine.disturbances.filter(
        ({ kind, trueMs: atMs }) => kind === "sleep" && atMs >= trueMs,
      );
      uncreditedMs = slept.reduce((sum, { byMs }) => sum + byMs, 0);
      const { steadyMs } = last;
      const agreed = clockMs <= machine.sources.wallMs();
      started = { fromMs: newestMs === 0 ? clockMs : newestMs, steadyMs, trueMs, agreed };
    },
    onRead: (clockMs: number): void => {
      const now = readingAt(clockMs);
      if (last !== undefined) check(last, now);
      checkPace(now);
      checkAgreement(now);
      last = now;
      highestMs = Math.max(highestMs, clockMs);
      furthestMs = Math.max(furthestMs, removalMs(now));
    },
    /** The latest time by which old data may have been removed. */
    trustedMs: (): number => furthestMs,
    /**
     * The highest time that any process showed: another may have begun behind it, before a sweep
     * recorded it.
     */
    highestMs: (): number => highestMs,
    /**
     * Whether nothing but true time can have moved the clock of a process between the two moments,
     * true ms.
     */
    isUndisturbed: (fromMs: number, toMs: number): boolean =>
      !machine.disturbances.some(({ kind, byMs, trueMs }) =>
        kind === "sleep"
          ? trueMs + byMs >= fromMs - WAKING_MS && trueMs <= toMs
          : Math.abs(byMs) > NUDGE_MS &&
            trueMs >= fromMs - LASTED_MS - 60_000 &&
            trueMs <= toMs - LASTED_MS + 2_000,
      ),
  };
}

/** See createClockRules. */
export type ClockRules = ReturnType<typeof createClockRules>;
