import { Violation } from "../world/violation.ts";

const MINUTE_MS = 60_000;

/** Requests counted by scope and clock minute, independently of the store (D10, limits). */
export function createRates() {
  let counts = new Map<string, number>();
  const countOf = (scope: string, minute: number): number => counts.get(`${scope} ${minute}`) ?? 0;
  /**
   * Whether one more fits the sliding window, by the words of D10 (limits): this minute's, and the
   * weighted ones of the minute before.
   */
  const hasRoom = (scope: string, perMinute: number, nowMs: number): boolean => {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const share = 1 - (nowMs % MINUTE_MS) / MINUTE_MS;
    return countOf(scope, minute) + countOf(scope, minute - 1) * share + 1 <= perMinute + 1e-6;
  };
  return {
    admit: (scope: string, perMinute: number, nowMs: number): void => {
      if (!hasRoom(scope, perMinute, nowMs))
        throw new Violation("more was admitted than the limit", `${scope}, ${perMinute}`);
      const key = `${scope} ${Math.floor(nowMs / MINUTE_MS)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    refuse: (scope: string, perMinute: number, nowMs: number): void => {
      // A tiny tolerance: the weights are fractions here.
      if (hasRoom(scope, perMinute - 1e-5, nowMs))
        throw new Violation("refused below the limit", `${scope}, ${perMinute}`);
    },
    copy: (): ReadonlyMap<string, number> => new Map(counts),
    putBack: (copy: ReadonlyMap<string, number>): void => {
      counts = new Map(copy);
    },
  };
}
