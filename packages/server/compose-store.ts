import type { Store } from "@stile/core/ports/store";
import { openThreadedStore } from "@stile/stores/sqlite/threaded-store";
import type { DataDirectory } from "./data-directory.ts";
import type { Logger } from "./telemetry/log.ts";
import { createWriteWatch } from "./telemetry/write-watch.ts";

/** A store, and how much of its service's main job went through it. */
export type CountedStore = { readonly store: Store; readonly redeemed: () => number; readonly issued: () => number };

/** The same store, with what it answered counted. */
function countStore(store: Store): CountedStore {
  let redeemed = 0;
  let issued = 0;
  const redeem: Store["tokens"]["redeem"] = async (redemption) => {
    const outcome = await store.tokens.redeem(redemption);
    if (outcome.kind === "spent") redeemed += 1;
    return outcome;
  };
  const count: Store["statistics"]["count"] = (event) => {
    if (event.metric === "challenge_issued") issued += 1;
    store.statistics.count(event);
  };
  return {
    store: { ...store, tokens: { ...store.tokens, redeem }, statistics: { ...store.statistics, count } },
    redeemed: () => redeemed,
    issued: () => issued,
  };
}

/** Said when the store may have forgotten what was spent (decision 0018). */
export const RETIRED =
  "the data directory is a copy, was restored, or was not closed before the machine stopped: tokens and challenges issued " +
  "before this start are refused, so that none counts twice; visitors who hold one get another";

const UPGRADED = "the database was upgraded to this version; as it was, it lies in the copy named";

/** The service's store, or the given one, watched and counted. */
export async function composeStore(directory: DataDirectory, given: Store | undefined, log: Logger) {
  const writes = createWriteWatch(() => performance.now());
  const onUpgrade = (copy: string): void => log.warn({ copy }, UPGRADED);
  const { observer } = writes;
  const store = given ?? (await openThreadedStore({ file: directory.databaseFile, observer, onUpgrade }));
  return { ...countStore(store), writes };
}
