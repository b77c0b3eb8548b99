/** A row of the grid. */
export type Row = {
  readonly library: string;
  readonly version: string;
  /** A: a public option names the host. B: our script stands before the library. H: by override.
   * "application": a whole application, by its settings. */
  readonly level: "A" | "B" | "H" | "application";
  /** Whether a person passes. */
  readonly passes: boolean;
  /** The tokens that were accepted wrongly. */
  readonly wrong: readonly string[];
  /** The tokens on which the library threw, though a visitor can cause them. */
  readonly thrown: readonly string[];
  readonly remark: string;
};
