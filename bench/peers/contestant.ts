/** What a server does for a visitor: hand out a puzzle, check its solution, take what was earned for it once. */
export const STEPS = ["issue", "check", "redeem"] as const;
/** One of them. */
export type Step = (typeof STEPS)[number];

/** One call of a contestant's own functions; rejects unless the answer is the right one. */
export type Call = () => Promise<void>;

/** What a step is made of. */
export type StepPlan = {
  /** How many calls a round measures. */
  readonly samples: number;
  /** What the figure contains, as a sentence. */
  readonly contains: string;
};

/** A service or library under measurement, in this process. */
export type Contestant = {
  readonly name: string;
  readonly version: string;
  /** What a visitor has to solve: the contestant's own default. */
  readonly puzzle: string;
  /** Where it keeps what must not be forgotten, and whether that outlives the process. */
  readonly keeps: string;
  /** A step that is left out is one that the contestant does not have; `contains` then says so. */
  readonly steps: { readonly [step in Step]: StepPlan | { readonly samples: 0; readonly contains: string } };
  /**
   * Makes ready at least one and at most `count` calls of a step, each to be made once. All that is the client's, solving
   * above all, happens in here and is not measured.
   */
  readonly prepare: (step: Step, count: number) => Promise<readonly Call[]>;
  /** Calls that must be refused, so that what is measured is known to check: each rejects. */
  readonly prepareRefused: () => Promise<readonly Call[]>;
  readonly close: () => Promise<void>;
};

/** Throws unless `isRight`: what was measured would not be what it is called. */
export function expectRight(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`the answer is not what was measured: ${what}`);
}
