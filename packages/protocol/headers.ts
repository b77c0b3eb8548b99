/**
 * Whether the risk model may see the header of this lower-case name (D7, score request). All other
 * headers are dropped unread.
 */
export function isRiskHeader(name: string): boolean {
  if (name.startsWith("accept") || name === "user-agent") return true;
  return name.startsWith("sec-ch-ua") || name.startsWith("sec-fetch-");
}
