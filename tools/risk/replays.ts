import { nearestDistance } from "@stile/core/domain/visitor/nearest-path";
import { quantile } from "@stile/risk/training/measures";
import type { Recording } from "@stile/risk/training/read-examples";
import { SHAPE_LENGTH, SHAPE_REACH, toPathShape } from "@stile/risk/trajectory/path-shape";
import { preparePath } from "@stile/risk/trajectory/segment";
import { isReplay } from "./recordings.ts";

type Drawn = { readonly recording: Recording; readonly shape: Int8Array | undefined };

const share = (part: number, whole: number): number => Number((part / Math.max(1, whole)).toFixed(4));

function draw(recording: Recording): Drawn {
  const path = preparePath(recording.events);
  return { recording, shape: path && toPathShape(path) };
}

/**
 * How well replays are known again: people's paths against the paths of all other people (whose nearness is chance), and
 * each program that plays recordings against all paths of people. Distances in lines from start to end.
 */
export function measureReplays(recordings: readonly Recording[], close: number) {
  const drawn = recordings.filter((it) => it.kind === "human" || isReplay(it)).map(draw);
  const people = drawn.filter(({ recording, shape }) => recording.kind === "human" && shape !== undefined);
  const flat = new Int8Array(people.length * SHAPE_LENGTH);
  people.forEach(({ shape }, index) => void (shape && flat.set(shape, index * SHAPE_LENGTH)));
  const distances = (some: readonly Drawn[]): number[] =>
    some.flatMap(({ shape, recording }) => {
      const isOther = (index: number): boolean => people[index]?.recording !== recording;
      return shape === undefined
        ? []
        : (nearestDistance(shape, flat, people.keys(), isOther) ?? Number.POSITIVE_INFINITY);
    });
  const row = (name: string, some: readonly Drawn[]) => {
    const found = distances(some);
    return {
      name,
      paths: some.length,
      with_curve: found.length,
      within_reach: share(found.filter((distance) => distance <= SHAPE_REACH).length, found.length),
      close: share(found.filter((distance) => distance <= close).length, found.length),
      nearest: quantile(found, 0),
    };
  };
  const programs = Map.groupBy(
    drawn.filter(({ recording }) => recording.kind === "bot"),
    ({ recording }) => recording.generator,
  );
  return [
    row(
      "people",
      drawn.filter(({ recording }) => recording.kind === "human"),
    ),
    ...[...programs].map(([name, some]) => row(name, some)),
  ];
}
