import { requestUserAgent } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

/**
 * The visitor's request had no user agent; browsers always send one. Scored only if the visitor
 * called the service directly, or the customer passed an empty user agent, or `accept` without one.
 */
export const uaMissing = {
  name: "ua_missing",
  group: "environment",
  label: "The client sent no user agent.",
  weight: 2.6,
  detect: (evidence) => {
    const text = requestUserAgent(evidence);
    if (text !== undefined) return text.trim() === "";
    return evidence.solve !== undefined || evidence.headers?.accept !== undefined;
  },
} satisfies FlagRow;
