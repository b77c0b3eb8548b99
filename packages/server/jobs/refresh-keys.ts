import type { NodeFeed } from "@stile/core/ports/node-feed";
import type { Store } from "@stile/core/ports/store";
import { notAhead } from "../clock/not-ahead.ts";
import { refreshDayKeys } from "../cryptography/day-keys.ts";
import type { KeyRing } from "../cryptography/key-ring.ts";
import { refreshKeyRing } from "../cryptography/service-keys.ts";

/** What keys are kept in, and where they come from; a feed where there are other nodes. */
export type KeySources = {
  readonly ring: KeyRing;
  readonly store: Pick<Store, "serviceKeys" | "nodes">;
  readonly feed: NodeFeed | undefined;
  readonly masterKey: Uint8Array;
};

/** Makes and drops service keys by their age, and agrees with other nodes on those of the day. Rejects with WrongMasterKey. */
export async function refreshKeys({ ring, store, feed, masterKey }: KeySources, nowMs: number): Promise<void> {
  // A service key that is dropped is dropped for all nodes; the day is the one that this node counts by.
  await refreshKeyRing(ring, store.serviceKeys, masterKey, await notAhead(store, nowMs));
  if (feed !== undefined) await refreshDayKeys(ring, feed, masterKey, nowMs);
}
