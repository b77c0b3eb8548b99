import { hash } from "node:crypto";

/**
 * The parts of a Cap challenge: `c` puzzles with salts of `s` and targets of `d` hexadecimal
 * digits.
 */
export type CapChallenge = { readonly c: number; readonly s: number; readonly d: number };

const FNV_OFFSET = 2_166_136_261;
const FNV_PRIME = 16_777_619;

/**
 * The hexadecimal digits that server and browser both derive from a seed: xorshift32, started with
 * the seed's FNV-1a.
 */
function drawDigits(seed: string, length: number): string {
  let state = FNV_OFFSET;
  for (let at = 0; at < seed.length; at++)
    state = Math.imul(state ^ seed.charCodeAt(at), FNV_PRIME);
  let digits = "";
  while (digits.length < length) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    digits += (state >>> 0).toString(16).padStart(8, "0");
  }
  return digits.slice(0, length);
}

/** The first number whose SHA-256, after the salt, begins with the target. */
function search(salt: string, target: string): number {
  for (let number = 0; ; number++)
    if (hash("sha256", `${salt}${number}`, "hex").startsWith(target)) return number;
}

/**
 * A browser's work for a challenge of Cap: 3.3 million hashes on average at its defaults, two to
 * four seconds here.
 */
export function solveCap(token: string, { c, s, d }: CapChallenge): number[] {
  return Array.from({ length: c }, (_, index) =>
    search(drawDigits(`${token}${index + 1}`, s), drawDigits(`${token}${index + 1}d`, d)),
  );
}
