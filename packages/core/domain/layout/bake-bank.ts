import { createScene, READS_PER_SCENE } from "./create-scene.ts";
import { judgeLayout } from "./judge-layout.ts";
import { agreeOn, type BankScene, ENGINES, type Engine, isWorthAsking } from "./layout-bank.ts";
import type { Random } from "./scene-styles.ts";

/** What one browser, at one pixel ratio, answered to the scenes in their order: 16 bytes each. */
export type AskedBrowser = { readonly engine: Engine; readonly reads: Uint8Array };

/** A bank needs at least this many scenes: a list of answers to fewer is soon collected. */
export const FEWEST_SCENES = 500;
/** The fewest reads of a scene on which all asked engines must agree. */
const MIN_COMMON = 6;

/** Draws `count` scenes. For a bank that is used, `random` must be unpredictable. */
export function createScenes(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => createScene(random));
}

/** Whether enough reads count for each asked engine, and enough are the same in all of them. */
function isUseful(scene: BankScene): boolean {
  const isKept = Object.values(scene.answers).every(isWorthAsking);
  // A browser of an unknown engine is compared with what all engines have in common.
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

/** The scenes that are worth asking, with each engine's answers; without those on which engines agree too little. */
export function bakeScenes(texts: readonly string[], asked: readonly AskedBrowser[]): BankScene[] {
  return texts.map((text, at) => answersTo(text, at, asked)).filter(isUseful);
}

/**
 * Adds the answers of one more browser (16 bytes per scene) and drops scenes that are no longer worth asking. If its
 * engine was asked before, reads that it answers differently stop counting: answers are dropped, never replaced.
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
