import { seedOf } from "@stile/risk/seeded-random";
import type { Recording } from "./read-examples.ts";

const MAX_FOLDS = 10;

/**
 * The least number of people: a model, its calibration and its evaluation each need different ones.
 */
const MIN_PEOPLE = 4;

/** The number of parts, and in which of them a recording is. */
export type Folds = { readonly count: number; readonly of: (recording: Recording) => number };

/**
 * Divides recordings into parts with about as many people each; all paths of a person are in the
 * same part. Throws if there are fewer than MIN_PEOPLE people, or no program.
 */
export function createFolds(recordings: readonly Recording[]): Folds {
  const people = [
    ...new Set(recordings.filter(({ kind }) => kind === "human").map(({ subject }) => subject)),
  ];
  if (people.length < MIN_PEOPLE)
    throw new Error(`paths of ${MIN_PEOPLE} people are needed; here are ${people.length}`);
  if (!recordings.some(({ kind }) => kind === "bot"))
    throw new Error("paths of programs are needed; here are none");
  const count = Math.min(MAX_FOLDS, people.length);
  const shuffled = people.sort((a, b) => seedOf(a) - seedOf(b) || (a < b ? -1 : 1));
  const foldOfPerson = new Map(shuffled.map((subject, index) => [subject, index % count]));
  return {
    count,
    of: ({ kind, generator, subject }) =>
      kind === "bot" ? seedOf(`${generator} ${subject}`) % count : (foldOfPerson.get(subject) ?? 0),
  };
}
