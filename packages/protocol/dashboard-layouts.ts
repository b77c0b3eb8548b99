/** GET layouts/gate: whether layouts count at sites that leave the choice to the service (D8), and how near that is. */
export type GateData = {
  readonly isOpen: boolean;
  /** How many kinds of browsers have answered. */
  readonly engines: number;
  /** Recent honest visits, at most one per network and day, and the share (0..1) of their reads that match the bank. */
  readonly visits: number;
  readonly share: number;
  /** Browser releases that lay out differently from the bank, such as "Chromium 157". */
  readonly fallen: readonly string[];
  readonly needed: { readonly engines: number; readonly visits: number; readonly share: number };
};

/** GET layouts: the scenes that visitors' browsers lay out (D8), and what this member's browser may add to them. */
export type LayoutsData = {
  readonly nowMs: number;
  /** Null if no bank was baked yet. */
  readonly bank: {
    readonly scenes: number;
    readonly drawnAtMs: number;
    /** Names of the browsers that have answered, such as "Firefox". */
    readonly browsers: readonly string[];
  } | null;
  readonly gate: GateData;
  /** The browser that asks, such as "Firefox 153", and whether the bank lacks its kind; null if it cannot answer. */
  readonly browser: { readonly name: string; readonly isNew: boolean } | null;
};

/** POST layouts/drafts: the scenes to answer now. The browser hands the sealed draft back with the answers. */
export type BakeDraftData = { readonly draft: string; readonly scenes: number; readonly browser: string };

/** GET layouts/scenes: some of the draft's scenes, in the form that the frame takes (D8). */
export type ScenesData = { readonly texts: readonly string[] };

/** POST layouts: what the bank holds now. */
export type BakedData = { readonly scenes: number; readonly browsers: readonly string[] };
