import assert from "node:assert/strict";
import { test } from "node:test";
import { seedNumber } from "./fixtures/vectors.ts";
import { listPermutations } from "./permutations.ts";
import {
  generatePrograms,
  INSTRUCTION_BYTES,
  INSTRUCTIONS,
  NUMBERS,
  PROGRAM_BYTES,
  PROGRAMS,
  programsOf,
  scratchpadOffset,
  TABLE_BYTES,
} from "./program.ts";
import { seedWordsOf, toU64 } from "./seed-words.ts";
import { drawNumbers } from "./sip-generator.ts";

type Instruction = { operation: number; target: number; source: number; immediate: number };

const readPrograms = (table: Uint8Array): Instruction[][] =>
  Array.from({ length: PROGRAMS }, (_, program) =>
    Array.from({ length: INSTRUCTIONS }, (_, place) => {
      const at = PROGRAM_BYTES * program + INSTRUCTION_BYTES * place;
      const [operation, target, source, immediate] = table.subarray(at, at + 4);
      return { operation, target, source, immediate } as Instruction;
    }),
  );

const tableOf = (number: number): Uint8Array => generatePrograms(seedWordsOf(seedNumber(number)));
const PROGRAMS_OF_MANY = Array.from({ length: 300 }, (_, number) =>
  readPrograms(tableOf(number)),
).flat();

/** One program from its 16 numbers, following the design's text, with bigints. */
function referenceProgram(g: readonly bigint[]): Instruction[] {
  const number = (i: number): bigint => g[i] as bigint;
  const low = (i: number): number => Number(number(i) & 0xffff_ffffn);
  const high = (i: number): number => Number(number(i) >> 32n);
  const d = [0];
  for (let i = 1; i <= 7; i++) {
    d[i] = i;
    const j = high(i - 1) % (i + 1);
    d[i] = d[j] as number;
    d[j] = i;
  }
  const p = listPermutations()[Number(number(7) % 625n)] as readonly number[];
  const xasOperations = new Map([1, 3, 5, 7].map((place, i) => [place, low(2 * i) % 9]));
  const mulOperations = new Map([2, 4, 6].map((place, i) => [place, low(2 * i + 1) % 3]));
  return Array.from({ length: 8 }, (_, place) => {
    const xas = xasOperations.get(place);
    const mul = mulOperations.get(place);
    const g8 = number(8 + place);
    return {
      operation: xas ?? mul ?? 0,
      target: d[place] as number,
      source: place > 0 ? (d[p[place] as number] as number) : number(7) % 2n === 0n ? 8 : 9,
      immediate:
        mul !== undefined
          ? ([1, 9, 33][Number(g8 % 3n)] as number)
          : 1 + Number(g8 % (xas === undefined || xas < 3 ? 63n : 3n)),
    };
  });
}

test("derives every instruction from its numbers as the design does", () => {
  for (let number = 0; number < 50; number++) {
    const words = seedWordsOf(seedNumber(number));
    const drawn = new Int32Array(2 * NUMBERS);
    drawNumbers({ keys: words, keyAt: 0, saltLow: -1, saltHigh: -1 }, drawn, 0, NUMBERS);
    const g = Array.from({ length: NUMBERS }, (_, i) =>
      toU64(drawn[2 * i] as number, drawn[2 * i + 1] as number),
    );
    const expected = Array.from({ length: PROGRAMS }, (_, i) =>
      referenceProgram(g.slice(16 * i, 16 * i + 16)),
    );
    assert.deepEqual(readPrograms(generatePrograms(words)), expected);
    assert.deepEqual(programsOf(drawn), generatePrograms(words));
  }
});

test("makes programs from the greatest and the least numbers too", () => {
  for (const word of [0, -1, 0x7fff_ffff, -0x8000_0000]) {
    const g = new Array<bigint>(16).fill(toU64(word, word));
    const [first, last] = [0, PROGRAMS - 1].map(
      (i) => readPrograms(programsOf(new Int32Array(2 * NUMBERS).fill(word)))[i],
    );
    assert.deepEqual(first, referenceProgram(g));
    assert.deepEqual(last, first);
  }
});

test("lets no two instructions of a program write the same register, so that the branch flag outlives the loop", () => {
  for (const program of PROGRAMS_OF_MANY) {
    assert.deepEqual(program.map(({ target }) => target).sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
  }
});

test("uses every operation, source and immediate of its kind, and no other", () => {
  const seen = (places: readonly number[], field: keyof Instruction): number[] => {
    const values = PROGRAMS_OF_MANY.flatMap((program) =>
      places.map((place) => (program[place] as Instruction)[field]),
    );
    return [...new Set(values)].sort((a, b) => a - b);
  };
  const upTo = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i);
  assert.deepEqual(seen([0], "operation"), [0]);
  assert.deepEqual(seen([2, 4, 6], "operation"), upTo(0, 2));
  assert.deepEqual(seen([1, 3, 5, 7], "operation"), upTo(0, 8));
  assert.deepEqual(seen([0], "source"), [8, 9]);
  assert.deepEqual(seen(upTo(1, 7), "source"), upTo(0, 7));
  assert.deepEqual(seen([0], "immediate"), upTo(1, 63));
  assert.deepEqual(seen([2, 4, 6], "immediate"), [1, 9, 33]);
  assert.deepEqual(seen([1, 3, 5, 7], "immediate"), upTo(1, 63));
});

test("derives other programs from each bit of the first half of a seed, and none from the second half", () => {
  const seed = seedNumber(1);
  const table = Buffer.from(tableOf(1));
  for (let bit = 0; bit < 256; bit++) {
    const flipped = Uint8Array.from(seed);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.equal(table.equals(generatePrograms(seedWordsOf(flipped))), bit >= 128, `bit ${bit}`);
  }
});

test("fills each of the 256 places of the scratchpad once in the first phase", () => {
  const offsets = Array.from({ length: PROGRAMS * 8 }, (_, i) => scratchpadOffset(i >> 3, i & 7));
  assert.deepEqual(
    offsets.sort((a, b) => a - b),
    Array.from({ length: 256 }, (_, i) => 8 * i),
  );
  assert.equal(TABLE_BYTES, 1024);
});
