import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Redis } from "ioredis";
import { FUNCTIONS } from "./valkey-functions.ts";
import { GENERATION_KEY } from "./valkey-keys.ts";

/** Where a write must be before it is answered, unless the engine itself waits for that. */
export type Demand = {
  /** Whether the engine answers before the write is on its disk: `appendfsync everysec`. */
  readonly needsDisk: boolean;
  /** How many replicas must have it: all that exist. */
  readonly replicas: number;
};

/** With an fsync a second a round takes up to that long; who comes after one began waits this long for the next, ms. */
const PACE_MS = 250;

/** Connections for waiting: enough that one is free whenever a round may begin. */
export function countWaiting({ needsDisk, replicas }: Demand): number {
  if (needsDisk) return 6;
  return replicas > 0 ? 2 : 0;
}

/** Makes the same calls without waiting: rejects if the engine's user has no right to them. */
export async function tryWaits(client: Redis, { needsDisk, replicas }: Demand): Promise<void> {
  if (needsDisk) await client.call("WAITAOF", 0, 0, 1);
  if (replicas > 0) await client.call("WAIT", 0, 1);
}

/**
 * Waits until everything that the engine has answered, to any client, is where it must be. A write of this connection
 * comes after it, and the engine says when that one has arrived (`WAITAOF`, `WAIT`). The numbers it returns are
 * checked: an answer in time that counts too few is a fault.
 */
async function waitForAll(client: Redis, { needsDisk, replicas }: Demand, timeoutMs: number): Promise<void> {
  const [, [disks], reached] = (await Promise.all([
    client.call("FCALL", FUNCTIONS.ping, 1, GENERATION_KEY),
    needsDisk ? client.call("WAITAOF", 1, 0, timeoutMs) : [1],
    replicas > 0 ? client.call("WAIT", replicas, timeoutMs) : 0,
  ])) as [number, [number, number], number];
  if (disks < 1) throw new StoreUnavailable("the disk of the hot store does not answer in time");
  if (reached < replicas) {
    throw new StoreUnavailable(`of ${replicas} replicas of the hot store ${reached} answered in time`);
  }
  // A replica that nobody waits for could take over without recent spends.
  if (reached > replicas) throw new Error("the hot store has more replicas than STILE_VALKEY_REPLICAS says");
}

/**
 * Resolves when everything answered before the call is where it must be. Calls that come while a round is being
 * prepared share it. Several rounds are under way at once, each on its own connection, since the engine does nothing
 * else for a connection that waits.
 */
export function createAcknowledgement(
  clients: readonly Redis[],
  demand: Demand,
  timeoutMs: number,
): () => Promise<void> {
  const idle = [...clients];
  let next: PromiseWithResolvers<void> | undefined;
  let pace: NodeJS.Timeout | undefined;

  const begin = (): void => {
    const round = next;
    const client = round === undefined ? undefined : idle.pop();
    if (round === undefined || client === undefined) return;
    next = undefined;
    clearTimeout(pace);
    pace = setTimeout(onPace, PACE_MS).unref();
    const end = (): void => {
      idle.push(client);
      begin();
    };
    waitForAll(client, demand, timeoutMs).then(round.resolve, round.reject).then(end);
  };
  const onPace = (): void => {
    pace = undefined;
    begin();
  };

  return () => {
    if (next === undefined) {
      next = Promise.withResolvers();
      // After this turn, so that one round is enough for all who got their answers in it.
      if (idle.length === clients.length || pace === undefined) setImmediate(begin);
    }
    return next.promise;
  };
}
