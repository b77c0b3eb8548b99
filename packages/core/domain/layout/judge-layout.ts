import { READS_PER_SCENE } from "./create-scene.ts";
import { type BankScene, ENGINES, type Engine, type SceneAnswers } from "./layout-bank.ts";

/** How the reads of the scenes compare with the bank. */
export type LayoutComparison = {
  /** How many reads count, and how many of those match the engine that the visitor claims. */
  readonly kept: number;
  readonly right: number;
  /** Whether the answers clearly match another baked engine rather than the claimed one. */
  readonly isOtherEngine: boolean;
};

/** To tell two engines apart: the fewest reads on which they must differ, and by how many one must lead. */
const MIN_SPLITTING = 4;
const MIN_LEAD = 3;

/** The answers that all asked engines share, for browsers whose own engine was not asked. */
function commonAnswers({ answers }: BankScene): SceneAnswers | undefined {
  const [first, ...others] = ENGINES.flatMap((engine) => answers[engine] ?? []);
  if (first === undefined) return undefined;
  let { kept } = first;
  for (const other of others) {
    kept &= other.kept;
    for (let index = 0; index < READS_PER_SCENE; index++) {
      if (other.reads[index] !== first.reads[index]) kept &= ~(1 << index);
    }
  }
  return { reads: first.reads, kept };
}

/** Of the reads that count for both engines and that they answer differently, how many match each engine. */
function compareEngines(read: Uint8Array, own: SceneAnswers, other: SceneAnswers) {
  const count = { splitting: 0, own: 0, other: 0 };
  for (let index = 0; index < READS_PER_SCENE; index++) {
    const isKept = ((own.kept & other.kept) >> index) & 1;
    if (!isKept || own.reads[index] === other.reads[index]) continue;
    count.splitting++;
    if (read[index] === own.reads[index]) count.own++;
    if (read[index] === other.reads[index]) count.other++;
  }
  return count;
}

function isOtherEngine(scenes: readonly BankScene[], reads: Uint8Array, claimed: Engine): boolean {
  return ENGINES.some((engine) => {
    const sum = { splitting: 0, own: 0, other: 0 };
    scenes.forEach(({ answers }, at) => {
      const own = answers[claimed];
      const other = answers[engine];
      if (engine === claimed || own === undefined || other === undefined) return;
      const found = compareEngines(reads.subarray(READS_PER_SCENE * at), own, other);
      sum.splitting += found.splitting;
      sum.own += found.own;
      sum.other += found.other;
    });
    return sum.splitting >= MIN_SPLITTING && sum.other - sum.own >= MIN_LEAD;
  });
}

/** Compares `reads` (16 bytes per scene) with the bank's scenes. `claimed` is undefined for an unknown engine. */
export function judgeLayout(
  scenes: readonly BankScene[],
  reads: Uint8Array,
  claimed: Engine | undefined,
): LayoutComparison {
  let kept = 0;
  let right = 0;
  scenes.forEach((scene, at) => {
    const known = (claimed && scene.answers[claimed]) ?? commonAnswers(scene);
    for (let index = 0; known !== undefined && index < READS_PER_SCENE; index++) {
      if (((known.kept >> index) & 1) === 0) continue;
      kept++;
      if (reads[READS_PER_SCENE * at + index] === known.reads[index]) right++;
    }
  });
  return { kept, right, isOtherEngine: claimed !== undefined && isOtherEngine(scenes, reads, claimed) };
}
