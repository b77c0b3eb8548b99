import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

function bench(...args: string[]) {
  return spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    encoding: "utf8",
  });
}

test("lists all measurements with --help", () => {
  const { status, stdout, stderr } = bench("--help");
  assert.deepEqual([status, stderr], [0, ""]);
  for (const word of [
    "redeem",
    "life",
    "hostile",
    "hostile-shapes",
    "growth",
    "peers",
    "--profile",
  ])
    assert.match(stdout, new RegExp(` ${word} `));
});

for (const { args, says } of [
  {
    args: ["redem"],
    says: /^bench: There is no bench "redem"\. Use one of: redeem, issue, .*dashboard/,
  },
  { args: ["redeem", "issue"], says: /^bench: Give one word at a time/ },
  { args: ["--quick"], says: /--quick.* See "npm run bench -- --help"\./ },
  { args: ["issue", "--rounds", "0"], says: /^bench: --rounds must be a whole number from 1 on\./ },
  {
    args: ["peers", "--rounds", "few"],
    says: /^bench: --rounds must be a whole number from 1 on\./,
  },
  { args: ["peers", "--profile"], says: /^bench: "peers" takes no --profile\. Leave it out\./ },
  {
    args: ["pow", "--rounds", "5"],
    says: /^bench: "pow" takes neither --rounds nor --profile\. Leave them out\./,
  },
  { args: ["redeem", "--store", "mysql"], says: /^bench: --store must be sqlite or postgres\./ },
  { args: ["pow", "--store", "postgres"], says: /^bench: "pow" takes no --store\. Leave it out\./ },
  {
    args: ["pow", "--profile"],
    says: /^bench: "pow" takes neither --rounds nor --profile\. Leave them out\./,
  },
]) {
  test(`refuses ${args.join(" ")} in one line with advice`, () => {
    const { status, stdout, stderr } = bench(...args);
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, says);
    assert.equal(stderr.trimEnd().split("\n").length, 1);
  });
}
