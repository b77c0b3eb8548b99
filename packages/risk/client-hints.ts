import type { ObservedEnvironment } from "@stile/protocol/observed-signals";
import type { Platform } from "./user-agent.ts";

/**
 * The content of low-entropy client hints, from headers or from the page; null for what they leave
 * out.
 */
export type ClaimedHints = {
  /**
   * Major version of the brand Chromium, which every Chromium browser lists in addition to its own
   * brand.
   */
  readonly chromiumMajor: number | null;
  readonly isMobile: boolean | null;
  readonly platform: Platform;
};

/** Longest header value that is read; the longest real one is below 200 characters. */
const HEADER_LIMIT = 1024;

const PLATFORMS: Readonly<Record<string, Platform>> = {
  Windows: "Windows",
  macOS: "macOS",
  "Mac OS X": "macOS",
  Linux: "Linux",
  "Chrome OS": "Chrome OS",
  "Chromium OS": "Chrome OS",
  Android: "Android",
};

const toPlatform = (name: string): Platform =>
  (Object.hasOwn(PLATFORMS, name) && PLATFORMS[name]) || "unknown";

/**
 * `Sec-CH-UA`, `-Mobile` and `-Platform` of a request, or null if it carries no brands (no
 * Chromium, or plain http).
 */
export function hintsOfHeaders(headers: Readonly<Record<string, string>>): ClaimedHints | null {
  const brands = headers["sec-ch-ua"]?.slice(0, HEADER_LIMIT);
  if (brands === undefined) return null;
  const major = /"Chromium"\s*;\s*v="(\d{1,4})\b/.exec(brands)?.[1];
  const mobile = headers["sec-ch-ua-mobile"]?.trim();
  const platform =
    headers["sec-ch-ua-platform"]?.slice(0, HEADER_LIMIT).trim().replaceAll('"', "") ?? "";
  return {
    chromiumMajor: major === undefined ? null : Number(major),
    isMobile: mobile === "?1" ? true : mobile === "?0" ? false : null,
    platform: toPlatform(platform),
  };
}

/** `navigator.userAgentData` as the page reported it, or null if the browser has none. */
export function hintsOfEnvironment(environment: ObservedEnvironment): ClaimedHints | null {
  const hints = environment.clientHints;
  if (hints === null) return null;
  const version = hints.brands.find(({ name }) => name === "Chromium")?.version;
  const major = version === undefined ? Number.NaN : Number.parseInt(version, 10);
  return {
    chromiumMajor: Number.isNaN(major) ? null : major,
    isMobile: hints.mobile,
    platform: toPlatform(hints.platform),
  };
}

/**
 * Pairs of brand and major version in `Sec-CH-UA`, in its order. Entries of another form are left
 * out.
 */
export function brandsOfHeader(text: string): readonly (readonly [name: string, major: number])[] {
  const matches = text
    .slice(0, HEADER_LIMIT)
    .matchAll(/"([^"]{1,64})"\s{0,8};\s{0,8}v="(\d{1,4})\b/g);
  return [...matches].map(([, name = "", major = ""]) => [name, Number(major)] as const);
}
