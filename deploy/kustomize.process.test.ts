import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

/**
 * The first version whose Kustomize supports patches with a target and `$patch: delete` in the form
 * of these files.
 */
const LEAST_KUSTOMIZE = 4;

const kubectl = (...args: readonly string[]) =>
  spawnSync("kubectl", [...args], { encoding: "utf8" });

/**
 * Why the files can't be built here; false if they can. Debian 12's kubernetes-client is too old.
 */
function findWhyNot(): string | false {
  const { status, stdout } = kubectl("version", "--client", "--output=json");
  if (status !== 0) return "kubectl is not here";
  const { kustomizeVersion = "v0" } = JSON.parse(stdout) as { kustomizeVersion?: string };
  const isNew = Number(/^v(\d+)/.exec(kustomizeVersion)?.[1]) >= LEAST_KUSTOMIZE;
  return isNew ? false : `its Kustomize is older than ${LEAST_KUSTOMIZE}`;
}

const skip = findWhyNot();

/** The objects that Kustomize makes of a folder, each in YAML. */
function build(folder: string): readonly string[] {
  const { status, stdout, stderr } = kubectl(
    "kustomize",
    join(import.meta.dirname, "kubernetes", folder),
  );
  assert.equal(status, 0, stderr);
  return stdout.split(/^---\n/m);
}

const kindsOf = (objects: readonly string[]): readonly string[] =>
  objects.map((text) => /^kind: (\w+)$/m.exec(text)?.[1] ?? "none").sort();

test("the base is one node with a claim of its own and the image of this version", { skip }, () => {
  const objects = build("base");
  assert.ok(kindsOf(objects).includes("PersistentVolumeClaim"), `${kindsOf(objects)}`);
  const node = objects.find((text) => /^kind: Deployment$/m.test(text)) ?? "";
  assert.match(node, /^ {2}replicas: 1$/m);
  assert.match(node, /type: Recreate/);
  assert.match(node, /image: registry\.example\.org\/stile:\d/);
});

test("the overlay is two nodes that share a database and no claim, and are replaced one by one", {
  skip,
}, () => {
  const objects = build("postgres");
  assert.equal(kindsOf(objects).includes("PersistentVolumeClaim"), false);
  assert.ok(kindsOf(objects).includes("PodDisruptionBudget"));
  const node = objects.find((text) => /^kind: Deployment$/m.test(text)) ?? "";
  assert.match(node, /^ {2}replicas: 2$/m);
  assert.match(node, /type: RollingUpdate/);
  assert.doesNotMatch(node, /claimName/);
  assert.match(node, /emptyDir: \{\}/);
  for (const name of ["STILE_DATABASE_URL", "STILE_MASTER_KEY"]) {
    assert.match(node, new RegExp(`- name: ${name}\\n\\s+valueFrom:\\n\\s+secretKeyRef:`));
  }
});
