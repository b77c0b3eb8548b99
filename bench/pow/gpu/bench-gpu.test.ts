import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

test("without CUDA's compiler, one line says what to do and nothing is printed", () => {
  const source = pathToFileURL(join(import.meta.dirname, "bench-gpu.ts"));
  const code = `process.exitCode = (await (await import("${source}")).benchGpu(true)) ? 0 : 1`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { PATH: "" },
  });
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /^bench: nvcc is missing: run this on a machine with an NVIDIA card and the CUDA toolkit.*\n$/);
});
