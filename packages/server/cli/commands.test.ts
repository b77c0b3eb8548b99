import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { COMMAND_LINE_PROGRAM } from "@stile/testkit/service/programs";
import { runStile } from "@stile/testkit/service/run-command";

test("a command without its file, or with two, exits 1 with what it takes, and makes nothing (D16)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const dataDirectory = join(parent, "data");
  for (const [args, told] of [
    [["backup"], /missing required argument 'file'\.\n\nUsage: npm run stile -- backup \[options\] <file>\n/],
    [["restore"], /missing required argument 'file'\.\n\nUsage: npm run stile -- restore \[options\] <file>\n/],
    [["backup", "a", "b"], /"backup" takes one file: leave out "b".*Usage: npm run stile -- <command>\n/s],
    [["restore", "a", "b"], /"restore" takes one file: leave out "b".*Usage: npm run stile -- <command>\n/s],
  ] as const) {
    const { code, stdout, stderr } = await runStile(args, { STILE_DATA_DIR: dataDirectory });
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, told);
  }
  assert.equal(existsSync(dataDirectory), false);
});

test("what is no command is answered with the commands there are, and where the settings are told (D16)", async () => {
  const { code, stderr } = await runStile(["docter"]);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^stile: unknown command 'docter'\. Did you mean doctor\?\n.*\n {2}doctor .*\n {2}help \[command\] /s,
  );
  assert.match(stderr, /\nSettings come from the environment; npm start -- --help names them\.\n$/);
});

test("a command without the settings of the service names the directory that it looked in, and what to do (D16)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const dataDirectory = join(parent, "data");
  const told = `stile: There is no installation in ${dataDirectory}. Run this with the settings of the service, such as its STILE_DATA_DIR, or start the service first.\n`;
  const commands = [
    ["reset-link"],
    ["risk", "export"],
    ["backup", join(parent, "copy")],
    ["move", "--to", "postgres://a@127.0.0.1/b"],
  ];
  for (const args of commands) {
    const { code, stdout, stderr } = await runStile(args, { STILE_DATA_DIR: dataDirectory });
    assert.deepEqual([code, stdout, stderr], [1, "", told], args.join(" "));
  }
  assert.deepEqual(readdirSync(parent, { recursive: true }), ["data"], "an empty folder at most");
});

test("a move to nowhere, as by a variable that is not set, asks where to (D16)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const told = "stile: Name the empty database: --to postgres://USER:PASSWORD@HOST/NAME\n";
  for (const args of [["move"], ["move", "--to", ""], ["move", "--to", " "]]) {
    const { code, stdout, stderr } = await runStile(args, { STILE_DATA_DIR: join(parent, "data") });
    assert.deepEqual([code, stdout, stderr], [1, "", told], args.join(" "));
  }
});

test("a command whose reader has gone, as behind `| head`, does its work all the same and says nothing of it (D16)", async (context) => {
  const parent = mkdtempSync(join(tmpdir(), "stile-commands-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const env = { ...process.env, STILE_DATA_DIR: join(parent, "data") };
  const child = spawn(process.execPath, [COMMAND_LINE_PROGRAM, "init"], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  assert.deepEqual([code, told], [0, ""]);
  assert.ok(existsSync(join(parent, "data", "demo.json")));
});
