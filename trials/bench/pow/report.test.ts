import assert from "node:assert/strict";
import { test } from "node:test";
import { HASHWX_NAME } from "./contestants.ts";
import { quantile } from "./quantile.ts";
import { compareWithAims, type PowResults, toFigures } from "./report.ts";

const solves = Array.from({ length: 101 }, (_, i) => ({
  ms: 100 + i,
  hashes: 1000 + i,
  nonces: [],
}));
const results: PowResults = {
  rates: [
    { name: HASHWX_NAME, where: "browser", rounds: [800, 900.4, 850] },
    { name: "another", where: "browser", rounds: [5000] },
    { name: HASHWX_NAME, where: "node", rounds: [950] },
    { name: HASHWX_NAME, where: "native", rounds: [1000, 700] },
  ],
  solves,
  costs: { acceptUs: 250.04, rejectUs: 40.06, forgedUs: 3 },
};

test("reports exactly the agreed figures, with the best chunk of the run", () => {
  assert.deepEqual(toFigures(results), {
    browser_khs: 900,
    native_khs: 1000,
    browser_to_native: 0.9,
    p95_to_p50: 1.3,
    accept_us: 250,
    reject_us: 40.1,
    forged_us: 3,
    algorithms: [
      { name: HASHWX_NAME, where: "browser", khs: 900 },
      { name: "another", where: "browser", khs: 5000 },
      { name: HASHWX_NAME, where: "node", khs: 950 },
      { name: HASHWX_NAME, where: "native", khs: 1000 },
    ],
  });
});

test("reports null for rate and ratio without a native attacker, and the aim as not met", () => {
  const figures = toFigures({
    ...results,
    rates: results.rates.filter(({ where }) => where !== "native"),
  });
  assert.equal(figures.native_khs, null);
  assert.equal(figures.browser_to_native, null);
  assert.equal(
    compareWithAims(figures).find(({ figure }) => figure === "browser_to_native")?.met,
    "no",
  );
});

test("meets an aim at its limit and misses it beyond", () => {
  const met = Object.fromEntries(
    compareWithAims(toFigures(results)).map((row) => [row.figure, row.met]),
  );
  assert.deepEqual(met, {
    browser_to_native: "yes",
    p95_to_p50: "yes",
    accept_us: "yes",
    reject_us: "no",
    forged_us: "yes",
  });
  const [ratio] = compareWithAims({ ...toFigures(results), browser_to_native: 0.749 });
  assert.equal(ratio?.met, "no");
});

test("computes a quantile between its neighbours, whatever the order of the values", () => {
  assert.equal(quantile([3, 1, 2], 0.5), 2);
  assert.equal(quantile([4, 1, 2, 3], 0.5), 2.5);
  assert.equal(quantile([10, 0], 0.95), 9.5);
  assert.equal(quantile([7], 0.99), 7);
  assert.deepEqual([quantile([5, 9], 0), quantile([5, 9], 1)], [5, 9]);
  assert.ok(Number.isNaN(quantile([], 0.5)));
});
