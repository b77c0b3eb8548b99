/** The kinds of lists that an operator may import. */
export const NETWORK_KINDS = ["datacenter", "tor"] as const;
/** One of datacenter, tor. */
export type NetworkKind = (typeof NETWORK_KINDS)[number];
