import type { Clock } from "@stile/core/ports/clock";
import type { Cryptography } from "@stile/core/ports/cryptography";
import type { NodeFeed } from "@stile/core/ports/node-feed";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import type { Store } from "@stile/core/ports/store";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { createKeyRing } from "../cryptography/key-ring.ts";
import { createNodeCryptography } from "../cryptography/node-cryptography.ts";
import { refreshKeys } from "../jobs/refresh-keys.ts";
import { shareRuns } from "../jobs/share-runs.ts";
import type { Logger } from "../telemetry/log.ts";
import { RETIRED } from "./compose-store.ts";

/**
 * The least time, in ms, between two reads of the keys that tokens with an unknown newer key cause.
 * Forged tokens cause no more reads than that.
 */
const FOLLOW_PAUSE_MS = 250;

/** The parts that the keys are composed of. */
export type KeyParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly masterKey: Uint8Array;
  readonly log: Logger;
};

/** The cryptography of a process, and the jobs that keep its keys. */
export type ComposedKeys = Pick<ServicePorts, "followKeys"> & {
  readonly cryptography: Cryptography;
  /**
   * Makes and removes service keys by their age, and agrees with other nodes on the keys of the
   * day.
   */
  readonly refreshKeys: () => Promise<void>;
  /**
   * Checks that the shared store is still the one the node knows, and otherwise reads the keys
   * again. Rejects as these do, and the operator must see the fault. Undefined without other nodes.
   */
  readonly followStore: (() => Promise<void>) | undefined;
};

/**
 * Reads the service keys, and creates the first. Rejects with WrongMasterKey, and as the store
 * does.
 */
export async function composeKeys(
  parts: KeyParts,
  feed: NodeFeed | undefined,
): Promise<ComposedKeys> {
  const { store, clock, masterKey, log } = parts;
  const { nodes } = store;
  const ring = createKeyRing();
  let refreshed: Promise<unknown> = Promise.resolve();
  // One after another: a late answer must not bring back keys that were retired in the meantime.
  const refresh = (): Promise<void> => {
    const refreshing = refreshed.then(() =>
      refreshKeys({ ring, store, feed, masterKey }, clock.nowMs()),
    );
    refreshed = refreshing.catch(() => {});
    return refreshing;
  };
  await refresh();
  const follow = async (): Promise<void> => {
    if ((await nodes?.follow(refresh)) === "retired") log.warn(RETIRED);
  };
  const followStore = nodes && shareRuns(follow, FOLLOW_PAUSE_MS);
  return {
    cryptography: createNodeCryptography(ring, clock),
    refreshKeys: refresh,
    followStore,
    // If the keys can't be read, the call is not at fault. The job reports the cause to the
    // operator.
    followKeys:
      followStore &&
      (() =>
        followStore().catch((cause: unknown) => {
          throw new StoreUnavailable("the service keys can't be read", { cause });
        })),
  };
}
