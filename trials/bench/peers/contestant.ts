/**
 * A server's steps for a visitor: issue a puzzle, check its solution, and accept its token once.
 */
export const STEPS = ["issue", "check", "redeem"] as const;
/** One of them. */
export type Step = (typeof STEPS)[number];

/** One call of a contestant's own functions; rejects unless the answer is correct. */
export type Call = () => Promise<void>;

/** How a step is measured. */
export type StepPlan = {
  /** How many calls a round measures. */
  readonly samples: number;
  /** The contents of the figure, as a sentence. */
  readonly contains: string;
};

/** A service or library being measured, in this process. */
export type Contestant = {
  readonly name: string;
  readonly version: string;
  /** The visitor's puzzle: the contestant's own default. */
  readonly puzzle: string;
  /** Where it stores its state, and whether that outlives the process. */
  readonly keeps: string;
  /** If `samples` is 0, the contestant does not have that step; `contains` then says so. */
  readonly steps: {
    readonly [step in Step]: StepPlan | { readonly samples: 0; readonly contains: string };
  };
  /**
   * Prepares at least one and at most `count` calls of a step, each to be made once. All work of
   * the client, mainly solving, happens here and is not measured.
   */
  readonly prepare: (step: Step, count: number) => Promise<readonly Call[]>;
  /** Calls that must be refused, to show that the measured check really checks: each rejects. */
  readonly prepareRefused: () => Promise<readonly Call[]>;
  readonly close: () => Promise<void>;
};

/** Throws unless `isRight`: otherwise the figure would not measure what its name says. */
export function expectRight(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`the answer is not what was measured: ${what}`);
}
