import { createRandom, seedOf } from "@stile/risk/seeded-random";
import type { HeldOut } from "./cross-validation.ts";

/** Several paths of one person or program, scored together as `scoreVisit` does. */
export type Visit = HeldOut & {
  /** How many of its paths the model scored. */
  readonly paths: number;
};

function bySource(scored: readonly HeldOut[]): HeldOut[][] {
  const sources = new Map<string, HeldOut[]>();
  for (const path of scored) {
    const { generator, subject, device } = path.origin;
    const source = path.isBot ? generator : `${subject} ${device?.name}`;
    const known = sources.get(source);
    if (known === undefined) sources.set(source, [path]);
    else known.push(path);
  }
  return [...sources.values()];
}

function toVisit(parts: readonly HeldOut[]): Visit[] {
  const [first] = parts;
  if (first === undefined) return [];
  const scores = parts.map(({ score }) => score).filter(Number.isFinite);
  const sum = scores.reduce((total, score) => total + score, 0);
  return [
    {
      ...first,
      paths: scores.length,
      score: scores.length === 0 ? Number.NEGATIVE_INFINITY : sum / scores.length,
    },
  ];
}

/**
 * Visits of that many paths each, of one person on one device or of one program, with the mean
 * score of the scored paths. `rounds` combines the same paths in that many ways.
 */
export function toVisits(scored: readonly HeldOut[], paths: number, rounds = 1): Visit[] {
  const random = createRandom(seedOf("visits"));
  const sources = bySource(scored);
  const visits: Visit[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const source of sources) {
      const shuffled = source.map((path) => ({ path, at: random() })).sort((a, b) => a.at - b.at);
      for (let i = 0; i + paths <= shuffled.length; i += paths) {
        visits.push(...toVisit(shuffled.slice(i, i + paths).map(({ path }) => path)));
      }
    }
  }
  return visits;
}
