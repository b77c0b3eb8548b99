/** What a figure must come to for the attack to have failed. */
export type Bound = { readonly kind: "at_most" | "at_least"; readonly value: number };

/** One measured figure of an attack. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  /** What is counted: "x" for a ratio, "%", "ms", "tokens", "" for a plain number. */
  readonly unit: string;
  /** Undefined for a figure that is told beside the others and binds nothing. */
  readonly bound?: Bound;
};

/** Says on standard error how far a long attack has come. */
export type Say = (text: string) => void;

/**
 * One attack, as somebody would do it who has read the source: it starts services of its own on loopback addresses, in
 * processes of their own, sends a bounded number of real requests, ends what it started, and answers what it measured.
 */
export type Attack = {
  /** In kebab-case; `--only` names it. */
  readonly name: string;
  /** What is tried, in one sentence. */
  readonly tries: string;
  readonly run: (say: Say) => Promise<readonly Figure[]>;
};

/** Whether a figure keeps within its bound; one without a bound always does. */
export function holds({ value, bound }: Figure): boolean {
  if (bound === undefined) return true;
  return bound.kind === "at_most" ? value <= bound.value : value >= bound.value;
}
