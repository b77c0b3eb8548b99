import type { Random } from "@stile/risk/seeded-random";
import type { Segment } from "@stile/risk/trajectory/segment";
import type { Change, Device, SlowRegime } from "./device-copies.ts";
import { evenly, evenlyInLog, normally, oneOf } from "./distributions.ts";

/** How long the next frame takes, ms, if a usual one takes `ms`. */
type Pace = (ms: number, random: Random) => number;

/**
 * The pace of each kind of slow device; the outer function draws the differences from one such
 * device to the next.
 */
const PACES: Readonly<Record<SlowRegime, (random: Random) => Pace>> = {
  slow_screen: () => (ms) => ms,
  slow_uneven: (random) => {
    const spread = evenly(random, 0.1, 0.7);
    return (ms, more) => ms * Math.exp(normally(more, spread) - (spread * spread) / 2);
  },
  slow_late: () => (ms) => ms,
  slow_busy: () => (ms, random) => (random() < 0.5 ? ms / 2 : ms * 1.5),
  slow_lossy: () => (ms, random) => (random() < 0.2 ? 2 * ms : ms),
};

/**
 * When the page hears of a move: at its own time, at that of its frame, or up to that many ms
 * later, as over a link.
 */
type Hears = { readonly of: "move" | "frame" | "link"; readonly lateMs: number };

const shown = (everyMs: number, pace: Pace, hears: Hears): Change => {
  return (moves, random) => {
    const lastMs = moves.at(-1)?.[0] ?? 0;
    const kept: Segment[number][] = [];
    let [seen, heardMs] = [0, Number.NEGATIVE_INFINITY];
    for (
      let ms = (moves[0]?.[0] ?? 0) + random() * everyMs;
      ms < lastMs + everyMs;
      ms += pace(everyMs, random)
    ) {
      const before = seen;
      while (seen < moves.length && (moves[seen]?.[0] ?? 0) <= ms) seen++;
      const move = moves[seen - 1];
      if (seen === before || move === undefined) continue;
      const lateMs = hears.of === "link" ? random() * hears.lateMs : 0;
      heardMs = Math.max(heardMs, hears.of === "move" ? move[0] : ms + lateMs);
      kept.push([heardMs, move[1], move[2], "m"]);
    }
    return kept;
  };
};

/** A slow screen, a busy page or a remote desktop, which shows a move about every 26 to 70 ms. */
export function drawSlowDevice(random: Random): Device {
  const regime = oneOf(random, Object.keys(PACES) as SlowRegime[]);
  const everyMs = evenlyInLog(random, 26, 70);
  const of = regime === "slow_late" ? "link" : oneOf(random, ["move", "frame"] as const);
  const lateMs = evenly(random, 0.1, 0.9) * everyMs;
  const scale = 2 ** evenly(random, -1.2, 1.2);
  return {
    regimes: [regime],
    scale,
    changes: [shown(everyMs, PACES[regime](random), { of, lateMs })],
  };
}
