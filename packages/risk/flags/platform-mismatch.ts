import { hintsOfEnvironment } from "../client-hints.ts";
import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { mayBeHandheld } from "../handheld.ts";
import { type Platform, parseUserAgent } from "../user-agent.ts";
import { environmentMismatch } from "./environment-mismatch.ts";
import { iframeMismatch } from "./iframe-mismatch.ts";
import { uaChMismatch } from "./ua-ch-mismatch.ts";
import { workerMismatch } from "./worker-mismatch.ts";

/**
 * How `navigator.platform` begins on systems that it identifies beyond doubt; everything else is
 * neutral.
 */
const SYSTEMS: readonly (readonly [start: string, systems: readonly Platform[]])[] = [
  ["Win", ["Windows"]],
  ["Mac", ["macOS"]],
  ["Linux", ["Linux", "Chrome OS"]],
];

const OTHERS = [uaChMismatch, environmentMismatch, iframeMismatch, workerMismatch];

/**
 * Page, request and client hints of a desktop Chromium name one system, and `navigator.platform`
 * another. A driver's option for the user agent changes all but that one (Playwright's
 * `userAgent`). If anything else contradicts, this flag is silent, as it is without hints and on
 * tablets. Developers who override the user agent raise it on their own site.
 */
export const platformMismatch = {
  name: "platform_mismatch",
  group: "environment",
  label: "The page runs on a different system from the one in its user agent.",
  weight: 2.3,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || mayBeHandheld(environment)) return false;
    const { engine, isDesktop, platform } = parseUserAgent(environment.userAgent);
    if (engine !== "chromium" || !isDesktop || hintsOfEnvironment(environment) === null)
      return false;
    const systems = SYSTEMS.find(([start]) => environment.platform.startsWith(start))?.[1] ?? [
      platform,
    ];
    return !systems.includes(platform) && !OTHERS.some((row) => row.detect(evidence));
  },
} satisfies FlagRow;
