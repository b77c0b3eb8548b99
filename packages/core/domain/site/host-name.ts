import { TEXT_LIMITS } from "@stile/protocol/limits";
import { parseIpAddress, parseIpv6Groups } from "../visitor/ip-address.ts";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The spelling that browsers use (RFC 5952): the longest run of two or more zero groups becomes
 * `::`.
 */
function formatIpv6(groups: readonly number[]): string {
  const text = groups.map((group) => group.toString(16)).join(":");
  const runs = [...text.matchAll(/(?<![0-9a-f])0(:0)+(?![0-9a-f])/g)];
  const longest = runs.reduce<RegExpExecArray | undefined>(
    (best, run) => (best === undefined || run[0].length > best[0].length ? run : best),
    undefined,
  );
  if (longest === undefined) return text;
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}

/**
 * A host name in lower case with A-labels, an IPv4 address, or an IPv6 address in brackets; else
 * undefined (D13, formats).
 */
export function parseHostName(text: string): string | undefined {
  const host = text.toLowerCase().replace(/\.$/, "");
  if (host.length === 0 || host.length > TEXT_LIMITS.hostname) return undefined;
  if (host.startsWith("[") && host.endsWith("]")) {
    const inner = host.slice(1, -1);
    const groups = inner.includes(":") ? parseIpv6Groups(inner) : undefined;
    return groups && `[${formatIpv6(groups)}]`;
  }
  const labels = host.split(".");
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  const isNumericTail = /^\d+$/.test(labels[labels.length - 1] ?? "");
  return isNumericTail && parseIpAddress(host) === undefined ? undefined : host;
}

/** Whether a host only serves for testing: `localhost` or an IP address (D13, formats). */
export function isTestingHost(host: string): boolean {
  return host === "localhost" || host.startsWith("[") || /^[\d.]+$/.test(host);
}

/**
 * Whether the host is one of the site's domains or a subdomain of one (D8, challenge). IP addresses
 * match only themselves.
 */
export function isHostAllowed(host: string, domains: readonly string[]): boolean {
  return domains.some(
    (domain) => host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$/.test(domain)),
  );
}
