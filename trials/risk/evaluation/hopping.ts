import type { ObservedPointer } from "@stile/protocol/observed-signals";
import { hopsOf } from "@stile/risk/hops";
import { createRandom, seedOf } from "@stile/risk/seeded-random";
import type { Segment } from "@stile/risk/trajectory/segment";
import { copyOnDevice, slowDevice } from "../training/device-copies.ts";
import type { Recording } from "../training/read-examples.ts";
import { rounded } from "./intervals.ts";
import { SCREENS } from "./slow-frames.ts";

/**
 * Links to a remote computer, by ms between the moves that they carry: no move reports that it is
 * made of several.
 */
const LINKS_MS = [33, 50, 100, 200] as const;

/**
 * The moves that a page sees that loads late, or that the pointer enters next to the place of the
 * press.
 */
function lastThree(events: Segment): Segment {
  const pressAt = events.findIndex(([, , , kind]) => kind === "d");
  return events.slice(Math.max(0, pressAt - 3));
}

type View = {
  readonly name: string;
  readonly show: (events: Segment, random: () => number) => Segment;
  /**
   * Whether moves in between are reported with the later one, as a browser does for its own frames.
   */
  readonly isCoalesced: boolean;
};

/** How people's paths look on each kind of screen and link. */
export const VIEWS: readonly View[] = [
  { name: "as recorded", show: (events) => events, isCoalesced: false },
  {
    name: "as recorded, but for all before its last three moves",
    show: lastThree,
    isCoalesced: false,
  },
  ...SCREENS.map(({ name, hertz, busyMs }): View => {
    const device = slowDevice(hertz, busyMs);
    return {
      name,
      show: (events, random) => copyOnDevice(events, device, random),
      isCoalesced: true,
    };
  }),
  ...LINKS_MS.map((ms): View => {
    const device = slowDevice(1000 / ms);
    const show: View["show"] = (events, random) => copyOnDevice(events, device, random);
    return { name: `far computer, a move each ${ms} ms`, show, isCoalesced: false };
  }),
];

const KINDS = { m: "move", d: "down", u: "up" } as const;

/**
 * The widget's observation of a path as shown; and, if reported, of how many recorded moves each is
 * made.
 */
function observe(shown: Segment, recorded: Segment, isCoalesced: boolean): ObservedPointer[] {
  let [, beforeX, beforeY] = recorded[0] ?? [0, 0, 0];
  let from = 0;
  return shown.map(([atMs, x, y, kind]) => {
    const first = from;
    while (from < recorded.length && (recorded[from]?.[0] ?? 0) <= atMs) from++;
    const move = {
      movedX: x - beforeX,
      movedY: y - beforeY,
      coalesced: isCoalesced ? Math.max(1, from - first) : 1,
    };
    [beforeX, beforeY] = [x, y];
    const none = {
      movedX: undefined,
      movedY: undefined,
      coalesced: undefined,
      offsetX: undefined,
      offsetY: undefined,
    };
    const sample = {
      atMs,
      x,
      y,
      kind: KINDS[kind],
      type: "mouse",
      pressure: 0,
      isTrusted: true,
    } as const;
    return { ...sample, ...none, ...(kind === "m" ? move : {}) };
  });
}

/**
 * For one view: how many of people's paths are hops, alone and begun by a leap, and how people
 * share them.
 */
export type Hopping = {
  readonly seen: string;
  readonly paths: number;
  readonly hops: number | null;
  /** Would be asked for a press: `sparse_pointer` and `no_approach` together. */
  readonly asked: number | null;
  readonly people: number;
  readonly people_with_any: number;
  readonly worst_person: number | null;
};

const share = <T>(all: readonly T[], holds: (it: T) => boolean): number =>
  all.filter(holds).length / all.length;

/**
 * How many of people's paths raise `sparse_pointer`, each alone in its visit, on each kind of
 * screen and link.
 */
export function measureHopping(recordings: readonly Recording[]): Hopping[] {
  const people = recordings.filter(({ kind }) => kind === "human");
  return VIEWS.map(({ name, show, isCoalesced }) => {
    const seen = people.map(({ subject, events }, at) => {
      const shown = show(events, createRandom(seedOf(`${name} ${at}`)));
      const hops = hopsOf({ samples: observe(shown, events, isCoalesced) });
      const hop = hops.find(({ isJump }) => !isJump);
      return { subject, isHop: hop !== undefined, isAsked: hop?.hasLeapt === true };
    });
    const byPerson = [...Map.groupBy(seen, ({ subject }) => subject).values()];
    const shares = byPerson.map((paths) => share(paths, ({ isHop }) => isHop));
    return {
      ...{ seen: name, paths: seen.length },
      hops: rounded(share(seen, ({ isHop }) => isHop)),
      asked: rounded(share(seen, ({ isAsked }) => isAsked)),
      ...{ people: byPerson.length, people_with_any: shares.filter((it) => it > 0).length },
      worst_person: rounded(Math.max(...shares)),
    };
  });
}
