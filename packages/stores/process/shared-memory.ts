import type { Clock } from "@stile/core/ports/clock";
import type { NodeFeed } from "@stile/core/ports/node-feed";
import type { LocalLimiter } from "@stile/core/ports/rate-limiter";
import type { TokenUsage } from "@stile/core/ports/token/token-usage";
import type { BehaviourMemory, PathMemory } from "@stile/core/ports/visitor/visit-memory";
import type { VisitorMemory } from "@stile/core/ports/visitor/visitor-memory";
import type { WaveMemory } from "@stile/core/ports/visitor/wave-memory";
import { type AnyMethod, mapMethods, mapValues } from "../map-values.ts";

/** The memories that each node fills and shares with the other nodes. */
export type NodeMemories = {
  readonly paths: PathMemory;
  readonly behaviours: BehaviourMemory;
  readonly collectedPaths: PathMemory;
  readonly collectedBehaviours: BehaviourMemory;
  readonly visitors: VisitorMemory;
  readonly tokenUsage: TokenUsage;
  /** Attempts to sign in to the dashboard. */
  readonly attempts: LocalLimiter;
  readonly waves: WaveMemory;
};

/**
 * How far a call reaches:
 *
 * - `local`: this node only.
 * - `counted`: every node makes the call. In a flood, or if sending fails, other nodes miss it.
 * - `decided`: every node makes the call, because it is an owner's decision. It is sent even in a
 *   flood, and again if sending fails.
 */
type Reach = "local" | "counted" | "decided";

const PATHS = {
  nearest: "local",
  networksNear: "local",
  addPending: "local",
  record: "counted",
} as const;
const BEHAVIOURS = { isKnown: "local", addPending: "local", record: "counted" } as const;

/** The reach of each method. The compiler rejects a missing method. */
const REACHES: {
  readonly [Memory in keyof NodeMemories]: {
    readonly [Method in keyof NodeMemories[Memory]]: Reach;
  };
} = {
  paths: PATHS,
  behaviours: BEHAVIOURS,
  collectedPaths: PATHS,
  collectedBehaviours: BEHAVIOURS,
  visitors: {
    demandStepUp: "counted",
    mustStepUp: "local",
    recordRedeemed: "counted",
    hasRedeemed: "local",
  },
  tokenUsage: {
    recordEarned: "counted",
    recordRedeemed: "counted",
    earnedLately: "local",
    countEarners: "local",
    find: "local",
  },
  attempts: { consume: "counted", peek: "local", ratePerMinute: "local", countThisMinute: "local" },
  waves: {
    find: "local",
    addPending: "local",
    record: "counted",
    describe: "local",
    refuse: "decided",
    list: "local",
  },
};

/** Names come from other nodes, so only a table's own properties count. */
function reachOf(memory: string, method: string): Reach {
  if (!Object.hasOwn(REACHES, memory)) return "local";
  const methods: Readonly<Record<string, Reach>> = REACHES[memory as keyof NodeMemories];
  return (Object.hasOwn(methods, method) && methods[method]) || "local";
}

/** The most entries sent at once, about 4 MB. In a flood, only this node knows the rest. */
export const MAX_SENT = 10_000;

/**
 * Marks the first entry of a batch, which carries the sender's time (ms). Nodes of older versions
 * ignore it.
 */
const SENT_AT = "told at";
/**
 * A node ignores batches of a node whose clock differs by more than this. A counter restarts when a
 * minute is not the next one, so a clock hours ahead would reset every count of the other nodes.
 */
const MOST_APART_MS = 60_000;

type Memories = { readonly [memory: string]: { readonly [method: string]: AnyMethod } };

/** Path shapes are bytes, which JSON does not have. */
function pack(_name: string, value: unknown): unknown {
  if (!(value instanceof Int8Array)) return value;
  return { base64: Buffer.from(value.buffer, value.byteOffset, value.length).toString("base64") };
}

function unpack(_name: string, value: unknown): unknown {
  const isBytes = typeof value === "object" && value !== null && "base64" in value;
  return isBytes ? Int8Array.from(Buffer.from(String(value.base64), "base64")) : value;
}

/**
 * Records an entry of another node. A node of another version may send entries that this one does
 * not know.
 */
function absorb(
  memories: Memories,
  [memory, method, ...args]: readonly [string, string, ...unknown[]],
): void {
  if (reachOf(memory, method) !== "local") memories[memory]?.[method]?.(...args);
}

/** If one entry is invalid, the others are still recorded. */
function absorbAll(memories: Memories, entries: readonly string[], nowMs: number): void {
  const faults: unknown[] = [];
  let isInTime = true;
  for (const text of entries) {
    try {
      const entry = JSON.parse(text, unpack) as [string, string, ...unknown[]];
      if (entry[0] === SENT_AT) isInTime = Math.abs(nowMs - Number(entry[1])) <= MOST_APART_MS;
      else if (isInTime) absorb(memories, entry);
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0)
    throw new Error(`${faults.length} entries from other nodes can't be read`, {
      cause: faults[0],
    });
}

/**
 * The shared memories, and `exchange`, which sends to and receives from the other nodes. Call it at
 * intervals.
 */
export type SharedMemories = {
  readonly memories: NodeMemories;
  readonly exchange: () => Promise<void>;
};

/**
 * Shares this node's memories: it sends what they record to the other nodes of the service, and
 * records what those send. So all nodes soon recognise a recording that is replayed at one node
 * after another. Without a feed there are no other nodes. A counted call that could not be sent is
 * not sent again: it may have arrived, and would count twice. A node whose clock differs from the
 * others' works alone.
 */
export function shareMemories(
  local: NodeMemories,
  feed: NodeFeed | undefined,
  clock: Clock,
): SharedMemories {
  if (feed === undefined) return { memories: local, exchange: async () => {} };
  let waiting: string[] = [];
  let decided: string[] = [];
  const queue = (entry: readonly [string, string, ...unknown[]], reach: Reach): void => {
    if (reach === "decided") decided.push(JSON.stringify(entry));
    else if (waiting.length < MAX_SENT - 1) waiting.push(JSON.stringify(entry, pack));
  };
  const memories = mapValues(local, (memory, methods) =>
    mapMethods(methods, (method, record) => {
      const reach = reachOf(memory, method);
      if (reach === "local") return record;
      return (...args) => {
        queue([memory, method, ...args], reach);
        return record(...args);
      };
    }),
  );
  return {
    memories,
    exchange: async () => {
      const owed = decided;
      const entries = [...owed, ...waiting];
      [waiting, decided] = [[], []];
      try {
        if (entries.length > 0)
          await feed.publish([JSON.stringify([SENT_AT, clock.nowMs()]), ...entries]);
      } catch (fault) {
        decided = [...owed, ...decided];
        throw fault;
      } finally {
        const news = await feed.receive();
        absorbAll(local as unknown as Memories, news, clock.nowMs());
      }
    },
  };
}
