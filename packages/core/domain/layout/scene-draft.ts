import { createScene } from "./create-scene.ts";
import type { Random } from "./scene-styles.ts";

/** Scenes that a browser is asked before anybody else: what they are made of, kept by who asks. */
export type SceneDraft = {
  /** Version of the bank that they come after; 0 if there is none. */
  readonly after: number;
  readonly drawnAtMs: number;
  /** What new scenes are drawn from, secret; undefined where they are that bank's. */
  readonly seed: string | undefined;
};

/** Scenes of a draft that are drawn: a fifth falls away where engines differ. */
export const DRAWN_SCENES = 2000;

const BLOCK_BYTES = 32;

/** Numbers that follow from the seed, and that nobody can tell without it; `digest` is SHA-256. */
function createSecretRandom(digest: (text: string) => Uint8Array, seed: string): Random {
  let block: DataView | undefined;
  let at = BLOCK_BYTES;
  let blocks = 0;
  return () => {
    if (at === BLOCK_BYTES) {
      const { buffer, byteOffset } = digest(`${seed} ${blocks++}`);
      block = new DataView(buffer, byteOffset, BLOCK_BYTES);
      at = 0;
    }
    at += 4;
    return (block?.getUint32(at - 4) ?? 0) / 2 ** 32;
  };
}

/** The scene with that number of those that are drawn from the seed; each can be had without the others. */
export function drawScene(digest: (text: string) => Uint8Array, seed: string, number: number): string {
  return createScene(createSecretRandom(digest, `${seed} ${number}`));
}
