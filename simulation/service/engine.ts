import type { Store } from "@stile/core/ports/store";

/** What outlives a process: the data of a store, which can be copied, and older copies put back. */
export type Engine = {
  /** The store as a process finds it that starts now; to be begun by it. */
  readonly open: () => Promise<Store>;
  /** A copy of the data as they are; put back by `restore`. */
  readonly copy: () => Promise<Copy>;
  /** Puts that copy in the place of the data, while no process runs. */
  readonly restore: (copy: Copy) => Promise<void>;
  /** Whether calls need real time, and are waited for before anything else happens. */
  readonly isReal: boolean;
  readonly close: () => Promise<void>;
};

/** A copy, of the engine that made it. */
export type Copy = { readonly number: number };
