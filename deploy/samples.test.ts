import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "@stile/server/config/config";

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8");

/** All samples in these folders, without comments, which are no settings. */
function readSamples(folders: string): readonly string[] {
  const entries = globSync(`{${folders}}/**/*`, { cwd: import.meta.dirname, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) =>
    readFileSync(join(parentPath, name), "utf8").replaceAll(/#.*/g, ""),
  );
}

test("every STILE_ name in a sample is a setting of this version (D17, settings)", () => {
  // Comments are removed because they name a variable that is no setting, the one set for a Service
  // named stile.
  const samples = readSamples("compose,kubernetes,nginx,caddy,traefik,systemd");
  const names = samples.flatMap((text) => text.match(/\bSTILE_[A-Z_]+/g) ?? []);
  assert.ok(names.length > 8, `${names}`);
  const isKnown = (name: string): boolean => readConfig({ [name]: "" }).kind === "config";
  for (const name of names) assert.ok(isKnown(name.replace(/_FILE$/, "")), name);
});

test("no sample runs two nodes on one embedded store, and each has the image's user and a read-only root", () => {
  const cluster = read("kubernetes/base/stile.yaml");
  assert.match(cluster, /accessModes: \[ReadWriteOncePod\]/);
  assert.match(cluster, /replicas: 1\n/);
  assert.match(cluster, /type: Recreate/);
  assert.match(cluster, /readOnlyRootFilesystem: true/);
  assert.match(cluster, /enableServiceLinks: false/);
  const uid = /^USER (\d+):/m.exec(read("Dockerfile"))?.[1];
  assert.match(cluster, new RegExp(`runAsUser: ${uid}\n`));
  assert.match(read("compose/compose.yaml"), /read_only: true/);
});

test("no sample stops nodes whose store fails: they still serve the widget, which lets forms go (D15, outage)", () => {
  const samples = readSamples("kubernetes,nginx,caddy,traefik");
  const probes = samples.flatMap((text) => text.match(/\/(?:healthz|readyz)\b/g) ?? []);
  assert.ok(probes.length >= 5, `${probes}`);
  assert.deepEqual([...new Set(probes)], ["/healthz"]);
});

test("samples with several nodes give all of them one database and one master key, and no shared claim", () => {
  const nodes = read("kubernetes/postgres/nodes.yaml");
  for (const name of ["STILE_DATABASE_URL", "STILE_MASTER_KEY"]) {
    assert.match(nodes, new RegExp(`${name}, valueFrom: \\{ secretKeyRef`));
  }
  assert.match(nodes, /persistentVolumeClaim: null/);
  const compose = read("compose/compose.postgres.yaml");
  const node = compose.slice(0, compose.indexOf("\nservices:"));
  assert.match(node, /STILE_DATABASE_URL_FILE: [^\n]+\n\s+STILE_MASTER_KEY_FILE:/);
  assert.match(node, /read_only: true/);
  const folders = [...compose.matchAll(/volumes: \["(.+):\/data"\]/g)].map(([, name = ""]) => name);
  assert.equal(new Set(folders).size, 2, "each node has a data directory of its own");
  for (const name of folders)
    assert.match(name, /^[a-z][-a-z]+$/, "Docker takes a single letter for a drive of Windows");
});
