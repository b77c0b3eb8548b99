import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");

type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };

const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;

test("npm run sbom lists the service's packages, each with version and licence, and no development tool", () => {
  const run = spawnSync("npm", ["run", "--silent", "sbom"], {
    cwd: root,
    encoding: "utf8",
    shell: false,
  });
  assert.equal(run.status, 0, run.stderr);
  const sbom = JSON.parse(run.stdout) as {
    bomFormat: string;
    components: {
      name: string;
      group?: string;
      version: string;
      licenses?: unknown[];
      "bom-ref": string;
    }[];
  };
  assert.equal(sbom.bomFormat, "CycloneDX");
  const listed = new Set(
    sbom.components.map((component) => component["bom-ref"].replace(/@[^@]*$/, "")),
  );
  const manifests = globSync("packages/*/package.json", { cwd: root }).map(readManifest);
  const needed = manifests.flatMap(({ dependencies }) => Object.keys(dependencies ?? {}));
  assert.ok(needed.length > 15);
  for (const name of needed.filter((one) => !one.startsWith("@stile/")))
    assert.ok(listed.has(name), name);
  assert.ok(listed.has("@noble/hashes"), "lists a package that a dependency and a tool both need");
  const tools = Object.keys(readManifest("package.json").devDependencies ?? {});
  for (const name of tools.filter((one) => one !== "@noble/hashes" && !needed.includes(one))) {
    assert.ok(!listed.has(name), `${name} is a tool of development`);
  }
  const unlicensed = sbom.components.filter(
    ({ version, licenses }) => !version || !licenses?.length,
  );
  assert.deepEqual(
    unlicensed.map(({ name }) => name),
    [],
  );
});

test("npm run sbom lists the same where nothing is installed, and installs nothing", (context) => {
  const copy = mkdtempSync(join(tmpdir(), "stile-sbom-test-"));
  context.after(() => rmSync(copy, { recursive: true, force: true }));
  const needed =
    "{package.json,package-lock.json,.npmrc,packages/*/package.json,tools/{bootstrap,sbom}.*}";
  for (const path of globSync(needed, { cwd: root })) cpSync(join(root, path), join(copy, path));
  const env = { ...process.env, npm_config_offline: "true" };
  const namesIn = (cwd: string): string[] => {
    const run = spawnSync("npm", ["run", "--silent", "sbom"], { cwd, env, encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
    const { components } = JSON.parse(run.stdout) as { components: { "bom-ref": string }[] };
    return components.map((component) => component["bom-ref"]).sort();
  };
  assert.deepEqual(namesIn(copy), namesIn(root));
  assert.equal(existsSync(join(copy, "node_modules")), false);
});
