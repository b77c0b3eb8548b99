import type { Decision } from "@stile/core/domain/statistics/decision";
import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { createRandom, type Random } from "@stile/risk/seeded-random";
import { FLAG_WEIGHTS } from "@stile/risk/weights";
import type { TrafficProfile } from "./traffic.ts";

/** Flags that occur together, with the score they lead to. */
const BOT_KINDS: readonly { readonly score: number; readonly flags: readonly RiskFlag[] }[] = [
  { score: 0.97, flags: ["automation_webdriver", "ua_headless", "headless_media"] },
  { score: 0.83, flags: ["automation_webdriver", "pointer_pressure_invalid"] },
  { score: 0.74, flags: ["environment_mismatch", "velocity_ip"] },
  { score: 0.45, flags: ["header_inconsistent", "velocity_ip"] },
  { score: 0.34, flags: ["signals_withheld"] },
];
const PEOPLE_SCORES = [0.03, 0.04, 0.05, 0.05, 0.06, 0.08, 0.1];

const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");

function pick<Item>(random: Random, items: readonly [Item, ...Item[]] | readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

function requestIdOf(random: Random): string {
  return [8, 4, 4, 4, 12].map((digits) => hex(random, digits)).join("-");
}

/** The newest `count` decisions of a site, oldest first. The last one is shortly before `toMs`. */
export function createDecisions(
  siteKey: string,
  profile: TrafficProfile,
  toMs: number,
  count: number,
): Decision[] {
  const random = createRandom(profile.seed + 1);
  const meanGapMs = 3_600_000 / (profile.peoplePerHour * (1 + profile.botShare));
  const times = [toMs - 5000];
  while (times.length < count)
    times.push((times.at(-1) ?? toMs) - Math.ceil(random() * 2 * meanGapMs));
  return times.reverse().map((atMs): Decision => {
    const kind =
      random() < profile.botShare * 1.4
        ? pick(random, BOT_KINDS)
        : { score: pick(random, PEOPLE_SCORES), flags: [] };
    const { challenge, block } = DEFAULT_THRESHOLDS;
    const recommendation =
      kind.score >= block ? "block" : kind.score >= challenge ? "challenge" : "allow";
    const action = pick(random, profile.actions)[0];
    return {
      siteKey,
      decisionId: atMs.toString(16).padStart(13, "0") + hex(random, 8),
      atMs,
      requestId: requestIdOf(random),
      source: "widget",
      recommendation,
      outcome:
        recommendation === "allow"
          ? "token"
          : recommendation === "challenge"
            ? "step_up"
            : "blocked",
      score: kind.score,
      contributions: kind.flags
        .map((flag) => ({ flag, weight: FLAG_WEIGHTS[flag] }))
        .sort((a, b) => b.weight - a.weight),
      action: action === "" ? null : action,
      host: pick(random, profile.hosts)[0],
      device:
        kind.flags.length > 0
          ? "desktop"
          : pick(random, ["mobile", "mobile", "desktop", "tablet"] as const),
      solveMs: Math.round(120 + 900 * random() ** 3),
      label: null,
    };
  });
}
