import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMON_SQUARES, NEAR_SQUARES, SHAPE_BYTES } from "@stile/core/domain/visitor/nearest-path";
import type { PathOrigin } from "@stile/core/ports/visitor/visit-memory";
import { createRandom } from "@stile/risk/seeded-random";
import { COMMON_NETWORKS, SHAPE_REACH, UNITS_A_LINE } from "@stile/risk/trajectory/path-shape";
import { nearestDistance } from "@stile/testkit/visits/path-searches";
import { createPathMemory } from "./path-memory.ts";

const HOUR_MS = 3_600_000;
/** Paths so different that none is near another. */
const shape = (number: number): Int8Array =>
  Int8Array.from({ length: SHAPE_BYTES }, (_, i) => ((number >> (i % 12)) & 1) * 60 - 30);
const from = (network: number, nowMs = 0, era = 1) => ({ networks: [network], era, nowMs });
const create = () => createPathMemory({ perSite: 100, inAll: 1000 });

test("finds a path that another network drew at the site, but not at another site", () => {
  const memory = create();
  memory.record("pk_1", [shape(7)], from(1));
  assert.equal(memory.nearest("pk_1", [shape(8), shape(7)], from(2)), 0);
  assert.equal(memory.nearest("pk_1", [shape(8)], from(2)), undefined);
  assert.equal(memory.nearest("pk_2", [shape(7)], from(2)), undefined);
  assert.equal(memory.nearest("pk_1", [], from(2)), undefined);
});

test("finds another network's shape behind a nearer one of the visitor's own", () => {
  const memory = create();
  memory.record("pk_1", [shape(7)], from(2));
  memory.record("pk_1", [shape(7)], from(1));
  memory.record("pk_1", [shape(7)], from(2));
  assert.equal(memory.nearest("pk_1", [shape(7)], from(2)), 0);
});

test("ignores a page's own paths when it submits again, over either of its networks", () => {
  const memory = create();
  memory.record("pk_1", [shape(7)], { networks: [1, 2], era: 1, nowMs: 0 });
  assert.equal(memory.nearest("pk_1", [shape(7)], from(2)), undefined);
  assert.equal(
    memory.nearest("pk_1", [shape(7)], { networks: [2, 3], era: 1, nowMs: 9 }),
    undefined,
  );
  assert.equal(memory.nearest("pk_1", [shape(7)], from(3)), 0);
});

test("counts each other network with a similar path once, but not the visitor's own, other sites' or yesterday's", () => {
  const memory = create();
  const near = shape(7).map((value, i) => value + (i % 2 === 0 ? 2 : 0));
  memory.record("pk_1", [shape(7), near], from(1));
  memory.record("pk_1", [near], from(2));
  memory.record("pk_2", [near], from(3));
  assert.equal(memory.networksNear("pk_1", [shape(8), shape(7)], from(9)), 2);
  assert.equal(memory.networksNear("pk_1", [shape(7)], from(2)), 1);
  assert.equal(memory.networksNear("pk_1", [shape(8)], from(9)), 0);
  assert.equal(memory.networksNear("pk_1", [], from(9)), 0);
  assert.equal(memory.networksNear("pk_3", [shape(7)], from(9)), 0);
  assert.equal(memory.networksNear("pk_1", [shape(7)], from(9, 24 * HOUR_MS)), 0);
});

test("finds pending paths as near and common until they are released, even if no path is remembered", () => {
  const memory = create();
  const near = shape(7).map((value, i) => value + (i % 2 === 0 ? 2 : 0));
  const addPending = (siteKey: string, network: number, era = 1) =>
    memory.addPending(siteKey, [near], from(network, 0, era));
  const releases = [
    addPending("pk_1", 1),
    addPending("pk_1", 1),
    addPending("pk_1", 2),
    addPending("pk_2", 3),
    addPending("pk_1", 4, 2),
  ];
  const asked = (origin: PathOrigin) => [
    memory.nearest("pk_1", [shape(8), near], origin),
    memory.nearest("pk_1", [shape(8)], origin),
    memory.networksNear("pk_1", [shape(8), shape(7)], origin),
  ];
  assert.deepEqual(asked(from(9)), [0, undefined, 2]);
  assert.deepEqual(asked({ ...from(1), networks: [1, 2] }), [undefined, undefined, 0]);
  memory.record("pk_1", [near], from(5));
  assert.deepEqual(asked(from(9)), [0, undefined, 3]);
  memory.record("pk_1", [near], from(2));
  assert.deepEqual(
    asked(from(9)),
    [0, undefined, 3],
    "a remembered network that also holds a shape counts once",
  );
  for (const release of releases) release();
  assert.deepEqual(asked(from(9)), [0, undefined, 2]);
});

test("compares paths of another day's key: the visitor's own never match, a second network's match after an hour, and without an address none match", () => {
  const memory = create();
  memory.record("pk_1", [shape(7)], from(1, 0, 1));
  const isKnown = (origin: PathOrigin, own: number | undefined): boolean =>
    memory.nearest("pk_1", [shape(7)], { ...origin, ownIn: () => own }) === 0;
  assert.deepEqual([isKnown(from(77, HOUR_MS, 2), 1), isKnown(from(77, 0, 2), 5)], [false, true]);
  const over = (nowMs: number): PathOrigin => ({ ...from(77, nowMs, 2), networks: [76, 77] });
  assert.deepEqual([isKnown(over(HOUR_MS - 1), 5), isKnown(over(HOUR_MS), 5)], [false, true]);
  assert.equal(isKnown(from(77, HOUR_MS, 2), undefined), false);
});

test("knows a path for one day", () => {
  const memory = create();
  memory.record("pk_1", [shape(7)], from(1, 0));
  assert.equal(memory.nearest("pk_1", [shape(7)], from(2, 24 * HOUR_MS - 1)), 0);
  assert.equal(memory.nearest("pk_1", [shape(7)], from(2, 24 * HOUR_MS)), undefined);
});

test("keeps memory bounded at a site: evicts the oldest paths and keeps the newest", () => {
  const memory = create();
  for (let number = 0; number < 1000; number++) memory.record("pk_1", [shape(number)], from(1));
  const found = Array.from(
    { length: 1000 },
    (_, number) => memory.nearest("pk_1", [shape(number)], from(2)) === 0,
  );
  assert.equal(found.filter(Boolean).length, 100);
  assert.ok(found.slice(900).every(Boolean));
});

test("evicts a flooding network's own paths, and keeps those of other networks", () => {
  const memory = create();
  for (let number = 0; number < 40; number++)
    memory.record("pk_1", [shape(number)], from(1000 + number));
  for (let number = 40; number < 2000; number++) memory.record("pk_1", [shape(number)], from(1));
  const known = (number: number): boolean => memory.nearest("pk_1", [shape(number)], from(2)) === 0;
  assert.equal(Array.from({ length: 40 }, (_, number) => known(number)).filter(Boolean).length, 40);
  assert.deepEqual([known(1999), known(1940), known(1939)], [true, true, false]);
});

test("evicts expired paths first, then those of the networks that flood the site, in equal parts", () => {
  const memory = create();
  for (let number = 0; number < 50; number++)
    memory.record("pk_1", [shape(number)], from(1000 + number));
  for (let number = 50; number < 1000; number++)
    memory.record("pk_1", [shape(number)], from(1 + (number % 5)));
  const known = (number: number, nowMs = 0): boolean =>
    memory.nearest("pk_1", [shape(number)], from(9, nowMs)) === 0;
  assert.equal(Array.from({ length: 50 }, (_, number) => known(number)).filter(Boolean).length, 50);
  for (let number = 0; number < 100; number++)
    memory.record("pk_1", [shape(2000 + number)], from(3000, 24 * HOUR_MS));
  const fresh = Array.from({ length: 100 }, (_, number) => known(2000 + number, 24 * HOUR_MS));
  assert.equal(
    fresh.filter(Boolean).length,
    100,
    "expired shapes are evicted, although all new ones are of one network",
  );
});

test("keeps memory bounded over all sites: a flood of new sites evicts the site that recorded longest ago", () => {
  const memory = createPathMemory({ perSite: 128, inAll: 1024 });
  memory.record("pk_first", [shape(1)], from(1));
  memory.record("pk_kept", [shape(1)], from(1));
  for (let site = 0; site < 200; site++) {
    memory.record(`pk_${site}`, [shape(1)], from(1));
    memory.record("pk_kept", [shape(1)], from(1));
  }
  assert.equal(memory.nearest("pk_first", [shape(1)], from(2)), undefined);
  assert.equal(memory.nearest("pk_kept", [shape(1)], from(2)), 0);
  const known = Array.from(
    { length: 200 },
    (_, site) => memory.nearest(`pk_${site}`, [shape(1)], from(2)) === 0,
  );
  assert.ok(
    known.filter(Boolean).length <= 1024 / 64 && known.at(-1) === true,
    String(known.filter(Boolean).length),
  );
});

test("finds the same nearest path as a search of all of them, after any number of evictions", () => {
  const memory = createPathMemory({ perSite: 64, inAll: 1000 });
  const random = createRandom(7);
  const near = (one: Int8Array): Int8Array =>
    one.map((value) => value + Math.floor(3 * random()) - 1);
  const drawn = Array.from({ length: 400 }, () => {
    const bend = Math.floor(80 * random()) - 40;
    return Int8Array.from(
      { length: SHAPE_BYTES },
      (_, i) => (i % 2 === 0 ? bend : 30) + Math.floor(9 * random()),
    );
  });
  for (const [at, one] of drawn.entries()) {
    memory.record("pk_1", [one], from(1));
    const held = Int8Array.from(drawn.slice(Math.max(0, at - 63), at + 1).flatMap((it) => [...it]));
    for (const asked of [near(one), near(drawn[Math.floor(random() * at)] ?? one)]) {
      const expected = nearestDistance(
        asked,
        held,
        Array(held.length / SHAPE_BYTES).keys(),
        () => true,
      );
      assert.equal(memory.nearest("pk_1", [asked], from(2)), expected);
    }
  }
});

type Remembered = { readonly shape: Int8Array; readonly origin: PathOrigin };

/**
 * The answers to both questions by the port's definition: it compares every shape with every other,
 * number by number.
 */
function askAll(
  held: readonly Remembered[],
  shape: Int8Array,
  { networks, era, nowMs }: PathOrigin,
) {
  const counted = held.flatMap(({ shape: other, origin }) => {
    const ageMs = nowMs - origin.nowMs;
    const network = origin.networks.at(-1) ?? Number.NaN;
    const isHere = network === networks.at(-1);
    const isOwn =
      origin.era === era
        ? networks.includes(network)
        : isHere || (networks.length > 1 && ageMs < HOUR_MS);
    if (isOwn || ageMs >= 24 * HOUR_MS) return [];
    return {
      network,
      squares: shape.reduce((sum, value, i) => sum + (value - (other[i] ?? 0)) ** 2, 0),
    };
  });
  const nearest = Math.min(...counted.map(({ squares }) => squares));
  const near = new Set(
    counted.filter(({ squares }) => squares <= COMMON_SQUARES).map(({ network }) => network),
  );
  return {
    nearest: nearest <= NEAR_SQUARES ? Math.sqrt(nearest / SHAPE_BYTES) / UNITS_A_LINE : undefined,
    networks: Math.min(COMMON_NETWORKS, near.size),
  };
}

test("answers both questions like a full comparison, for varied paths, generated paths and copies, over days and keys", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const memory = createPathMemory({ perSite: 500, inAll: 500 });
    /** From very different paths to paths that differ by one unit in places. */
    const [wide, tremor] = [3 * (seed % 10) ** 2, 1 + (seed % 4)];
    const draw = (): Int8Array => {
      const means = Array.from({ length: 8 }, () => wide * (random() - 0.5));
      return Int8Array.from({ length: SHAPE_BYTES }, (_, i) =>
        Math.max(
          -127,
          Math.min(
            127,
            (means[(i & 3) + (i >= SHAPE_BYTES / 2 ? 4 : 0)] ?? 0) + tremor * (random() - 0.5),
          ),
        ),
      );
    };
    const held: Remembered[] = [];
    const originAt = (step: number): PathOrigin => {
      const networks = Array.from({ length: 1 + Math.floor(2 * random()) }, () =>
        Math.floor(6 * random()),
      );
      return {
        networks,
        era: Math.floor(step / 140),
        ownIn: () => networks.at(-1),
        nowMs: step * 400_000,
      };
    };
    for (let step = 0; step < 300; step++) {
      const origin = originAt(step);
      const earlier = held[Math.floor(held.length * random())]?.shape;
      const shape =
        random() < 0.2 && earlier !== undefined
          ? earlier.map((value) => value + Math.round(random()))
          : draw();
      const expected = askAll(held, shape, origin);
      const found = {
        nearest: memory.nearest("s", [shape], origin),
        networks: memory.networksNear("s", [shape], origin),
      };
      assert.deepEqual(found, expected, `seed ${seed}, step ${step}`);
      memory.record("s", [shape], origin);
      held.push({ shape, origin });
    }
  }
});

/**
 * Shapes with the same sketch that are far apart. Of two numbers of a quarter, one is as far above
 * the mean as the other is below.
 */
function decoy(random: () => number): Int8Array {
  const shape = new Int8Array(SHAPE_BYTES).fill(10);
  for (let quarter = 0; quarter < 8; quarter++) {
    const first = (quarter & 3) + (quarter > 3 ? SHAPE_BYTES / 2 : 0);
    for (let pair = 0; pair < 3; pair++) {
      const by = random() < 0.5 ? 9 : -9;
      shape[first + 8 * pair] = 10 + by;
      shape[first + 8 * pair + 4] = 10 - by;
    }
  }
  return shape;
}

test("treats a shape in a crowd of decoys as already drawn, so that decoys hide no replay", () => {
  const random = createRandom(11);
  const [played, other] = [decoy(random), decoy(random)];
  const memory = createPathMemory({ perSite: 1000, inAll: 1000 });
  const ask = (shape: Int8Array, network: number) => [
    memory.nearest("pk_1", [shape], from(network)),
    memory.networksNear("pk_1", [shape], from(network)),
  ];
  for (let count = 0; count < 512; count++) memory.record("pk_1", [decoy(random)], from(2));
  assert.deepEqual(ask(other, 3), [undefined, 0], "so many are still compared");
  for (let count = 512; count < 800; count++) memory.record("pk_1", [decoy(random)], from(2));
  memory.record("pk_1", [played], from(1));
  assert.deepEqual(ask(played, 3), [SHAPE_REACH, COMMON_NETWORKS]);
  assert.deepEqual(ask(other, 3), [SHAPE_REACH, COMMON_NETWORKS]);
  assert.deepEqual(ask(played, 2), [0, 1], "the visitor's own shapes are no crowd");
});
