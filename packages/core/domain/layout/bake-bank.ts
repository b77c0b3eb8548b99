import { createScene, READS_PER_SCENE } from "./create-scene.ts";
import { judgeLayout } from "./judge-layout.ts";
import { agreeOn, type BankScene, ENGINES, type Engine, isWorthAsking } from "./layout-bank.ts";
import type { Random } from "./scene-styles.ts";

/** What one browser, at one pixel ratio, answered to scenes in their order: 16 bytes each. */
export type AskedBrowser = { readonly engine: Engine; readonly reads: Uint8Array };

/** Fewer scenes are not worth asking: a list of answers to them is soon made. */
export const FEWEST_SCENES = 500;
/** Fewest reads of a scene on which all engines that were asked agree. */
const MIN_COMMON = 6;

/** That many random scenes; `random` must be one that nobody can tell, for a bank that is used. */
export function createScenes(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => createScene(random));
}

/** Whether enough counts in it for each engine that was asked, and enough is alike in all of them. */
function isUseful(scene: BankScene): boolean {
  const isKept = Object.values(scene.answers).every(isWorthAsking);
  // Whoever claims no engine that is known is held against what all have in common.
  return isKept && judgeLayout([scene], new Uint8Array(READS_PER_SCENE), undefined).kept >= MIN_COMMON;
}

function answersTo(text: string, at: number, asked: readonly AskedBrowser[]): BankScene {
  const read = ({ reads }: AskedBrowser) => reads.slice(READS_PER_SCENE * at, READS_PER_SCENE * (at + 1));
  const byEngine = ENGINES.flatMap((engine) => {
    const own = asked.filter((browser) => browser.engine === engine).map(read);
    return own.length === 0 ? [] : [[engine, agreeOn(text, own)] as const];
  });
  return { text, answers: Object.fromEntries(byEngine) };
}

/** The scenes that are worth asking, with what each engine answered; those of which too little is alike in all engines are left out. */
export function bakeScenes(texts: readonly string[], asked: readonly AskedBrowser[]): BankScene[] {
  return texts.map((text, at) => answersTo(text, at, asked)).filter(isUseful);
}

/**
 * The scenes with what one more browser answered to them, 16 bytes each; those that are no longer worth asking are left out. Where
 * its engine was asked before, what it answers differently counts no more: answers are never replaced, only dropped.
 */
export function addAnswers(scenes: readonly BankScene[], { engine, reads }: AskedBrowser): BankScene[] {
  return scenes
    .map(({ text, answers }, at) => {
      const own = reads.slice(READS_PER_SCENE * at, READS_PER_SCENE * (at + 1));
      const known = answers[engine];
      const agreed = known === undefined ? agreeOn(text, [own]) : agreeOn(text, [known.reads, own]);
      const kept = known === undefined ? agreed.kept : agreed.kept & known.kept;
      return { text, answers: { ...answers, [engine]: { reads: agreed.reads, kept } } };
    })
    .filter(isUseful);
}
