import {
  COMMON_NETWORKS,
  type PathShape,
  SHAPE_REACH,
  toPathShape,
} from "@stile/risk/trajectory/path-shape";
import { preparePath } from "@stile/risk/trajectory/segment";
import { createPathMemory } from "@stile/stores/process/paths/path-memory";
import { quantile } from "../training/measures.ts";
import type { Recording } from "../training/read-examples.ts";
import { isReplay } from "./recordings.ts";

type Drawn = { readonly recording: Recording; readonly shape: PathShape; readonly isOwn: boolean };

/** The most paths that a site remembers: this determines how many others drew about the same. */
const REMEMBERED = 5_000;

const SITE = "measured";

const share = (part: number, whole: number): number =>
  Number((part / Math.max(1, whole)).toFixed(4));

function draw(recording: Recording): Drawn[] {
  const path = preparePath(recording.events);
  const known = path && toPathShape(path);
  return known === undefined ? [] : [{ recording, ...known }];
}

/** An even selection of about REMEMBERED paths, of all people. */
function remembered(people: readonly Drawn[]): readonly Drawn[] {
  const every = Math.max(1, people.length / REMEMBERED);
  return Array.from(
    { length: Math.floor(people.length / every) },
    (_, i) => people[Math.floor(i * every)] as Drawn,
  );
}

/**
 * The service's memory of these paths, and a visitor's origin: `networkOf` gives the network of
 * each.
 */
function remember<Network>(held: readonly Drawn[], networkOf: (recording: Recording) => Network) {
  const numbers = new Map(
    [...new Set(held.map(({ recording }) => networkOf(recording)))].map((it, at) => [it, at]),
  );
  const memory = createPathMemory({ perSite: held.length, inAll: held.length });
  const originOf = ({ recording }: Drawn) => ({
    networks: [numbers.get(networkOf(recording)) ?? numbers.size],
    era: 0,
    nowMs: 0,
  });
  for (const drawn of held) memory.record(SITE, [drawn.shape], originOf(drawn));
  return { memory, originOf };
}

/**
 * Share of the paths near those of several other people, each counted as a network of their own, on
 * a full site.
 */
function shareInCommon(some: readonly Drawn[], people: readonly Drawn[]): number {
  const { memory, originOf } = remember(remembered(people), ({ subject }) => subject);
  const isCommon = (drawn: Drawn): boolean =>
    memory.networksNear(SITE, [drawn.shape], originOf(drawn)) >= COMMON_NETWORKS;
  return share(some.filter(isCommon).length, some.length);
}

/**
 * For each collection: people's paths on a full site that remembers only others of that collection,
 * and the share of all paths that `trajectory_replayed` asks about.
 */
export function measureMemory(recordings: readonly Recording[]) {
  const humans = recordings.filter(({ kind }) => kind === "human");
  return [...Map.groupBy(humans, ({ source }) => source)].map(([source, paths]) => {
    const shapes = paths.flatMap(draw);
    const { memory, originOf } = remember(remembered(shapes), ({ subject }) => subject);
    const isNear = (drawn: Drawn): boolean =>
      drawn.isOwn && memory.nearest(SITE, [drawn.shape], originOf(drawn)) !== undefined;
    const isCommon = (drawn: Drawn): boolean =>
      memory.networksNear(SITE, [drawn.shape], originOf(drawn)) >= COMMON_NETWORKS;
    const near = shapes.filter(isNear);
    return {
      ...{ source, paths: paths.length },
      compared: share(shapes.length, paths.length),
      near: share(near.length, paths.length),
      common: share(shapes.filter(isCommon).length, paths.length),
    };
  });
}

/**
 * How well the service's memory recognises replays: people's paths against all paths of other
 * people (near ones are chance), and each program that replays recordings against all paths of
 * people. Distances are in lines from start to end.
 */
export function measureReplays(recordings: readonly Recording[], close: number) {
  const some = recordings.filter((it) => it.kind === "human" || isReplay(it));
  const drawn = some.flatMap(draw);
  const people = drawn.filter(({ recording }) => recording.kind === "human");
  const { memory, originOf } = remember(
    people.filter(({ isOwn }) => isOwn),
    (recording) => recording,
  );
  const distanceOf = (one: Drawn): number =>
    memory.nearest(SITE, [one.shape], originOf(one)) ?? Number.POSITIVE_INFINITY;
  const row = (name: string, isOf: (recording: Recording) => boolean) => {
    const shapes = drawn.filter(({ recording }) => isOf(recording));
    const found = shapes.filter(({ isOwn }) => isOwn).map(distanceOf);
    return {
      name,
      paths: some.filter(isOf).length,
      with_curve: found.length,
      within_reach: share(found.filter((distance) => distance <= SHAPE_REACH).length, found.length),
      close: share(found.filter((distance) => distance <= close).length, found.length),
      nearest: quantile(found, 0),
      common: shareInCommon(shapes, people),
    };
  };
  const programs = new Set(
    some.filter(({ kind }) => kind === "bot").map(({ generator }) => generator),
  );
  return [
    row("people", ({ kind }) => kind === "human"),
    ...[...programs].map((name) =>
      row(name, ({ kind, generator }) => kind === "bot" && generator === name),
    ),
  ];
}
