import { countNetworksNear, nearestDistance } from "@stile/core/domain/visitor/nearest-path";
import { quantile } from "@stile/risk/training/measures";
import type { Recording } from "@stile/risk/training/read-examples";
import { COMMON_NETWORKS, SHAPE_LENGTH, SHAPE_REACH, toPathShape } from "@stile/risk/trajectory/path-shape";
import { preparePath } from "@stile/risk/trajectory/segment";
import { isReplay } from "./recordings.ts";

type Drawn = { readonly recording: Recording; readonly shape: Int8Array; readonly isOwn: boolean };

/** Paths that a site remembers at most: how many others drew about the same depends on it. */
const REMEMBERED = 5_000;

const share = (part: number, whole: number): number => Number((part / Math.max(1, whole)).toFixed(4));

function draw(recording: Recording): Drawn[] {
  const path = preparePath(recording.events);
  const known = path && toPathShape(path);
  return known === undefined ? [] : [{ recording, ...known }];
}

/** Every so many-eth path, so that about REMEMBERED are left, of all people. */
function remembered(people: readonly Drawn[]): readonly Drawn[] {
  const every = Math.max(1, people.length / REMEMBERED);
  return Array.from({ length: Math.floor(people.length / every) }, (_, i) => people[Math.floor(i * every)] as Drawn);
}

function flatten(drawn: readonly Drawn[]): Int8Array {
  const flat = new Int8Array(drawn.length * SHAPE_LENGTH);
  drawn.forEach(({ shape }, index) => void flat.set(shape, index * SHAPE_LENGTH));
  return flat;
}

/** Share of the paths that lie near those of several other people, each taken for a network of their own, on a site that is full. */
function shareInCommon(some: readonly Drawn[], people: readonly Drawn[]): number {
  const held = remembered(people);
  const flat = flatten(held);
  const names = new Map([...new Set(held.map(({ recording }) => recording.subject))].map((name, i) => [name, i]));
  const isCommon = ({ shape, recording }: Drawn): boolean => {
    const networkAt = (index: number): number | undefined => {
      const name = held[index]?.recording.subject ?? "";
      return name === recording.subject ? undefined : names.get(name);
    };
    return countNetworksNear(shape, flat, held.keys(), networkAt) >= COMMON_NETWORKS;
  };
  return share(some.filter(isCommon).length, some.length);
}

/**
 * How well replays are known again: people's paths against the paths of all other people (whose nearness is chance), and
 * each program that plays recordings against all paths of people. Distances in lines from start to end.
 */
export function measureReplays(recordings: readonly Recording[], close: number) {
  const some = recordings.filter((it) => it.kind === "human" || isReplay(it));
  const drawn = some.flatMap(draw);
  const people = drawn.filter(({ recording }) => recording.kind === "human");
  const own = people.filter(({ isOwn }) => isOwn);
  const flat = flatten(own);
  const distances = (from: readonly Drawn[]): number[] =>
    from.map(({ shape, recording }) => {
      const isOther = (index: number): boolean => own[index]?.recording !== recording;
      return nearestDistance(shape, flat, own.keys(), isOther) ?? Number.POSITIVE_INFINITY;
    });
  const row = (name: string, isOf: (recording: Recording) => boolean) => {
    const shapes = drawn.filter(({ recording }) => isOf(recording));
    const found = distances(shapes.filter(({ isOwn }) => isOwn));
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
  const programs = new Set(some.filter(({ kind }) => kind === "bot").map(({ generator }) => generator));
  return [
    row("people", ({ kind }) => kind === "human"),
    ...[...programs].map((name) => row(name, ({ kind, generator }) => kind === "bot" && generator === name)),
  ];
}
