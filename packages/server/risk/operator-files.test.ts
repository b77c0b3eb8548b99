import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import { FITTED_FLAGS, weightBounds } from "@stile/risk/weight-bounds";
import { FLAG_WEIGHTS, WEIGHTS_VERSION } from "@stile/risk/weights";
import { type DataDirectory, openDataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import { hashOf, readFlagWeights, writeFlagWeights } from "./flag-weights-file.ts";
import type { NetworkKind } from "./network-kinds.ts";
import { openNetworkLists, writeNetworkList } from "./network-list-files.ts";
import { readNetworks } from "./read-networks.ts";

const NOW_MS = Date.UTC(2026, 4, 20);

function directoryOf(t: TestContext): DataDirectory {
  const path = mkdtempSync(join(tmpdir(), "stile-risk-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDataDirectory(path);
}

function write(directory: DataDirectory, kind: NetworkKind, text: string): number {
  const { networks } = readNetworks(text);
  return writeNetworkList(directory, kind, { networks, source: "a\nlist", nowMs: NOW_MS });
}

const find = (lists: ReturnType<typeof openNetworkLists>, ip: string) =>
  lists.find(parseIpAddress(ip)!);

test("finds no address on a list if there are no lists", (t) => {
  const lists = openNetworkLists(directoryOf(t));
  assert.deepEqual(find(lists, "203.0.113.7"), { isDatacenter: false, isTor: false });
});

test("reads an imported list unchanged, at the next start and while the service runs", (t) => {
  const directory = directoryOf(t);
  const running = openNetworkLists(directory);
  assert.equal(write(directory, "datacenter", "203.0.113.0/24\n203.0.113.0/25\n2001:db8::/32"), 2);
  write(directory, "tor", "203.0.113.7");
  assert.deepEqual(find(running, "203.0.113.7"), { isDatacenter: false, isTor: false });
  running.refresh();
  for (const lists of [running, openNetworkLists(directory)]) {
    assert.deepEqual(find(lists, "203.0.113.7"), { isDatacenter: true, isTor: true });
    assert.deepEqual(find(lists, "203.0.113.8"), { isDatacenter: true, isTor: false });
    assert.deepEqual(find(lists, "2001:db8:5::1"), { isDatacenter: true, isTor: false });
    assert.deepEqual(find(lists, "203.0.114.7"), { isDatacenter: false, isTor: false });
    assert.deepEqual([lists.sizeOf("datacenter"), lists.sizeOf("tor")], [2, 1]);
  }
});

test("empties a list whose file was removed, and reads a new one of the same length", (t) => {
  const directory = directoryOf(t);
  write(directory, "tor", "203.0.113.7");
  const lists = openNetworkLists(directory);
  write(directory, "tor", "203.0.113.8");
  lists.refresh();
  assert.deepEqual(
    [find(lists, "203.0.113.7").isTor, find(lists, "203.0.113.8").isTor],
    [false, true],
  );
  rmSync(directory.riskFile("networks-tor.txt"));
  lists.refresh();
  assert.equal(find(lists, "203.0.113.8").isTor, false);
});

test("stops a start with a sentence for a damaged list; a running service keeps its old one", (t) => {
  const directory = directoryOf(t);
  write(directory, "tor", "203.0.113.7");
  const lists = openNetworkLists(directory);
  writeFileSync(directory.riskFile("networks-tor.txt"), "203.0.113.8\nhalf a li");
  assert.throws(() => lists.refresh(), /networks-tor\.txt, line 2/);
  assert.equal(find(lists, "203.0.113.7").isTor, true);
  assert.throws(() => openNetworkLists(directory), DataDirectoryProblem);
});

test("reads one list again although another is damaged", (t) => {
  const directory = directoryOf(t);
  const lists = openNetworkLists(directory);
  writeFileSync(directory.riskFile("networks-datacenter.txt"), "half a li");
  write(directory, "tor", "203.0.113.7");
  assert.throws(() => lists.refresh(), /networks-datacenter\.txt/);
  assert.equal(find(lists, "203.0.113.7").isTor, true);
});

test("ties the table's numbers to its version: a changed weight needs a new version", () => {
  assert.deepEqual([WEIGHTS_VERSION, hashOf(FLAG_WEIGHTS)], [12, "afba39cc3444"]);
});

test("uses the built-in weights without a file; reads own weights back exactly, from a file that only its owner may read", (t) => {
  const directory = directoryOf(t);
  assert.deepEqual(readFlagWeights(directory), { kind: "table", hash: hashOf(FLAG_WEIGHTS) });
  const weights = { ...FLAG_WEIGHTS, ip_datacenter: 1.7, header_inconsistent: 0.4 };
  const hash = writeFlagWeights(directory, { weights, people: 300, bots: 400 }, NOW_MS);
  assert.notEqual(hash, hashOf(FLAG_WEIGHTS));
  assert.deepEqual(readFlagWeights(directory), {
    kind: "own",
    weights,
    people: 300,
    bots: 400,
    hash,
  });
  if (process.platform !== "win32")
    assert.equal(statSync(directory.riskFile("risk-weights.json")).mode & 0o077, 0);
});

test("stops the start with a sentence if the file is damaged, edited or beyond the bounds", (t) => {
  const directory = directoryOf(t);
  writeFlagWeights(directory, { weights: FLAG_WEIGHTS, people: 300, bots: 400 }, NOW_MS);
  const file = directory.riskFile("risk-weights.json");
  const good = readFileSync(file, "utf8");
  const tor = FLAG_WEIGHTS.ip_tor;
  const broken = ["", "{", "[]", "null", "{}", good.slice(0, -20)];
  for (const weight of ["2.5", "-1", "1e9", "null", '"1"']) {
    broken.push(good.replace(`"ip_tor": ${tor}`, `"ip_tor": ${weight}`));
  }
  broken.push(good.replace(`"ip_tor": ${tor}`, `"ip_tor": ${tor + 0.1}`));
  for (const text of broken) {
    assert.notEqual(text, good);
    writeFileSync(file, text);
    assert.throws(() => readFlagWeights(directory), DataDirectoryProblem, text);
  }
});

test("ignores weights that were fitted around the table of another release", (t) => {
  const directory = directoryOf(t);
  writeFlagWeights(directory, { weights: FLAG_WEIGHTS, people: 300, bots: 400 }, NOW_MS);
  const file = directory.riskFile("risk-weights.json");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(/"fitted_around": "\w+"/, '"fitted_around": "000000000000"'),
  );
  assert.deepEqual(readFlagWeights(directory), { kind: "outdated", hash: hashOf(FLAG_WEIGHTS) });
});

test("accepts a table with every weight at its bound", (t) => {
  const directory = directoryOf(t);
  for (const end of ["least", "most"] as const) {
    const weights = { ...FLAG_WEIGHTS };
    for (const flag of FITTED_FLAGS) Object.assign(weights, { [flag]: weightBounds(flag)[end] });
    writeFlagWeights(directory, { weights, people: 300, bots: 400 }, NOW_MS);
    assert.equal(readFlagWeights(directory).kind, "own");
  }
});
