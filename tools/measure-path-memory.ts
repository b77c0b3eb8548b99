// Measures what it costs to look for a path among those of a full site, and to take its place there: for paths of one
// generator, from a fleet and from one network, and for a crowd that somebody makes up to keep the search busy. `node
// tools/measure-path-memory.ts DIR` also reads recorded paths of people from DIR/human_*.jsonl.gz.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { SHAPE_BYTES } from "@stile/core/domain/visitor/nearest-path";
import { createRandom } from "@stile/risk/seeded-random";
import { parseRecording } from "@stile/risk/training/read-examples";
import { toPathShape } from "@stile/risk/trajectory/path-shape";
import { preparePath, type Segment } from "@stile/risk/trajectory/segment";
import { createPathMemory } from "@stile/stores/process/paths/path-memory";
import { handPath } from "@stile/testkit/visits/pointer-paths";

const PER_SITE = 5_000;
const NETWORKS = 3_000;
const ASKED = 1_000;
const ROUNDS = 7;

const shapesOf = (segments: Iterable<Segment>): Int8Array[] =>
  Array.from(segments).flatMap((segment) => {
    const path = preparePath(segment);
    return (path && toPathShape(path)?.shape) ?? [];
  });

function readPeople(directory: string): Int8Array[] {
  const lines = readdirSync(directory)
    .filter((name) => /^human_.*\.jsonl\.gz$/.test(name))
    .flatMap((name) =>
      gunzipSync(readFileSync(join(directory, name)))
        .toString()
        .trim()
        .split("\n"),
    );
  const shapes = shapesOf(lines.map((line) => parseRecording(line).events));
  if (shapes.length <= PER_SITE) throw new Error(`${directory} has ${shapes.length} paths; it takes ${PER_SITE + 1}`);
  return shapes;
}

/** Every time from the same start to the same end, as in `npm run bench -- submit`. */
const drawOne = (seed: number): Segment => handPath({ from: [588, 380], to: [170, 273] }, seed);

/** Shapes with similar sketches that are so far apart that most of each must be compared. */
function drawCrowd(count: number): Int8Array[] {
  const random = createRandom(1);
  return Array.from({ length: count }, () => {
    const shape = new Int8Array(SHAPE_BYTES).fill(10);
    for (let i = 0; i < SHAPE_BYTES; i += 8) {
      for (let place = i; place < i + 4; place++) {
        const by = Math.round(5 * random()) - 2.5;
        shape[place] = 10 + Math.ceil(by);
        shape[place + 4] = 10 - Math.ceil(by);
      }
    }
    return shape;
  });
}

function microsOf(shapes: readonly Int8Array[], work: (shape: Int8Array, at: number) => void): number {
  const before = process.cpuUsage();
  shapes.forEach(work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / shapes.length;
}

const median = (values: readonly number[]): string =>
  ([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(1);

/** Fills a site with the first shapes, each drawn in the network of `networkOf`, and looks for those after them. */
function measure(name: string, shapes: readonly Int8Array[], networkOf: (at: number) => number): void {
  const [held, asked] = [shapes.slice(0, PER_SITE), shapes.slice(PER_SITE, PER_SITE + ASKED)];
  const memory = createPathMemory({ perSite: PER_SITE, inAll: PER_SITE });
  let recorded = 0;
  const record = (shape: Int8Array): void => {
    memory.record("site", [shape], { networks: [networkOf(recorded)], era: 1, nowMs: recorded++ });
  };
  const search = (shape: Int8Array): void => {
    const origin = { networks: [NETWORKS], era: 1, nowMs: recorded };
    memory.nearest("site", [shape], origin);
    memory.networksNear("site", [shape], origin);
  };
  held.forEach(record);
  microsOf(asked, search);
  const searching = Array.from({ length: ROUNDS }, () => microsOf(asked, search));
  const recording = Array.from({ length: ROUNDS }, () => microsOf(asked, record));
  console.log(`${name}: ${median(searching)} us of CPU to look for a path, ${median(recording)} us to take a place`);
}

const [directory] = process.argv.slice(2);
const generated = shapesOf(Array.from({ length: PER_SITE + ASKED }, (_, seed) => drawOne(seed)));
const crowd = drawCrowd(PER_SITE + ASKED);
const fleet = (at: number): number => at % NETWORKS;
const asker = (): number => NETWORKS;
console.log(`Among ${PER_SITE} paths of a site, medians of ${ROUNDS}:`);
if (directory !== undefined) measure("people", readPeople(directory), fleet);
measure("one generator, a fleet", generated, fleet);
measure("one generator, one network", generated, asker);
measure("a crowd, a fleet", crowd, fleet);
measure("a crowd, one network", crowd, asker);
