// What it costs to look for a path among those of a full site, and to take its place there. `node
// tools/measure-path-memory.ts DIR` reads recorded paths of people from DIR/human_*.jsonl.gz.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseRecording } from "@stile/risk/training/read-examples";
import { toPathShape } from "@stile/risk/trajectory/path-shape";
import { preparePath } from "@stile/risk/trajectory/segment";
import { createPathMemory } from "@stile/stores/process/path-memory";

const PER_SITE = 5_000;
const NETWORKS = 3_000;

const directory = process.argv[2] ?? ".";
const shapes = readdirSync(directory)
  .filter((name) => /^human_.*\.jsonl\.gz$/.test(name))
  .flatMap((name) =>
    gunzipSync(readFileSync(join(directory, name)))
      .toString()
      .trim()
      .split("\n"),
  )
  .flatMap((line) => {
    const path = preparePath(parseRecording(line).events);
    return (path && toPathShape(path)?.shape) ?? [];
  });
const [held, others] = [shapes.slice(0, PER_SITE), shapes.slice(PER_SITE)];
if (others.length === 0)
  throw new Error(`${directory} has ${shapes.length} paths with a shape; it takes ${PER_SITE + 1}`);

const memory = createPathMemory({ perSite: PER_SITE, inAll: PER_SITE });
const record = (shape: Int8Array, at: number): void =>
  memory.record("site", [shape], { networks: [at % NETWORKS], era: 1, nowMs: at });
const search = (shape: Int8Array): void => {
  const origin = { networks: [NETWORKS], era: 1, nowMs: PER_SITE };
  memory.nearest("site", [shape], origin);
  memory.networksNear("site", [shape], origin);
};

function measure(name: string, work: (shape: Int8Array, at: number) => void): void {
  const before = process.cpuUsage();
  others.forEach((shape, at) => void work(shape, PER_SITE + at));
  const { user, system } = process.cpuUsage(before);
  console.log(`${name}: ${((user + system) / others.length).toFixed(1)} us of CPU`);
}

held.forEach(record);
// Once to be compiled, once to count.
others.forEach(search);
others.forEach((shape, at) => void record(shape, PER_SITE + at));
measure(`searching a path among ${PER_SITE}`, search);
measure("taking a place among them", (shape, at) => void record(shape, others.length + at));
