// The packages that are published: one version, what `npm pack` puts into them, and whether Node,
// bundlers and TypeScript find their code and types. A package under sdk is published unless it is
// private.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, suite, test } from "node:test";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const ROOT = join(import.meta.dirname, "..");

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly description?: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly scripts?: Readonly<Record<string, string>>;
} & Readonly<Record<"dependencies" | "devDependencies", Readonly<Record<string, string>>>>;

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const toManifest = (path: string) => ({ path, manifest: JSON.parse(read(path)) as Manifest });

const root = toManifest("package.json");
const { version } = root.manifest;
const manifests = globSync("{sdk,packages}/*/package.json", { cwd: ROOT }).sort().map(toManifest);
const published = manifests.filter(({ manifest }) => manifest.private !== true);

/** The published packages as `npm pack` makes them: their files by path, and the archive. */
function packAll() {
  // Packing builds, so it works on a copy: other tests may be building the same packages.
  const copy = mkdtempSync(join(tmpdir(), "stile-packages-"));
  after(() => rmSync(copy, { recursive: true }));
  const hasSource = (path: string): boolean => !/[/\\](dist|node_modules|service)$/.test(path);
  cpSync(join(ROOT, "sdk"), join(copy, "sdk"), { recursive: true, filter: hasSource });
  for (const file of ["LICENSE", "tsconfig.base.json"])
    copyFileSync(join(ROOT, file), join(copy, file));
  for (const folder of ["packages", "node_modules", "deploy", "tools"])
    symlinkSync(join(ROOT, folder), join(copy, folder), "junction");
  const folders = published.map(({ path }) => `./${dirname(path)}`);
  const output = execFileSync("npm", ["pack", "--json", "--silent", ...folders], {
    cwd: copy,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const packed: { name: string; filename: string; files: { path: string }[] }[] =
    JSON.parse(output);
  return published.map(({ path, manifest }) => {
    const { filename, files } = packed.find(({ name }) => name === manifest.name)!;
    const archive = new Uint8Array(readFileSync(join(copy, filename)));
    return { path, manifest, archive, files: files.map((file) => file.path) };
  });
}

/**
 * What a published package may contain; its sources, tests and tools stay out. `service` is the
 * built service.
 */
const MAY_CONTAIN =
  /^(?:service\/.+|package\.json|README\.md|LICENSE|integrity\.json|dist\/(?:esm|cjs)\/package\.json|(?!.*(?:\btests?\b|\.test\.|build\.)).*\.(?:js|d\.ts|svelte))$/;

/** The entries of a package, with each file behind a `*`. */
function listEntries({ exports = {} }: Manifest, files: readonly string[]): string[] {
  return Object.entries(exports).flatMap(([entry, target]) => {
    const file = typeof target === "string" ? target : Object.values(target)[0];
    const [start = "", end = ""] = file?.slice("./".length).split("*") ?? [];
    if (!entry.includes("*")) return [entry];
    return files
      .filter((path) => path.startsWith(start) && path.endsWith(end))
      .map((path) => entry.replace("*", path.slice(start.length, -end.length)));
  });
}

/**
 * What TypeScript would not find, or find wrongly, in the archive. A package without `require` is
 * for modules only. TypeScript before 4.7 (`node10`) knows no entries but the main one.
 */
async function findWrongTypes({ archive, manifest, files }: ReturnType<typeof packAll>[number]) {
  const isForRequire = JSON.stringify(manifest.exports ?? {}).includes('"require"');
  const result = await checkPackage(createPackageFromTarballData(archive), {
    entrypoints: listEntries(manifest, files).filter((entry) => !entry.endsWith(".json")),
  });
  assert.ok(result.types, `${manifest.name} has no types: add .d.ts files to "files"`);
  return result.problems.filter(
    (problem) =>
      !("resolutionKind" in problem && problem.resolutionKind === "node10") &&
      (isForRequire || problem.kind !== "CJSResolvesToESM"),
  );
}

suite("versions", () => {
  test("all packages have the version of package.json, and depend on each other at it", () => {
    for (const { path, manifest } of [root, ...manifests]) {
      assert.equal(manifest.version, version, `${path}: set "version" to ${version}`);
      const ours = { ...manifest.dependencies, ...manifest.devDependencies };
      for (const [name, wanted] of Object.entries(ours)) {
        if (name.startsWith("@stile/"))
          assert.equal(wanted, version, `${path}: depend on ${name} at ${version}`);
      }
    }
  });

  test("the packages for Python and PHP have it too, if they name a version", () => {
    const python = /^version = "(.+)"$/m.exec(read("sdk/python/pyproject.toml"))?.[1];
    assert.equal(python, version, `sdk/python/pyproject.toml: set version to ${version}`);
    // Packagist and Go take the version from the tag.
    const php: Partial<Manifest> = JSON.parse(read("sdk/php/composer.json"));
    assert.equal(php.version, undefined, "sdk/php/composer.json: leave out the version");
  });
});

test("the packages for PHP, Python and Go have the license", () => {
  for (const language of ["php", "python", "go"]) {
    const path = `sdk/${language}/LICENSE`;
    assert.ok(existsSync(join(ROOT, path)), `copy LICENSE to ${path}`);
    assert.equal(read(path), read("LICENSE"), `copy LICENSE to ${path} again`);
  }
});

test("each adapter of the server SDK for Node has at most 20 lines", () => {
  const paths = globSync("sdk/node/src/adapters/*.ts", { cwd: ROOT });
  assert.ok(paths.length > 0);
  for (const path of paths) {
    const lines = read(path).trimEnd().split("\n").length;
    assert.ok(lines <= 20, `${path} has ${lines} lines`);
  }
});

test("no script of a package publishes one", () => {
  for (const { path, manifest } of [root, ...manifests]) {
    for (const [name, script] of Object.entries(manifest.scripts ?? {})) {
      assert.doesNotMatch(script, /\bpublish\b/, `${path}: remove the script ${name}`);
      assert.doesNotMatch(
        name,
        /^(?:pre|post)?install$|^(?:pre|post)?publish/,
        `${path}: remove ${name}, since it would run on the machines of users`,
      );
    }
  }
});

suite("npm pack", () => {
  const packages = packAll();

  test("makes the server SDK, the helpers for tests, the widget and the components", () => {
    const names = packages.map(({ manifest }) => manifest.name);
    for (const name of ["@stile/server-sdk", "@stile/testing", "@stile/widget", "@stile/react"])
      assert.ok(names.includes(name), `${name} is no longer published`);
  });

  for (const packed of packages) {
    const { path, manifest, archive, files } = packed;

    test(`${manifest.name} contains code, types, README and license, and nothing else`, () => {
      for (const file of ["LICENSE", "README.md"])
        assert.ok(files.includes(file), `${path}: add ${file}, which a script "prepack" may copy`);
      assert.equal(manifest.license, "Apache-2.0");
      assert.ok(manifest.description, `${path}: add a description`);
      const others = files.filter((file) => !MAY_CONTAIN.test(file));
      assert.deepEqual(others, [], `${path}: exclude these in "files"`);
    });

    test(`${manifest.name} passes publint`, async () => {
      const { messages, pkg } = await publint({
        pack: { tarball: archive.buffer },
        level: "warning",
        strict: true,
      });
      const found = messages.map((message) => formatMessage(message, pkg, { color: false }));
      assert.deepEqual(found, [], `${path}: change what publint names`);
    });

    test(`${manifest.name} has types for each entry and each way to import it (attw)`, async () => {
      assert.deepEqual(
        await findWrongTypes(packed),
        [],
        `${path}: see https://arethetypeswrong.github.io for each kind of problem`,
      );
    });
  }
});
