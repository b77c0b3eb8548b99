import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { COMMAND_LINE_PROGRAM } from "@stile/testkit/service/programs";
import { runStile } from "@stile/testkit/service/run-command";

test("exits 1 and creates nothing if a command gets no file or two files (D16, operator)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const dataDirectory = join(parent, "data");
  for (const [args, told] of [
    [
      ["backup"],
      /missing required argument 'file'\.\n\nUsage: npm run stile -- backup \[options\] <file>\n/,
    ],
    [
      ["restore"],
      /missing required argument 'file'\.\n\nUsage: npm run stile -- restore \[options\] <file>\n/,
    ],
    [
      ["backup", "a", "b"],
      /"backup" takes one file: leave out "b".*Usage: npm run stile -- <command>\n/s,
    ],
    [
      ["restore", "a", "b"],
      /"restore" takes one file: leave out "b".*Usage: npm run stile -- <command>\n/s,
    ],
  ] as const) {
    const { code, stdout, stderr } = await runStile(args, { STILE_DATA_DIR: dataDirectory });
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, told);
  }
  assert.equal(existsSync(dataDirectory), false);
});

test("answers an unknown command with the list of commands and where to find the settings (D16, operator)", async () => {
  const { code, stderr } = await runStile(["docter"]);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^stile: unknown command 'docter'\. Did you mean doctor\?\n.*\n {2}doctor .*\n {2}help \[command\] /s,
  );
  assert.match(stderr, /\nSettings come from the environment; npm start -- --help names them\.\n$/);
});

test("names the directory without an installation and the way to fix it, if the service's settings are missing (D16, operator)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const dataDirectory = join(parent, "data");
  const told = `stile: There is no installation in ${dataDirectory}. Run this with the settings of the service, such as its STILE_DATA_DIR, or start the service first.\n`;
  const commands = [["reset-link"], ["risk", "export"], ["backup", join(parent, "copy")]];
  for (const args of commands) {
    const { code, stdout, stderr } = await runStile(args, { STILE_DATA_DIR: dataDirectory });
    assert.deepEqual([code, stdout, stderr], [1, "", told], args.join(" "));
  }
  assert.deepEqual(readdirSync(parent, { recursive: true }), ["data"], "an empty folder at most");
});

test("names the variables for the address if a move has none (D16, operator)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  for (const STILE_DATABASE_URL of ["", " "]) {
    const settings = { STILE_DATA_DIR: join(parent, "data"), STILE_DATABASE_URL };
    const { code, stdout, stderr } = await runStile(["move"], settings);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /^stile: Set STILE_DATABASE_URL to the address .* STILE_DATABASE_URL_FILE\.\n$/,
    );
  }
});

test("refuses and does not repeat a move's address on the command line, where other users see it (D16, operator)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const settings = { STILE_DATA_DIR: join(parent, "data") };
  const { code, stderr } = await runStile(
    ["move", "--to", "postgres://a:secret-1@127.0.0.1/b"],
    settings,
  );
  assert.equal(code, 1);
  assert.match(stderr, /^stile: an address on the command line shows in the list of processes/);
  assert.doesNotMatch(stderr, /secret-1/);
  assert.deepEqual(readdirSync(parent), []);
});

test("creates nothing by init without settings if no service was started there (D16, operator)", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (...args: string[]) => {
    const env = { ...process.env, STILE_DATA_DIR: undefined, STILE_DATABASE_URL: undefined };
    return spawnSync(process.execPath, [COMMAND_LINE_PROGRAM, "init", ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
  };
  const refused = inFolder("--json");
  assert.deepEqual([refused.status, refused.stdout], [1, ""]);
  assert.match(
    refused.stderr,
    /^stile: There is no .*stile-data, .* STILE_DATA_DIR .* init --new\n$/,
  );
  assert.deepEqual(readdirSync(folder), []);
  // Other commands leave at most an empty folder, which is not an installation either.
  mkdirSync(join(folder, "stile-data"));
  assert.equal(inFolder("--json").status, 1);
  const made = inFolder("--new", "--json");
  const again = inFolder("--json");
  assert.equal(made.status, 0, made.stderr);
  assert.equal(JSON.parse(again.stdout).secret_key, JSON.parse(made.stdout).secret_key);
});

test("finishes its work in silence if the reader has closed standard output, as `| head` does (D16, operator)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const env = { ...process.env, STILE_DATA_DIR: join(parent, "data") };
  const child = spawn(process.execPath, [COMMAND_LINE_PROGRAM, "init"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  assert.deepEqual([code, told], [0, ""]);
  assert.ok(existsSync(join(parent, "data", "demo.json")));
});
