import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { findLoaded, readSources } from "./layers.ts";

const root = join(import.meta.dirname, "..");
const paths = globSync("packages/{protocol,pow,risk,core,stores,server,demo}/**/*.ts", {
  cwd: root,
  exclude: (name) => name === "node_modules" || name === "dist",
});
const sources = readSources(root, paths);

/** The files that a file loads; both by their paths below `packages/`. */
const loadedBy = (file: string): string[] =>
  [...findLoaded(sources, `packages/${file}`)].map((path) => path.replace(/^packages\//, ""));

/** The files that add commands to the command line, and import the work of each on demand. */
const TABLES = ["server/cli/commands.ts", "demo/seed/seed-command.ts"];
const textOf = (name: string): string =>
  sources.find(({ path }) => path === `packages/${name}`)?.text ?? "";
/** The files of all commands. */
const COMMANDS = TABLES.flatMap((table) =>
  [...textOf(table).matchAll(/import\("\.\/([\w-]+\.ts)"\)/g)].map(
    ([, name]) => `${dirname(table)}/${name}`,
  ),
);
const COMMAND_LINE = ["server/cli/main.ts", ...TABLES];

/** The server itself, and the parts that only some settings or requests need. */
const OF_SERVERS =
  /^(server\/(compose|http\/v1|jobs|telemetry\/log\.ts)|stores\/postgres\/\w+-store|(pg|pino|zod|mmdb-lib)$)/;

test("help, the version and a mistyped command load only the names of commands, and none of their code", () => {
  const names = ["server/command-line.ts", "server/version.ts", "server/risk/network-kinds.ts"];
  assert.deepEqual(
    loadedBy("server/cli/main.ts").sort(),
    [...COMMAND_LINE, ...names, "commander"].sort(),
  );
});

test("a command loads no other command, no server, and no driver", () => {
  assert.ok(COMMANDS.length > 10, `${COMMANDS}`);
  for (const command of COMMANDS) {
    const loaded = loadedBy(command);
    const others = [...COMMANDS, ...COMMAND_LINE].filter((path) => path !== command);
    assert.deepEqual(
      loaded.filter((path) => others.includes(path) || OF_SERVERS.test(path)),
      [],
      command,
    );
  }
});

test("settings and the explanation of faults need one small library, since the health check reads them every few seconds", () => {
  for (const file of ["server/cli/ready.ts", "server/cli/perform.ts"]) {
    const loaded = loadedBy(file);
    const libraries = loaded.filter((path) => !path.includes("/") || path.startsWith("zod"));
    assert.deepEqual(
      [libraries, loaded.filter((path) => OF_SERVERS.test(path))],
      [["zod/mini"], []],
      file,
    );
  }
});

test("the service loads drivers, passkeys and metrics only on demand", () => {
  const loaded = loadedBy("server/main.ts");
  assert.ok(loaded.includes("pino") && loaded.includes("stores/sqlite/threaded-store.ts"));
  const asked = /^(pg|prom-client|@simplewebauthn\/.*|stores\/postgres\/\w+-store\.ts)$/;
  assert.deepEqual(
    loaded.filter((path) => asked.test(path)),
    [],
  );
});

test("the check distinguishes loaded code from later imports and from types", () => {
  const files = [
    {
      path: "packages/core/a.ts",
      text: 'import type { A } from "./types.ts";\nimport {\n  b,\n  type C,\n} from "./b.ts";\nexport type { D } from "x";\n',
    },
    {
      path: "packages/core/b.ts",
      text: 'import "@stile/core/c";\nexport * from "lib";\nawait import("./later.ts");\n',
    },
    {
      path: "packages/core/c.ts",
      text: 'import { readFileSync } from "node:fs";\nexport const c = ["from", "b"];\n',
    },
    { path: "packages/core/later.ts", text: "" },
  ];
  assert.deepEqual([...findLoaded(files, "packages/core/a.ts")].sort(), [
    "lib",
    "packages/core/a.ts",
    "packages/core/b.ts",
    "packages/core/c.ts",
  ]);
});
