/** Request headers that risk may see; every other header is dropped unread (D7). */
const RISK_HEADER_PREFIXES = ["accept", "sec-ch-ua", "sec-fetch-"] as const;

/** Whether a lower-case header name is one that risk may see (D7). */
export function isRiskHeader(name: string): boolean {
  return name === "user-agent" || RISK_HEADER_PREFIXES.some((prefix) => name.startsWith(prefix));
}
