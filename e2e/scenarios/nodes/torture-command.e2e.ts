// The torture test as operators run it against a deployment of their own.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runNpm } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";

const KNOWN_WRONG = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "packages",
  "testkit",
  "service",
  "known-wrong-service.ts",
);

type Printed = {
  readonly broken: number;
  readonly torture: readonly { readonly figures: readonly { readonly name: string; readonly value: number }[] }[];
};

async function tortureAt({ baseUrl, siteKey, secretKey }: RunningService, tokens: number) {
  const args = ["--target", baseUrl, "--site-key", siteKey, "--origin", "http://localhost", "--tokens", `${tokens}`];
  const { code, stdout, stderr } = await runNpm("torture", [...args, "--json"], { STILE_SECRET: secretKey });
  assert.ok(stdout.startsWith("{"), stderr);
  const printed = JSON.parse(stdout) as Printed;
  const figures = printed.torture.flatMap((trial) => trial.figures);
  const figureOf = (name: string): number => figures.find((figure) => figure.name === name)?.value ?? Number.NaN;
  return { code, broken: printed.broken, doubles: figureOf("tokens redeemed twice"), calls: figureOf("calls") };
}

async function withService<Result>(
  command: readonly string[] | undefined,
  use: (service: RunningService) => Promise<Result>,
): Promise<Result> {
  const service = await startService({ STILE_LOG_LEVEL: "error" }, command);
  try {
    return await use(service);
  } finally {
    await service.dispose();
  }
}

test("earns tokens at a deployment, races for them, and ends with 0 where each is redeemed once (T1)", async () => {
  const seen = await withService(undefined, (service) => tortureAt(service, 1));
  assert.deepEqual({ ...seen, calls: 0 }, { code: 0, broken: 0, doubles: 0, calls: 0 });
  assert.ok(seen.calls >= 9, "8 callers and a last look");
});

test("ends with 1 where tokens are redeemed twice (T1)", async () => {
  const seen = await withService([KNOWN_WRONG, "readsThenWrites"], (service) => tortureAt(service, 12));
  assert.ok(seen.doubles > 0);
  assert.deepEqual([seen.code, seen.broken], [1, 1]);
});

test("says in a sentence what it can't torture", async () => {
  const { code, stderr } = await runNpm("torture", ["--store", "mysql"]);
  assert.equal(code, 2);
  assert.match(stderr, /^torture: Say --store sqlite, --store postgres or --store valkey/m);
});
