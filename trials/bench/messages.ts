import type { ThreadProfile } from "./cpu-profiler.ts";

/**
 * The subjects of measurement: an endpoint, a token's life over three of them, or a flood that is
 * refused.
 */
export const WORKLOADS = [
  "redeem",
  "issue",
  "submit",
  "submit-varied",
  "life",
  "forged-tokens",
  "forged-challenges",
  "wrong-secrets",
] as const;
/** One of the rows that the bench knows. */
export type Workload = (typeof WORKLOADS)[number];

/** Messages from the bench to the server under load. */
export type Command =
  | { readonly kind: "prepare"; readonly workload: Workload; readonly isControl: boolean }
  /** A window begins; `profiles` is where to put its CPU profiles, if it is profiled. */
  | { readonly kind: "begin"; readonly profiles: string | undefined }
  | { readonly kind: "end" };

/** Where the server listens, and the keys of its site; the control has none. */
export type Prepared = {
  readonly kind: "prepared";
  readonly url: string;
  readonly siteKey: string;
  readonly secretKey: string;
};

/** The server's use and counts between `begin` and `end`. */
export type Usage = {
  readonly kind: "usage";
  /** User and system CPU of the server process with all its threads, microseconds. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
  /**
   * Answers of the wanted kind that the store counted, or requests if it counts none; the control
   * counts requests.
   */
  readonly counted: number;
  /** Answers since its start that the row does not measure, such as a replay; must be empty. */
  readonly wasted: readonly string[];
  /** One for each thread; none if the window wasn't profiled. */
  readonly profiles: readonly ThreadProfile[];
};
/** Messages from the server under load to the bench. */
export type Report = Prepared | { readonly kind: "begun" } | Usage;
