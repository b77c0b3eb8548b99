import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  interpretedHash,
  nonceNumber,
  seedNumber,
  VECTORS,
} from "@stile/pow/hashwx/fixtures/vectors";
import { compileOnce } from "./compile-once.ts";
import { buildNative, findCompiler } from "./native.ts";

const compiler = findCompiler() ?? "";
const options = { skip: compiler === "" && "there is no C compiler" };
const directory = mkdtempSync(join(tmpdir(), "stile-native-"));
after(() => rmSync(directory, { recursive: true, force: true }));

test("the attacker's C computes the published vectors with every compiler option", options, () => {
  const builtOf = new Map<string, ReturnType<typeof buildNative>>();
  for (const { seed, nonce, hash } of VECTORS) {
    const name = Buffer.from(seed).toString("hex");
    const built = builtOf.get(name) ?? buildNative(compiler, seed, directory, name, compileOnce);
    builtOf.set(name, built);
    assert.ok(built.length > 0);
    for (const native of built) assert.deepEqual(native.hashes([nonce]), [hash]);
  }
});

test("C and interpreter agree on 1,000 nonces, small and of 64 bits", options, () => {
  const seed = seedNumber(7);
  const interpreted = interpretedHash(seed);
  const nonces = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? BigInt(i) : nonceNumber(i)));
  for (const native of buildNative(compiler, seed, directory, "many", compileOnce)) {
    assert.deepEqual(native.hashes(nonces), nonces.map(interpreted));
    assert.ok(native.measure(64, 4) > 0);
  }
});

test("refuses a build of another function", options, () => {
  const wrong = join(directory, "wrong-compiler");
  // Changes one constant of the generator, then compiles.
  writeFileSync(
    wrong,
    `#!/bin/sh\nfor source; do :; done\nsed -i 's/\\^= 0xbb;/^= 0xbc;/' "$source"\nexec ${compiler} "$@"\n`,
  );
  chmodSync(wrong, 0o755);
  assert.throws(
    () => buildNative(wrong, seedNumber(1), directory, "wrong"),
    /built another function/,
  );
});
