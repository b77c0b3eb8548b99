import assert from "node:assert/strict";
import { test } from "node:test";
import { STYLES } from "./styles.ts";

type Palette = Readonly<Record<string, string>>;

const palettes: Palette[] = [...STYLES.matchAll(/--ground:[^}]*?color-scheme/g)].map(([text]) =>
  Object.fromEntries(
    [...text.matchAll(/--([a-z]+):(?:var\(--stile-\w+,)?(#[0-9a-f]+)/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  ),
);

function luminance(hex: string): number {
  const digits =
    hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g);
  const [red = 0, green = 0, blue = 0] = (digits ?? []).map((pair) => {
    const value = Number.parseInt(pair, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(palette: Palette, one: string, other: string): number {
  const [dark = 0, light = 0] = [
    luminance(palette[one] ?? ""),
    luminance(palette[other] ?? ""),
  ].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("computes the known contrast of black on white", () => {
  assert.equal(contrast({ ink: "#000", ground: "#ffffff" }, "ink", "ground"), 21);
});

test("gives every text and sign of every theme a contrast of at least 4.5 (WCAG 1.4.3, 1.4.11)", () => {
  assert.ok(palettes.length >= 3, "light, dark and contrast");
  for (const palette of palettes) {
    for (const text of ["ink", "quiet", "error", "accent"]) {
      assert.ok(contrast(palette, text, "ground") >= 4.5, `${text} on ${palette.ground}`);
    }
    assert.ok(contrast(palette, "ground", "accent") >= 4.5, "the tick on its disc");
  }
});

test("gives theme contrast at least 7 everywhere (WCAG 1.4.6)", () => {
  const palette = palettes.find(({ ground }) => ground === "#000") ?? {};
  for (const colour of ["ink", "quiet", "error", "accent"])
    assert.ok(contrast(palette, colour, "ground") >= 7, colour);
});

test("fetches nothing from the style sheet: no fonts, no pictures, no imports", () => {
  assert.doesNotMatch(STYLES, /url\(|@import|@font-face/);
});
