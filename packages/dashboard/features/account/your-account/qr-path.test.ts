import assert from "node:assert/strict";
import { test } from "node:test";
import { toQrPath } from "./qr-path.ts";

/** Fills the rectangles of a path into rows, as a renderer would. */
function fill(path: string, side: number): string[] {
  const cells = Array.from({ length: side }, () => Array.from({ length: side }, () => "0"));
  for (const match of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    const [x = 0, y = 0, width = 0, back = 0] = match.slice(1).map(Number);
    assert.equal(width, back, "each rectangle is closed where it began");
    for (let i = 0; i < width; i++) (cells[y] as string[])[x + i] = "1";
  }
  return cells.map((row) => row.join(""));
}

test("draws exactly the dark modules, inside a blank border of four", () => {
  const rows = ["1101", "0000", "1111", "0110"];
  const { path, side } = toQrPath(rows);
  assert.equal(side, 12);
  const blank = "0".repeat(12);
  const expected = [
    blank,
    blank,
    blank,
    blank,
    ...rows.map((row) => `0000${row}0000`),
    blank,
    blank,
    blank,
    blank,
  ];
  assert.deepEqual(fill(path, side), expected);
});

test("has one rectangle per run and only characters of a path, so that no part of the secret becomes markup", () => {
  const { path } = toQrPath(['1"><script>1', "01010"]);
  assert.match(path, /^(M\d+ \d+h\d+v1h-\d+z)*$/);
  assert.equal(toQrPath(["01010"]).path, "M5 4h1v1h-1zM7 4h1v1h-1z");
  assert.equal(toQrPath([]).path, "");
});
