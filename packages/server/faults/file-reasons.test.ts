import assert from "node:assert/strict";
import { openSync } from "node:fs";
import { test } from "node:test";
import { explainFile } from "./file-reasons.ts";

/** The fault of opening that path. */
function faultOf(path: string): unknown {
  try {
    openSync(path, "r");
  } catch (fault) {
    return fault;
  }
  return assert.fail(`${path} could be opened`);
}

test("says why a file can't be used and what to do, and leaves other faults alone", () => {
  assert.match(explainFile(faultOf(`/tmp/${"a".repeat(300)}`))?.reason ?? "", /too long/);
  assert.match(explainFile(faultOf("/etc/passwd/stile"))?.reason ?? "", /not a directory/);
  assert.equal(explainFile(new Error("something else")), undefined);
});

test("names a limit of open files, and the way to raise it", () => {
  assert.match(explainFile({ code: "EMFILE" })?.cure ?? "", /ulimit -n/);
  assert.match(explainFile({ code: "ENFILE" })?.cure ?? "", /fs\.file-max/);
});
