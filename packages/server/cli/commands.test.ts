import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
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
