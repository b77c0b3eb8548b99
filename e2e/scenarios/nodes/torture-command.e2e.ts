// The torture test as operators run it against their own deployment, and the set-up of its
// controls.
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { runNpm } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { redeemOnce } from "@stile/testkit/torture/redeem-call";
import { startPostgresCluster } from "@stile/testkit/torture/shared-cluster";

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
  readonly torture: readonly {
    readonly figures: readonly { readonly name: string; readonly value: number }[];
  }[];
};

async function tortureAt({ baseUrl, siteKey, secretKey }: RunningService, tokens: number) {
  const args = [
    "--target",
    baseUrl,
    "--site-key",
    siteKey,
    "--origin",
    "http://localhost",
    "--tokens",
    `${tokens}`,
  ];
  const { code, stdout, stderr } = await runNpm("trial", ["torture", ...args, "--json"], {
    STILE_SECRET: secretKey,
  });
  assert.ok(stdout.startsWith("{"), stderr);
  const printed = JSON.parse(stdout) as Printed;
  const figures = printed.torture.flatMap((trial) => trial.figures);
  const figureOf = (name: string): number =>
    figures.find((figure) => figure.name === name)?.value ?? Number.NaN;
  return {
    code,
    broken: printed.broken,
    doubles: figureOf("tokens redeemed twice"),
    calls: figureOf("calls"),
  };
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

test("earns tokens at a deployment, races for them, and exits 0 if each redeems once", async () => {
  const seen = await withService(undefined, (service) => tortureAt(service, 1));
  assert.deepEqual({ ...seen, calls: 0 }, { code: 0, broken: 0, doubles: 0, calls: 0 });
  assert.ok(seen.calls >= 9, "8 callers and a last look");
});

test("exits 1 if tokens redeem twice", async () => {
  const seen = await withService([KNOWN_WRONG, "readsThenWrites"], (service) =>
    tortureAt(service, 12),
  );
  assert.ok(seen.doubles > 0);
  assert.deepEqual([seen.code, seen.broken], [1, 1]);
});

test("names in a sentence a target that it cannot torture", async () => {
  const { code, stderr } = await runNpm("trial", ["torture", "--store", "mysql"]);
  assert.equal(code, 2);
  assert.match(stderr, /^torture: Say --store sqlite or --store postgres/m);
});

test("the site of a cluster without durable commits survives an immediate kill of the engine", async (context) => {
  // Otherwise the engine might happen to write the site before the kill.
  const engineSettings = ["synchronous_commit=off", "wal_writer_delay=10s"];
  const { dispose, openMint, site, engines, target } = await startPostgresCluster({
    servers: 1,
    engineSettings,
  });
  context.after(dispose);
  const mint = await openMint(site);
  await engines[0]?.kills[0].run(() => 0);
  const agent = new Agent();
  let outcome = "unavailable";
  for (; outcome === "unavailable"; await delay(50)) {
    const message = { token: mint(), idempotencyKey: undefined };
    outcome = (await redeemOnce(target.servers[0]?.baseUrl ?? "", target.secretKey, agent, message))
      .outcome;
  }
  assert.equal(outcome, "verified");
});
