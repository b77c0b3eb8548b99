import type { Store } from "@stile/core/ports/store";

/**
 * The part that outlives a process: the data of a store, which can be copied, and older copies
 * restored.
 */
export type Engine = {
  /** The store as a process that starts now finds it; the process must begin it. */
  readonly open: () => Promise<Store>;
  /** A copy of the data as they are now; `restore` restores it. */
  readonly copy: () => Promise<Copy>;
  /** Replaces the data by that copy, while no process runs. */
  readonly restore: (copy: Copy) => Promise<void>;
  /** Whether calls need real time, and must be awaited before anything else happens. */
  readonly isReal: boolean;
  readonly close: () => Promise<void>;
};

/** A copy, for the engine that made it. */
export type Copy = { readonly number: number };
