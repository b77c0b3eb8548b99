import { TEXT_LIMITS } from "@stile/protocol/limits";

/**
 * Operating system as named by a user agent or a client hint; an unknown one never counts against
 * anyone.
 */
export type Platform = "Windows" | "macOS" | "Linux" | "Chrome OS" | "Android" | "iOS" | "unknown";

/**
 * The claims of a user agent about its browser: only values that engines reliably put there, so
 * that forks and in-app views pass.
 */
export type ClaimedBrowser = {
  readonly engine: "chromium" | "firefox" | "webkit" | "unknown";
  /** Major version of Chromium or Firefox; null for the rest. */
  readonly major: number | null;
  readonly platform: Platform;
  /** Whether it has the word Mobile, which phones have, and tablets and desktops don't. */
  readonly isMobile: boolean;
  /** A computer with keyboard and mouse: no phone, tablet, television, console or headset. */
  readonly isDesktop: boolean;
};

const PLATFORM_WORDS: readonly (readonly [RegExp, Platform])[] = [
  [/Windows Phone|Tizen|Web0S|KAIOS/i, "unknown"],
  [/Android/, "Android"],
  [/iPhone|iPad|iPod/, "iOS"],
  [/CrOS/, "Chrome OS"],
  [/Windows NT/, "Windows"],
  [/Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];
const NO_DESKTOP = /TV|Xbox|PlayStation|Nintendo|Quest|\bVR\b/i;

/**
 * Whether `first` occurs before `second`. One pattern of both would start over at each match of
 * `first`: quadratic time.
 */
function hasInTurn(text: string, first: RegExp, second: RegExp): boolean {
  const at = text.search(first);
  return at >= 0 && second.test(text.slice(at));
}

function engineOf(text: string, platform: Platform): Pick<ClaimedBrowser, "engine" | "major"> {
  if (platform === "iOS") return { engine: "webkit", major: null };
  if (/\bEdge\/|\bTrident\//.test(text)) return { engine: "unknown", major: null };
  const chromium = /(?:Chrome|Chromium)\/(\d{1,4})/.exec(text)?.[1];
  if (chromium !== undefined) return { engine: "chromium", major: Number(chromium) };
  const firefox = /\bFirefox\/(\d{1,4})/.exec(text)?.[1];
  if (firefox !== undefined) return { engine: "firefox", major: Number(firefox) };
  const isSafari = platform === "macOS" && hasInTurn(text, /\bVersion\/\d/, /\bSafari\//);
  return { engine: isSafari ? "webkit" : "unknown", major: null };
}

function parse(text: string): ClaimedBrowser {
  const platform = PLATFORM_WORDS.find(([word]) => word.test(text))?.[1] ?? "unknown";
  const isComputer =
    platform === "Windows" ||
    platform === "macOS" ||
    platform === "Linux" ||
    platform === "Chrome OS";
  return {
    ...engineOf(text, platform),
    platform,
    isMobile: /\bMobile\b(?! VR)/.test(text),
    isDesktop: isComputer && !NO_DESKTOP.test(text),
  };
}

/**
 * The part of an untrusted user agent that is read: up to the published length, without blanks
 * around it.
 */
export const bounded = (untrusted: string): string =>
  untrusted.slice(0, TEXT_LIMITS.userAgent).trim();

/** The last result: two dozen checks look at the same text for each visitor. */
let last: { readonly untrusted: string; readonly claim: ClaimedBrowser } | undefined;

/** The claims of an untrusted user agent; total, and reads at most the published length. */
export function parseUserAgent(untrusted: string): ClaimedBrowser {
  if (last?.untrusted !== untrusted)
    last = { untrusted, claim: parse(untrusted.slice(0, TEXT_LIMITS.userAgent)) };
  return last.claim;
}

/**
 * Whether two user agents name different browsers: another engine, another major version, another
 * system. Other differences are neutral (in-app suffixes, shortened strings), and so are values
 * that one of them lacks. Firefox may name another system in its header than in its page
 * (resistFingerprinting, Tor), so its system is not compared.
 */
export function areDifferentBrowsers(left: string, right: string): boolean {
  if (left === right) return false;
  const a = parseUserAgent(left);
  const b = parseUserAgent(right);
  if (a.engine === "unknown" || b.engine === "unknown") return false;
  if (a.engine !== b.engine || a.major !== b.major) return true;
  return (
    a.engine !== "firefox" &&
    a.platform !== b.platform &&
    a.platform !== "unknown" &&
    b.platform !== "unknown"
  );
}
