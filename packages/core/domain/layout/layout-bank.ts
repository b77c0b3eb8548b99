import { READS_PER_SCENE } from "./create-scene.ts";

/** Engine families; the browsers of a family lay out alike. */
export const ENGINES = ["blink", "gecko", "webkit"] as const;
/** One of the families. */
export type Engine = (typeof ENGINES)[number];

/** An engine's answers to the reads of a scene, a byte each. Bit i of `kept` says whether read i counts. */
export type SceneAnswers = { readonly reads: Uint8Array; readonly kept: number };

/** A scene, with the answers of the engines that were asked. */
export type BankScene = {
  readonly text: string;
  readonly answers: { readonly [Name in Engine]?: SceneAnswers };
};

/** The installation's scenes; their index is their number. Secret: with the answers, a bot needs no browser. */
export type LayoutBank = {
  /** Identifies this bank among those of the installation, u16. */
  readonly version: number;
  /** When an engine's answers were last added, epoch ms. The bank has been in use since then. */
  readonly bakedAtMs: number;
  /** When its scenes were drawn: the earliest moment at which somebody could begin to collect them. */
  readonly drawnAtMs: number;
  readonly scenes: readonly BankScene[];
};

/** How many scenes come with one challenge. */
export const SCENES_PER_CHALLENGE = 3;
/** A scene is kept only if at least this many of its reads count. */
const MIN_KEPT = 6;

/** The engines that have answered at least one scene of the bank. */
export function enginesIn({ scenes }: Pick<LayoutBank, "scenes">): Engine[] {
  return ENGINES.filter((engine) => scenes.some(({ answers }) => answers[engine] !== undefined));
}

/** Whether a read says nothing: no element, the root, or an edge at 0. */
function isTrivial(scene: string, index: number, value: number): boolean {
  if (value === 0) return true;
  const [, reads = ""] = scene.split("\n");
  return value === 1 && reads.split(" ")[index]?.startsWith("h") === true;
}

/** Combines all answers of one engine, at any pixel ratio: reads that differ between them do not count. */
export function agreeOn(scene: string, asked: readonly Uint8Array[]): SceneAnswers {
  const [reads = new Uint8Array(READS_PER_SCENE), ...others] = asked;
  let kept = 0;
  for (let index = 0; index < READS_PER_SCENE; index++) {
    const value = reads[index] ?? 0;
    const isKept = !isTrivial(scene, index, value) && others.every((other) => other[index] === value);
    if (isKept) kept |= 1 << index;
  }
  return { reads, kept };
}

const countBits = (mask: number): number => mask.toString(2).replaceAll("0", "").length;

/** Whether enough of the answers count for the scene to be given to visitors. */
export const isWorthAsking = ({ kept }: SceneAnswers): boolean => countBits(kept) >= MIN_KEPT;

/** The numbers of the scenes for a challenge, without repeats, from 32 bytes that nobody can predict. */
export function chooseScenes(bank: LayoutBank, bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chosen: number[] = [];
  for (let at = 0; chosen.length < Math.min(SCENES_PER_CHALLENGE, bank.scenes.length); at++) {
    let number = view.getUint32((4 * at) % 32, true) % bank.scenes.length;
    while (chosen.includes(number)) number = (number + 1) % bank.scenes.length;
    chosen.push(number);
  }
  return chosen;
}

/** What is sent to a page (D8): the bank's version, then the three lines of each scene. */
export function toScenesText(bank: LayoutBank, numbers: readonly number[]): string {
  return [bank.version, ...numbers.map((number) => bank.scenes[number]?.text)].join("\n");
}
