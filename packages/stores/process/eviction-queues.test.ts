import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandomBelow } from "@stile/testkit/random-below";
import { createEvictionQueues } from "./eviction-queues.ts";
import { EVICTION_SHARES } from "./eviction-shares.ts";

const PLACES = 300;

type QueuedEntry = { readonly share: number; readonly ms: number };

/**
 * The place that `shift` must take, found by a search of all entries; undefined if there is none.
 */
function findByLooking(held: ReadonlyMap<number, QueuedEntry>, endMs: number): number | undefined {
  const entries = [...held]
    .map(([place, entry]) => ({ place, ...entry }))
    .sort((a, b) => a.ms - b.ms);
  const [oldest] = entries;
  if (oldest === undefined || oldest.ms < endMs) return oldest?.place;
  const sizes = Map.groupBy(entries, ({ share }) => share);
  const fullest = Math.max(...[...sizes.values()].map(({ length }) => length));
  return entries.find(({ share }) => sizes.get(share)?.length === fullest)?.place;
}

test("evicts the oldest expired place first, and otherwise the oldest of the largest shares", () => {
  const random = createRandomBelow(7);
  const queues = createEvictionQueues(PLACES);
  const held = new Map<number, QueuedEntry>();
  const free = Array.from({ length: PLACES }, (_, place) => place);
  for (let ms = 0; ms < 5000; ms++) {
    const place = free.at(-1);
    if (place !== undefined && random(3) > 0) {
      free.pop();
      // Few shares, including the last one, so that some are equally large.
      const share = random(2) === 0 ? random(5) : EVICTION_SHARES - 1 - random(5);
      held.set(place, { share, ms });
      queues.push(share, place, ms);
      continue;
    }
    const endMs = ms - random(PLACES * 4);
    const taken = queues.shift(endMs);
    assert.equal(taken, findByLooking(held, endMs));
    if (taken === undefined) continue;
    held.delete(taken);
    free.push(taken);
  }
});
