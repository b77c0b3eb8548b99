import { nearestDistance } from "@stile/core/domain/visitor/nearest-path";
import { quantile } from "@stile/risk/training/measures";
import type { Recording } from "@stile/risk/training/read-examples";
import { CURVE_LENGTH, CURVE_REACH, toCurve } from "@stile/risk/trajectory/curve";
import { preparePath } from "@stile/risk/trajectory/segment";
import { isReplay } from "./recordings.ts";

type Drawn = { readonly recording: Recording; readonly curve: Int8Array | undefined };

const share = (part: number, whole: number): number => Number((part / Math.max(1, whole)).toFixed(4));

function draw(recording: Recording): Drawn {
  const path = preparePath(recording.events);
  return { recording, curve: path && toCurve(path) };
}

/**
 * How well replays are known again: people's paths against the paths of all other people (whose nearness is chance), and
 * each program that plays recordings against all paths of people. Distances in lines from start to end.
 */
export function measureReplays(recordings: readonly Recording[], close: number) {
  const drawn = recordings.filter((it) => it.kind === "human" || isReplay(it)).map(draw);
  const people = drawn.filter(({ recording, curve }) => recording.kind === "human" && curve !== undefined);
  const flat = new Int8Array(people.length * CURVE_LENGTH);
  people.forEach(({ curve }, index) => void (curve && flat.set(curve, index * CURVE_LENGTH)));
  const distances = (some: readonly Drawn[]): number[] =>
    some.flatMap(({ curve, recording }) => {
      const isOther = (index: number): boolean => people[index]?.recording !== recording;
      return curve === undefined
        ? []
        : (nearestDistance(curve, flat, people.length, isOther) ?? Number.POSITIVE_INFINITY);
    });
  const row = (name: string, some: readonly Drawn[]) => {
    const found = distances(some);
    return {
      name,
      paths: some.length,
      with_curve: found.length,
      within_reach: share(found.filter((distance) => distance <= CURVE_REACH).length, found.length),
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
