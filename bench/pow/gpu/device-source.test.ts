import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { interpretedHash, nonceNumber, seedNumber, VECTORS } from "@stile/pow/hashwx/fixtures/vectors";
import { compileOnce } from "../compile-once.ts";
import { findCompiler } from "../native.ts";
import { type Manner, toDeviceSource } from "./device-source.ts";

const compiler = findCompiler() ?? "";
const options = { skip: compiler === "" && "there is no C compiler" };
const directory = mkdtempSync(join(tmpdir(), "stile-device-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** What CUDA has and C has not, for a card of one thread. */
const ONE_THREAD = `#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define __device__
#define __shared__
#define __constant__ static
static const struct { unsigned x; } blockDim = {1}, threadIdx = {0};
`;
const PRINT_HASHES = `
uint64_t shared_memory[SHARED_ROWS + 1];
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) printf("%016" PRIx64 "\\n", hash(strtoull(argv[i], NULL, 10)));
  return 0;
}
`;

let programs = 0;
function hashesOf(manner: Manner, seed: Uint8Array, nonces: readonly bigint[], flags: readonly string[]): bigint[] {
  const path = join(directory, `program-${programs++}`);
  compileOnce(compiler, ["-O1", ...flags], ONE_THREAD + toDeviceSource(manner, seed) + PRINT_HASHES, path);
  const printed = execFileSync(path, nonces.map(String), { encoding: "utf8" });
  return printed
    .trim()
    .split("\n")
    .map((line) => BigInt(`0x${line}`));
}

const PADS = { "in the card's memory": [], "in the multiprocessor's memory": ["-DPAD_IS_SHARED"] };

for (const [place, flags] of Object.entries(PADS)) {
  for (const manner of ["compiled", "interpreted"] as const) {
    test(`HashWX, ${manner}, scratchpad ${place}: the published vectors`, options, () => {
      for (const { seed, nonce, hash } of VECTORS) assert.deepEqual(hashesOf(manner, seed, [nonce], flags), [hash]);
    });

    test(`HashWX, ${manner}, scratchpad ${place}: every operation, as the solver's interpreter has it`, options, () => {
      const nonces = Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? BigInt(i) : nonceNumber(i)));
      for (const seed of [seedNumber(1), seedNumber(2)]) {
        assert.deepEqual(hashesOf(manner, seed, nonces, flags), nonces.map(interpretedHash(seed)));
      }
    });
  }
}

test("SHA-256 is algorithm 2: the first 8 bytes of the digest of seed and nonce, little endian", options, () => {
  const seed = seedNumber(3);
  const nonces = [0, 1, 255, 256, 65_535];
  const expected = nonces.map((nonce) => {
    const message = Buffer.alloc(36);
    message.set(seed);
    message.writeUInt32LE(nonce, 32);
    return createHash("sha256").update(message).digest().readBigUInt64LE();
  });
  assert.deepEqual(hashesOf("sha256", seed, nonces.map(BigInt), []), expected);
});
