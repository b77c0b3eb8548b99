import type { DeviceClass } from "@stile/protocol/dashboard-statistics";
import { parseUserAgent } from "@stile/risk/user-agent";

/** Televisions, consoles and headsets, which also run Android. */
const NO_HANDHELD = /TV|Xbox|PlayStation|Nintendo|Quest|\bVR\b/i;
const USER_AGENT_LIMIT = 1024;

/**
 * The kind of device that a user agent and the client hint `sec-ch-ua-mobile` claim, for
 * statistics: false claims are counted as they are. An iPad that asks for desktop pages counts as a
 * desktop.
 */
export function deviceClassOf(
  userAgent: string,
  headers: Readonly<Record<string, string>>,
): DeviceClass {
  const text = userAgent.slice(0, USER_AGENT_LIMIT);
  const { platform, isMobile, isDesktop } = parseUserAgent(text);
  if (isDesktop) return "desktop";
  if (NO_HANDHELD.test(text)) return "other";
  if (/iPad/.test(text)) return "tablet";
  if (isMobile || headers["sec-ch-ua-mobile"]?.trim() === "?1") return "mobile";
  return platform === "Android" ? "tablet" : "other";
}
