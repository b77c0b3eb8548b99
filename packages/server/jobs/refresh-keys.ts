import type { NodeFeed } from "@stile/core/ports/node-feed";
import type { Store } from "@stile/core/ports/store";
import { notAhead } from "../clock/not-ahead.ts";
import { refreshDayKeys } from "../cryptography/day-keys.ts";
import type { KeyRing } from "../cryptography/key-ring.ts";
import { refreshKeyRing } from "../cryptography/service-keys.ts";

/** The memory and the sources of keys; with a feed if there are other nodes. */
export type KeySources = {
  readonly ring: KeyRing;
  readonly store: Pick<Store, "serviceKeys" | "nodes">;
  readonly feed: NodeFeed | undefined;
  readonly masterKey: Uint8Array;
};

/**
 * Makes and removes service keys by age, and agrees with other nodes on day keys. Rejects with
 * WrongMasterKey.
 */
export async function refreshKeys(sources: KeySources, nowMs: number): Promise<void> {
  const { ring, store, feed, masterKey } = sources;
  // Removing a service key affects all nodes. The keys of days only depend on this node's day.
  await refreshKeyRing(ring, store.serviceKeys, masterKey, await notAhead(store, nowMs));
  if (feed !== undefined) await refreshDayKeys(ring, feed, masterKey, nowMs);
}
