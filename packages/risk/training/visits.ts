import { createRandom, seedOf } from "../seeded-random.ts";
import type { HeldOut } from "./cross-validation.ts";

function bySource(judged: readonly HeldOut[]): HeldOut[][] {
  const sources = new Map<string, HeldOut[]>();
  for (const path of judged) {
    const source = path.isBot ? path.example.generator : path.example.subject;
    const known = sources.get(source);
    if (known === undefined) sources.set(source, [path]);
    else known.push(path);
  }
  return [...sources.values()];
}

/**
 * Visits of so many paths each, of one person or of one program, with the mean of their scores: what `judgeVisit` makes of
 * several paths. `rounds` puts the same paths together in that many ways.
 */
export function toVisits(judged: readonly HeldOut[], paths: number, rounds = 1): HeldOut[] {
  const random = createRandom(seedOf("visits"));
  const sources = bySource(judged);
  const visits: HeldOut[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const source of sources) {
      const shuffled = source.map((path) => ({ path, at: random() })).sort((a, b) => a.at - b.at);
      for (let i = 0; i + paths <= shuffled.length; i += paths) {
        const parts = shuffled.slice(i, i + paths).map(({ path }) => path);
        const [first] = parts;
        const score = parts.reduce((sum, part) => sum + part.score, 0) / paths;
        if (first !== undefined) visits.push({ ...first, score });
      }
    }
  }
  return visits;
}
