import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "@stile/server/config/config";
import { startService } from "@stile/testkit/service/service";
import { listShipped } from "./image-content.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The instructions of the Dockerfile in order, each on one line. */
const instructions = read("deploy/Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
const only = (name: string): string => {
  const found = last.filter((line) => line.startsWith(`${name} `));
  assert.equal(found.length, 1, `${name} in ${last.join("\n")}`);
  return found[0]?.slice(name.length + 1) ?? "";
};

const app = mkdtempSync(join(tmpdir(), "stile-image-"));
after(() => rmSync(app, { recursive: true, force: true }));

test("runs the service with its pages, and its commands, from the image alone", async () => {
  for (const path of listShipped(root)) cpSync(join(root, path), join(app, path));
  const program = (name: string): string => join(app, "packages", "server", "dist", name);
  const service = await startService({}, [program("main.js")]);
  try {
    for (const path of ["/stile.js", "/frame", "/dashboard", "/demo", "/playground", "/readyz"]) {
      assert.equal((await fetch(service.baseUrl + path)).status, 200, path);
    }
    const env = {
      PATH: "",
      STILE_DATA_DIR: service.dataDirectory,
      STILE_PORT: String(service.port),
    };
    for (const args of [[program("ready.js")], [program("stile.js"), "doctor"]]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        env,
        encoding: "utf8",
      });
      assert.equal(status, 0, stdout + stderr);
      assert.doesNotMatch(stdout, /npm/, "which the image lacks");
    }
    const help = spawnSync(process.execPath, [program("stile.js"), "help"], {
      env,
      encoding: "utf8",
    });
    assert.match(help.stdout, /^Usage: stile <command>\n/);
    const told = spawnSync(process.execPath, [program("main.js"), "--help"], {
      env,
      encoding: "utf8",
    });
    assert.match(
      told.stdout,
      /^Usage: docker run IMAGE \[OPTION\]\n.* All other commands: stile help\n/s,
    );
    const refused = spawnSync(process.execPath, [program("main.js"), "--nwe"], {
      env,
      encoding: "utf8",
    });
    assert.match(refused.stderr, /^stile: unknown option "--nwe"\.\n/);
    assert.doesNotMatch(told.stdout + refused.stderr, /npm/);
  } finally {
    await service.dispose();
  }
});

test("a start without the browser files says so in one sentence, before it opens or creates anything (D16, operator)", () => {
  const missing = join(app, "packages", "widget", "dist", "stile.js");
  rmSync(missing);
  const env = { PATH: "", STILE_DATA_DIR: join(app, "data") };
  const program = join(app, "packages", "server", "dist", "main.js");
  const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: "utf8" });
  assert.deepEqual(
    [status, stderr],
    [1, `stile: ${missing} is missing. Start with "npm start", which builds it.\n`],
  );
  assert.equal(existsSync(env.STILE_DATA_DIR), false);
});

/** It is 3.9 MB, so this leaves room for some features. */
const MOST_BYTES = 4_500_000;

test(`our part of the image has at most ${MOST_BYTES / 1e6} MB and no files for development`, () => {
  const bytes = listShipped(root).reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  console.log(`the image: ${(bytes / 1e6).toFixed(2)} MB of it are ours`);
  assert.ok(bytes < MOST_BYTES, `${bytes}`);
  assert.deepEqual(
    listShipped(root).filter((path) => /\.(map|d\.ts|test\.\w+|md)$/.test(path)),
    // The types are served for authors of pages who use TypeScript.
    ["packages/widget/types/stile.d.ts", "packages/server/dist/licenses.md"],
  );
});

/** The parts of Node that a program has loaded when it ends. */
function partsLoadedBy(...args: string[]): string {
  const tell = 'process.on("exit", () => console.log(process.moduleLoadList.join(", ")))';
  const all = ["--import", `data:text/javascript,${tell}`, ...args];
  return spawnSync(process.execPath, all, { encoding: "utf8" }).stdout;
}
const builtProgram = (name: string): string => join(root, "packages", "server", "dist", name);

test("the service starts without TLS and undici, which node:http would load, and so saves a quarter of a start (decision 0001)", () => {
  const loaded = partsLoadedBy(builtProgram("main.js"), "--version");
  assert.match(loaded, /\bNativeModule sqlite\b/);
  assert.doesNotMatch(loaded, /undici|\bNativeModule tls\b/);
  assert.match(
    partsLoadedBy("--input-type=module", "--eval", 'import "node:http"'),
    /undici/,
    "or this can go",
  );
});

test("the built command line prints its version without loading what its commands need", () => {
  const loaded = partsLoadedBy(builtProgram("stile.js"), "--version");
  assert.match(loaded, /\bNativeModule fs\b/);
  assert.doesNotMatch(loaded, /\bNativeModule (sqlite|crypto|zlib)\b/);
});

test("includes the licences of third-party code", () => {
  assert.ok(listShipped(root).includes("packages/server/dist/licenses.md"));
  const licenses = read("packages/server/dist/licenses.md");
  for (const name of ["zod", "pino", "@simplewebauthn/server", "mmdb-lib", "pg"]) {
    assert.match(licenses, new RegExp(`^## ${name} - `, "m"), name);
  }
});

test("the container runs node directly and not as root, stops by SIGTERM, and checks its health with our own command", () => {
  const [command, ...args] = JSON.parse(only("ENTRYPOINT")) as string[];
  assert.equal(command, "node", "a shell or npm would keep SIGTERM to itself");
  assert.ok(listShipped(root).includes(args.at(-1) ?? ""), `${args.at(-1)}`);
  assert.match(
    only("USER"),
    /^[1-9]\d*:[1-9]\d*$/,
    "a number, or Kubernetes can't tell that it is not root",
  );
  assert.ok(
    last.findIndex((line) => line.startsWith("USER ")) <
      last.findIndex((line) => line.startsWith("ENTRYPOINT ")),
  );
  assert.match(only("HEALTHCHECK"), /CMD \["stile-ready"\]$/);
  assert.match(read("deploy/lay-image.ts"), /layCommand\(folder, "stile-ready", "ready\.js"\)/);
  assert.equal(only("STOPSIGNAL"), "SIGTERM");
  assert.equal(only("FROM"), "scratch");
});

test("the image names only existing settings, has a volume for its data, and uses the uid that owns its files", () => {
  const environment = Object.fromEntries(
    only("ENV")
      .split(/\s+/)
      .map((pair) => pair.split("=", 2)),
  ) as Record<string, string>;
  const reading = readConfig(environment);
  assert.ok(reading.kind === "config");
  assert.equal(reading.config.dataDirectory, only("VOLUME"));
  assert.equal(reading.config.host, "0.0.0.0");
  assert.equal(reading.config.isDemoOn, false);
  assert.equal(only("EXPOSE"), String(reading.config.port));
  const [uid = ""] = only("USER").split(":");
  assert.match(read("deploy/lay-image.ts").replaceAll("_", ""), new RegExp(`SERVICEID = ${uid};`));
  for (const line of instructions.filter((text) => text.includes("/owned")))
    assert.match(line, new RegExp(uid));
});

test("the builder gets everything that the build needs, and no installation, build or secret of this machine", () => {
  const lines = read("deploy/Dockerfile.dockerignore")
    .split("\n")
    .filter((line) => /^[^#]/.test(line));
  const isSent = (path: string): boolean =>
    lines.reduce((sent, line) => {
      const pattern = line.replace(/^!/, "");
      // The builder's star also matches names that start with a dot; Node's does not.
      const isMeant =
        pattern === "*" || matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`);
      return isMeant ? line.startsWith("!") : sent;
    }, true);
  const needed = [
    "package-lock.json",
    ".npmrc",
    "tsconfig.base.json",
    "deploy/lay-image.ts",
    "deploy/image-content.ts",
  ];
  const scripts = Object.values(
    (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts,
  );
  const tools = [
    "tools/build.ts",
    ...scripts.join(" ").matchAll(/tools\/(run|install-production)\.\w+/g),
  ].map(String);
  for (const path of [...needed, ...tools.map((tool) => tool.split(",")[0] ?? "")]) {
    assert.ok(existsSync(join(root, path)) && isSent(path), path);
  }
  for (const path of listShipped(root)) assert.ok(path.includes("/dist/") || isSent(path), path);
  for (const path of [
    "stile-data/master.key",
    "node_modules/zod/index.js",
    "packages/core/node_modules/a/b.js",
    ".env",
  ]) {
    assert.equal(isSent(path), false, path);
  }
  assert.deepEqual(globSync("packages/**/*.{key,pem,env}", { cwd: root }), []);
});
