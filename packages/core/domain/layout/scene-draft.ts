import { createScene } from "./create-scene.ts";
import type { Random } from "./scene-styles.ts";

/** Scenes that a browser answers before visitors see them. The browser keeps this draft, from which they are remade. */
export type SceneDraft = {
  /** Version of the bank that these scenes follow; 0 if there is none. */
  readonly after: number;
  readonly drawnAtMs: number;
  /** The secret from which new scenes are drawn; undefined if they are those of that bank. */
  readonly seed: string | undefined;
};

/** How many scenes a draft draws; about a seventh is dropped once two engines have answered, because they differ. */
export const DRAWN_SCENES = 2000;

const BLOCK_BYTES = 32;

/** Numbers derived from the seed, and unpredictable without it. `digest` is SHA-256. */
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

/** The scene of that number, drawn from the seed without drawing the others. */
export function drawScene(digest: (text: string) => Uint8Array, seed: string, number: number): string {
  return createScene(createSecretRandom(digest, `${seed} ${number}`));
}
