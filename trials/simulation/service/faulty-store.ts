import type { Statistics } from "@stile/core/ports/statistics/statistics";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { type AnyMethod, mapMethods, mapValues } from "@stile/stores/map-values";
import type { Chance } from "../world/chance.ts";

/** How often calls of the store fail, and how slow they are: probabilities, and ms. */
export type Weather = {
  /** The write is lost before it takes effect. */
  readonly lost: number;
  /** The write takes effect, but its answer is lost. */
  readonly unanswered: number;
  readonly slow: number;
  readonly slowestMs: number;
};

/** A call that took effect in the store, and its result. */
export type Effect = {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
};

/** The store as one process sees it, through faults. */
export type FaultyStore = {
  readonly store: Store;
  /** The process is gone: nothing is answered any more. */
  readonly kill: () => void;
  /** Call this after `kill`: of the writes in flight, some take effect and some don't. */
  readonly endWrites: () => Promise<void>;
};

/** How a process buffers counts, and hands them to `add`. */
export type HoldCounts = (add: Statistics["add"]) => Pick<Statistics, "count" | "flush">;

/**
 * The parts of the world that the faults need; `later` schedules a function that many ms from now.
 */
export type FaultParts = {
  readonly inner: Store;
  readonly chance: Chance;
  /** The chance that the write beneath a flush draws from. */
  readonly beneath: Chance;
  readonly holdCounts: HoldCounts;
  readonly weather: Weather;
  readonly later: (afterMs: number, run: () => unknown) => void;
  readonly onEffect: (effect: Effect) => void;
};

type MethodName = {
  [Port in keyof Required<Store>]: `${Port}.${keyof Required<Store>[Port] & string}`;
}[keyof Store];
/** Calls that are buffered in memory and answered at once. */
const IMMEDIATE: ReadonlySet<string> = new Set<MethodName>([
  "statistics.count",
  "decisions.append",
  "keyUsage.record",
]);

type Pending = { readonly takeEffect: () => Promise<unknown> };

/** By what factor a write may be slower than the rest if nobody waits for it in time. */
const LATEST = 4;

type LateParts = Pick<FaultParts, "beneath" | "weather" | "later"> & {
  readonly write: () => Promise<void>;
  readonly underway: Set<Pending>;
  readonly isDead: () => boolean;
};

/**
 * Writes beneath a flush, which waits for the true outcome without limit (decision 0008, SQLite):
 * not done, or done late.
 */
function addLate({ beneath, weather, later, write, underway, isDead }: LateParts): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const lateMs = beneath.happens(weather.slow)
    ? beneath.below(LATEST * weather.slowestMs)
    : beneath.below(3);
  const isLost = beneath.happens(weather.lost);
  const call: Pending = {
    takeEffect: async () => {
      underway.delete(call);
      await write();
      resolve();
    },
  };
  if (!isLost) underway.add(call);
  later(lateMs, () => {
    if (isDead()) return undefined;
    return isLost
      ? reject(new StoreUnavailable("the counts were not written"))
      : call.takeEffect().catch(reject);
  });
  return promise;
}

/**
 * Puts faults between a process and its store: each call takes effect and is answered in separate
 * events.
 */
export function createFaultyStore(parts: FaultParts): FaultyStore {
  const { inner, chance, weather, later, onEffect } = parts;
  let isDead = false;
  const underway = new Set<Pending>();
  const delayMs = (): number =>
    chance.happens(weather.slow) ? chance.below(weather.slowestMs) : chance.below(3);

  const through = (name: string, method: AnyMethod): AnyMethod => {
    if (IMMEDIATE.has(name)) return method;
    return (...args) => {
      const isLost = chance.happens(weather.lost);
      const isUnanswered = !isLost && chance.happens(weather.unanswered);
      const answerAfterMs = chance.happens(0.7) ? 0 : delayMs();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const unavailable = (): void => reject(new StoreUnavailable(`${name} was not answered`));
      const answer = (give: () => void): void => {
        if (answerAfterMs === 0) give();
        else later(answerAfterMs, () => isDead || give());
      };
      const call: Pending = {
        takeEffect: async () => {
          underway.delete(call);
          const result = await method(...args);
          onEffect({ name, args, result });
          return result;
        },
      };
      if (!isLost) underway.add(call);
      const happen = async (): Promise<void> => {
        if (isDead) return;
        if (isLost) return answer(unavailable);
        try {
          const result = await call.takeEffect();
          answer(isUnanswered ? unavailable : () => resolve(result));
        } catch (error) {
          answer(() => reject(error));
        }
      };
      // A flush waits for the write beneath it, which is an event of its own.
      later(delayMs(), name === "statistics.flush" ? () => void happen() : happen);
      return promise;
    };
  };

  const held = parts.holdCounts((batch) => {
    const write = (): Promise<void> => inner.statistics.add(batch);
    return isDead ? write() : addLate({ ...parts, write, underway, isDead: () => isDead });
  });
  const statistics: Statistics = {
    ...inner.statistics,
    ...held,
    count: (entry) => {
      onEffect({ name: "statistics.count", args: [entry], result: undefined });
      held.count(entry);
    },
  };
  // Only one process uses the store, so it needs neither `nodes` nor a lock.
  const { nodes: _none, alone, ...faulty } = { ...inner, statistics };
  const store = mapValues(faulty, (name, member) =>
    typeof member === "function"
      ? through(name, member as AnyMethod)
      : mapMethods(member, (method, run) => through(`${name}.${method}`, run)),
  );
  return {
    store: { ...store, alone },
    kill: () => {
      isDead = true;
    },
    endWrites: async () => {
      for (const call of [...underway]) if (chance.happens(0.5)) await call.takeEffect();
    },
  };
}
