/** What is measured: an endpoint, or the constant answer that it is held against. */
export const WORKLOADS = ["redeem", "issue", "submit"] as const;
/** One of the endpoints that the bench knows. */
export type Workload = (typeof WORKLOADS)[number];

/** From the bench to the server under load. */
export type Command =
  | { readonly kind: "prepare"; readonly workload: Workload; readonly isControl: boolean; readonly requests: number }
  | { readonly kind: "begin" }
  | { readonly kind: "end" };

/** What the load generator sends, written to a file a request a line, and where to. */
export type Prepared = { readonly kind: "prepared"; readonly url: string; readonly requestsFile: string };

/** What the server used and counted between `begin` and `end`. */
export type Usage = {
  readonly kind: "usage";
  /** User and system CPU of the server process, microseconds. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
  /** Answers of the wanted kind that the store counted (redeemed, issued, solved); the control counts requests. */
  readonly counted: number;
  /** Answers that did no work, such as a replay; must be 0. */
  readonly wasted: number;
};
/** From the server under load to the bench. */
export type Report = Prepared | { readonly kind: "begun" } | Usage;
