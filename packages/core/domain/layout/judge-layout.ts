import { READS_PER_SCENE } from "./create-scene.ts";
import { type BankScene, ENGINES, type Engine, type SceneAnswers } from "./layout-bank.ts";

/** What was read of the scenes, held against the bank. */
export type LayoutFinding = {
  /** Reads that count, and how many of them are as the engine that the visitor claims answers. */
  readonly kept: number;
  readonly right: number;
  /** Whether the answers are clearly those of another engine that was asked than of the one that is claimed. */
  readonly isOtherEngine: boolean;
};

/** Reads on which two engines differ that are asked for at least, and by how many one must lead. */
const MIN_SPLITTING = 4;
const MIN_LEAD = 3;

/** What all engines that were asked answer alike: what a browser is held against whose own engine was not asked. */
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

/** Of the reads that count for both and that they answer differently, how many are as each has them. */
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

/** Holds `reads`, 16 bytes a scene, against what is known of those scenes. `claimed` is undefined for an engine nobody knows. */
export function judgeLayout(
  scenes: readonly BankScene[],
  reads: Uint8Array,
  claimed: Engine | undefined,
): LayoutFinding {
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
