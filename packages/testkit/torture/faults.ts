import { setTimeout as delay } from "node:timers/promises";
import { createRandomBelow, type RandomBelow } from "../random-below.ts";
import type { RunningService } from "../service/service.ts";

/** A fault that happens and is repaired. */
export type ClusterFault = {
  readonly name: string;
  /** Whether it kills a process; otherwise it breaks the network. */
  readonly isKill: boolean;
  /**
   * Resolves when everything is as before. `random` decides how the fault happens, and for how
   * long.
   */
  readonly run: (random: RandomBelow) => Promise<void>;
};

/** The same faults, but only one at a time, since they affect the same thing. */
export function inTurn(faults: readonly ClusterFault[]): readonly ClusterFault[] {
  let last = Promise.resolve();
  return faults.map((fault) => ({
    ...fault,
    run: (random) => {
      last = last.then(() => fault.run(random));
      return last;
    },
  }));
}

/** A server that is called while a fault kills it. */
export type TorturedServer = {
  readonly baseUrl: string;
  /** Resolves when it is not being killed or started. */
  readonly up: () => Promise<void>;
  readonly kill: ClusterFault;
};

const START_MS = 60_000;
const AGAIN_MS = 200;

/**
 * Starts it as a service manager would, repeatedly: the database may be down at the same moment.
 */
async function startAgain(service: Pick<RunningService, "restart">): Promise<void> {
  for (const sinceMs = performance.now(); ; await delay(AGAIN_MS)) {
    try {
      return await service.restart();
    } catch (error) {
      if (performance.now() - sinceMs > START_MS) throw error;
    }
  }
}

/** A running service that can be killed and comes back. */
export function toTortured(
  service: Pick<RunningService, "baseUrl" | "kill" | "restart">,
  name: string,
): TorturedServer {
  let up = Promise.resolve();
  const end = async (): Promise<void> => {
    await service.kill();
    await startAgain(service);
  };
  return {
    baseUrl: service.baseUrl,
    up: () => up,
    kill: {
      name: `${name} killed`,
      isKill: true,
      run: () => {
        up = end();
        return up;
      },
    },
  };
}

/**
 * The faults of a run: that many kills, and that many network breaks, in an order determined by the
 * seed.
 */
export type FaultPlan = {
  readonly kills: number;
  readonly breaks: number;
  readonly seed: number;
  /** How many calls to expect; the faults are spread over about three quarters of them. */
  readonly calls: number;
};

/** Triggers faults while calls are sent. */
export type FaultSchedule = {
  /**
   * Call this when a call is sent and when it ends: so faults fall before, within and after its
   * write.
   */
  readonly onEvent: () => void;
  /** Resolves when everything broken is repaired; rejects if a process did not come back. */
  readonly settled: () => Promise<void>;
  readonly kills: () => number;
  readonly breaks: () => number;
};

const SPREAD = 1.4;

function shuffled<Item>(items: Item[], random: RandomBelow): Item[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [items[at], items[other]] = [items[other] as Item, items[at] as Item];
  }
  return items;
}

/** A schedule of some of these faults; only one of each kind is under way at a time. */
export function scheduleFaults(faults: readonly ClusterFault[], plan: FaultPlan): FaultSchedule {
  const random = createRandomBelow(plan.seed);
  const draw = (wanted: boolean, count: number): ClusterFault[] => {
    // If there are more kinds than wanted, no kind is left out every time.
    const such = shuffled(
      faults.filter(({ isKill }) => isKill === wanted),
      random,
    );
    return such.length === 0
      ? []
      : Array.from({ length: count }, (_, at) => such[at % such.length] as ClusterFault);
  };
  const due = shuffled([...draw(true, plan.kills), ...draw(false, plan.breaks)], random);
  const longest = Math.max(1, Math.floor((SPREAD * 2 * plan.calls) / Math.max(1, due.length)));
  const running = new Map<ClusterFault, Promise<void>>();
  const broken: unknown[] = [];
  const done = { kills: 0, breaks: 0 };
  let left = 1 + random(longest);
  return {
    onEvent: () => {
      if (--left > 0) return;
      const next = due.findIndex((fault) => !running.has(fault));
      const [fault] = next === -1 ? [] : due.splice(next, 1);
      if (fault === undefined) return;
      left = 1 + random(longest);
      done[fault.isKill ? "kills" : "breaks"]++;
      const ending = fault
        .run(random)
        .catch((error: unknown) => broken.push(error))
        .then(() => void running.delete(fault));
      running.set(fault, ending);
    },
    settled: async () => {
      await Promise.all(running.values());
      if (broken.length > 0) throw broken[0];
    },
    kills: () => done.kills,
    breaks: () => done.breaks,
  };
}
