import { randomBytes } from "node:crypto";
import type { NodeFeed } from "@stile/core/ports/node-feed";
import type { KeyRing } from "./key-ring.ts";
import { unwrapKey, wrapKey } from "./wrapped-key.ts";

const DAY_MS = 86_400_000;
const KEY_BYTES = 32;

/**
 * Loads today's and tomorrow's keys, under which all nodes count addresses (D14, client address),
 * into the ring. When a day is over, its key is removed from the store, and at the next call from
 * this node. Its digests then can't be traced back.
 */
export async function refreshDayKeys(
  ring: KeyRing,
  feed: NodeFeed,
  masterKey: Uint8Array,
  nowMs: number,
): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS);
  const keys = new Map<number, Uint8Array>();
  for (const day of [today, today + 1]) {
    const label = `day-key/${day}`;
    const wrapped = await feed.agreeOnDayKey(
      day,
      wrapKey(masterKey, label, randomBytes(KEY_BYTES)),
    );
    keys.set(day, unwrapKey(masterKey, label, wrapped));
  }
  ring.loadDayKeys(keys);
}
