import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseRecording, type Recording } from "../risk/training/read-examples.ts";
import type { Box } from "./page.ts";
import type { Place, Planner, Way } from "./paths.ts";

/** Recorded users: paths from rest to a press, none of which is used twice in a run. */
export type RecordedPaths = {
  /**
   * A path that ends in the box and stays within the bounds; from `from` if given, else from
   * wherever it begins. By the same person as the last one, if one of theirs fits.
   */
  readonly choose: (box: Box, bounds: Box, from?: Place) => Way & { readonly start: Place };
  /**
   * The same for a pointer that may be anywhere: the first path begins with a jump if none fits
   * from there.
   */
  readonly plan: Planner;
  /** Continues with another person. */
  readonly next: () => void;
};

const MARGIN_PX = 4;
const REST_AT_LEAST_MS = 1;

function isIn({ x, y, width, height }: Box, place: Place, margin = 0): boolean {
  const [dx, dy] = [place.x - x, place.y - y];
  return dx >= margin && dy >= margin && dx <= width - margin && dy <= height - margin;
}

/**
 * The path of a recording, moved so that it begins at a place; undefined if it has no complete
 * press.
 */
function toWay({ events }: Recording, offset: Place): (Way & { start: Place }) | undefined {
  const moves = events.filter(([, , , kind]) => kind === "m");
  const down = events.find(([, , , kind]) => kind === "d");
  const up = events.findLast(([, , , kind]) => kind === "u");
  const first = moves[0];
  const last = moves.at(-1);
  if (first === undefined || last === undefined || down === undefined || up === undefined)
    return undefined;
  const steps = moves.map(([t, x, y], i) => ({
    x: x + offset.x,
    y: y + offset.y,
    afterMs: t - (moves[i - 1]?.[0] ?? t),
  }));
  const press = { x: down[1] + offset.x, y: down[2] + offset.y, afterMs: 0 };
  const restMs = Math.max(REST_AT_LEAST_MS, down[0] - last[0]);
  const start = { x: first[1] + offset.x, y: first[2] + offset.y };
  const isMoved = press.x !== steps.at(-1)?.x || press.y !== steps.at(-1)?.y;
  return { steps: isMoved ? [...steps, press] : steps, restMs, pressMs: up[0] - down[0], start };
}

/** Where a first path ends: somewhere in the box, depending on the person's own end. */
function endIn(
  { x, y, width, height }: Box,
  [, px, py]: readonly [number, number, number, string],
): Place {
  return {
    x: Math.round(x + width * (0.15 + (px % 70) / 100)),
    y: Math.round(y + height * (0.25 + (py % 50) / 100)),
  };
}

/** The recorded users in a folder's human_* files, in an order that `random` determines. */
export function readRecordedPaths(directory: string, random: () => number): RecordedPaths {
  const names = readdirSync(directory).filter((name) => /^human_.*\.jsonl\.gz$/.test(name));
  if (names.length === 0) throw new Error(`${directory} has no human_*.jsonl.gz.`);
  const recordings = names
    .flatMap((name) =>
      gunzipSync(readFileSync(join(directory, name)))
        .toString("utf8")
        .split("\n"),
    )
    .filter((line) => line !== "")
    .map(parseRecording)
    .map((recording) => ({ recording, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ recording }) => recording);
  const used = new Set<Recording>();
  let person: string | undefined;
  const find = (box: Box, bounds: Box, from: Place | undefined, subject: string | undefined) => {
    for (const recording of recordings) {
      if (used.has(recording) || (subject !== undefined && recording.subject !== subject)) continue;
      const [, x = 0, y = 0] = recording.events.find(([, , , kind]) => kind === "m") ?? [];
      const down = recording.events.find(([, , , kind]) => kind === "d");
      if (down === undefined) continue;
      const end = endIn(box, down);
      const offset = from
        ? { x: from.x - x, y: from.y - y }
        : { x: end.x - down[1], y: end.y - down[2] };
      const way = toWay(recording, offset);
      const press = way?.steps.at(-1);
      if (way === undefined || press === undefined || !isIn(box, press, MARGIN_PX)) continue;
      if (!way.steps.every((step) => isIn(bounds, step))) continue;
      used.add(recording);
      person = recording.subject;
      return way;
    }
    return undefined;
  };
  const choose: RecordedPaths["choose"] = (box, bounds, from) => {
    const way = (person && find(box, bounds, from, person)) || find(box, bounds, from, undefined);
    if (!way) throw new Error("no recorded path fits the page any more; ask for fewer sessions");
    return way;
  };
  return {
    choose,
    plan: (from, box, viewport) => {
      const bounds = { x: 0, y: 0, ...viewport };
      return find(box, bounds, from, undefined) ?? choose(box, bounds);
    },
    next: () => {
      person = undefined;
    },
  };
}
