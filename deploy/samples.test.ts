import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "@stile/server/config";

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8");

test("every STILE_ name in a sample is a setting of this version (D17)", () => {
  const samples = globSync("{compose,kubernetes,nginx,caddy,traefik,systemd}/**/*.*", { cwd: import.meta.dirname });
  // What is no assignment, such as the variable that a Service named stile would bring, is a comment's.
  const names = samples.flatMap(
    (path) =>
      read(path)
        .replaceAll(/#.*/g, "")
        .match(/\bSTILE_[A-Z_]+/g) ?? [],
  );
  assert.ok(names.length > 8, `${names}`);
  for (const name of names) assert.equal(readConfig({ [name]: "" }).kind, "config", name);
});

test("no sample runs two nodes on one embedded store, and each runs as the image's user with a root that it can't write", () => {
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
