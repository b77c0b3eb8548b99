import type { ClusterFault } from "./faults.ts";
import type { Ways } from "./ways.ts";

/** An engine that the servers of a run share, and that is killed while they use it. */
export type TorturedEngine = {
  readonly name: "PostgreSQL";
  readonly ways: Ways;
  /** Settings (D17, settings) of a server that connects through this port. */
  readonly settingsAt: (wayPort: number) => Readonly<Record<string, string>>;
  /**
   * kill -9 of its processes, after which it is started again; the first one kills all of them at
   * once.
   */
  readonly kills: readonly [ClusterFault, ...ClusterFault[]];
  /** Kills all its processes at once. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and the connections to it. */
  readonly stop: () => Promise<void>;
};
