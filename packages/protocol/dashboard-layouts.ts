/** GET layouts/gate: whether layouts count at sites that leave it to the service (D8), and how far it is. */
export type GateData = {
  readonly isOpen: boolean;
  /** Kinds of browsers that answered. */
  readonly engines: number;
  /** Honest visits of late, one a network and day, and the share of their reads that is as the pages should be, 0..1. */
  readonly visits: number;
  readonly share: number;
  /** Browser releases that lay out otherwise, such as "Chromium 157". */
  readonly fallen: readonly string[];
  readonly needed: { readonly engines: number; readonly visits: number; readonly share: number };
};

/** GET layouts: the pages that visitors' browsers lay out (D8), and what this member's browser may add to them. */
export type LayoutsData = {
  readonly nowMs: number;
  /** Null where nothing was baked. */
  readonly bank: {
    readonly scenes: number;
    readonly drawnAtMs: number;
    /** Names of the browsers that answered, such as "Firefox". */
    readonly browsers: readonly string[];
  } | null;
  readonly gate: GateData;
  /** The browser that asks, such as "Firefox 153", and whether the bank lacks its kind; null for one that cannot answer. */
  readonly browser: { readonly name: string; readonly isNew: boolean } | null;
};

/** POST layouts/drafts: what is to be answered now. The draft is sealed, and handed back with the answers. */
export type BakeDraftData = { readonly draft: string; readonly scenes: number; readonly browser: string };

/** GET layouts/scenes: some of a draft's scenes, as the frame takes them (D8). */
export type ScenesData = { readonly texts: readonly string[] };

/** POST layouts: what the bank has now. */
export type BakedData = { readonly scenes: number; readonly browsers: readonly string[] };
