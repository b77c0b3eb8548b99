import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { packScenes, toLayoutBank } from "./layout-content.ts";

const READS = Uint8Array.from({ length: 16 }, (_, index) => index);
const SCENES = [{ text: "<a>", answers: { blink: { reads: READS, kept: 0xfffe } } }];

test("a bank is read as it was packed, with when its scenes were drawn", () => {
  const content = packScenes({ bakedAtMs: 9, drawnAtMs: 4, scenes: SCENES });
  const bank = { version: 3, bakedAtMs: 9, drawnAtMs: 4, scenes: SCENES };
  assert.deepEqual(toLayoutBank({ version: 3, bakedAtMs: 9, content }), bank);
});

test("a bank of before that time was kept is as old as its baking", () => {
  const packed = [["<a>", [["blink", Buffer.from(READS).toString("base64"), 0xfffe]]]];
  const content = gzipSync(JSON.stringify(packed));
  const bank = { version: 3, bakedAtMs: 9, drawnAtMs: 9, scenes: SCENES };
  assert.deepEqual(toLayoutBank({ version: 3, bakedAtMs: 9, content }), bank);
});
