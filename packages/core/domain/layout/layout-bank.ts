import { READS_PER_SCENE } from "./create-scene.ts";

/** Engine families, each with the browsers that lay out alike. */
export const ENGINES = ["blink", "gecko", "webkit"] as const;
/** One of the families. */
export type Engine = (typeof ENGINES)[number];

/** What an engine answered to the reads of a scene, a byte each, and which of them count: bit i for read i. */
export type SceneAnswers = { readonly reads: Uint8Array; readonly kept: number };

/** A scene and what engines that were asked made of it. */
export type BankScene = {
  readonly text: string;
  readonly answers: { readonly [Name in Engine]?: SceneAnswers };
};

/** The installation's scenes; their order is their number. Secret: whoever has the answers needs no browser. */
export type LayoutBank = {
  /** Names this bank among those of the installation, u16. */
  readonly version: number;
  /** When an engine's answers were added last, epoch ms: since then the bank is given out. */
  readonly bakedAtMs: number;
  /** When its scenes were drawn: whoever collects scenes has had since then. */
  readonly drawnAtMs: number;
  readonly scenes: readonly BankScene[];
};

/** Scenes that come with one challenge. */
export const SCENES_PER_CHALLENGE = 3;
/** Fewest reads of a scene that must count for it to be kept. */
const MIN_KEPT = 6;

/** Engines of which the bank has answers to a scene at least. */
export function enginesIn({ scenes }: Pick<LayoutBank, "scenes">): Engine[] {
  return ENGINES.filter((engine) => scenes.some(({ answers }) => answers[engine] !== undefined));
}

/** A read that says nothing: no element, the root, or an edge at 0. */
function isTrivial(scene: string, index: number, value: number): boolean {
  if (value === 0) return true;
  const [, reads = ""] = scene.split("\n");
  return value === 1 && reads.split(" ")[index]?.startsWith("h") === true;
}

/** One engine's answers from all the times that it was asked, at whatever pixel ratios: what differs between them counts not. */
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

/** Whether enough of the answers counts for the scene to be asked of anybody. */
export const isWorthAsking = ({ kept }: SceneAnswers): boolean => countBits(kept) >= MIN_KEPT;

/** The numbers of the scenes that a challenge asks, from 32 bytes that nobody can tell before it; without repeats. */
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

/** What a page is sent (D8): the bank's number, then the three lines of each scene. */
export function toScenesText(bank: LayoutBank, numbers: readonly number[]): string {
  return [bank.version, ...numbers.map((number) => bank.scenes[number]?.text)].join("\n");
}
