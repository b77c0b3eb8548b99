/** Whether a lower-case header name is one that risk may see (D7); every other header is dropped unread. */
export function isRiskHeader(name: string): boolean {
  if (name.startsWith("accept") || name === "user-agent") return true;
  return name.startsWith("sec-ch-ua") || name.startsWith("sec-fetch-");
}
