import { join } from "node:path";
import { holdDatabase } from "@stile/testkit/contract/second-process";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import type { RunningService } from "@stile/testkit/service/service";
import type { Figure, Skipped, Trial } from "@stile/testkit/trials/trial";
import { countVerified, redeemPatiently, sendSteadily, untilVerified } from "./customer.ts";
import { type Fault, injectFault, WRITES } from "./fault-injection.ts";
import { NO_MOUNT, withSmallDisk } from "./full-disk.ts";
import { STRACE } from "./programs.ts";
import { countStackTraces, NONE, withService } from "./scene.ts";

const DURING = 40;
const SPARE = 300;
const EVERY_MS = 100;
const DISK_MEGABYTES = 24;
const WITHIN_MS = { unavailable: 2000, recovery: 5000, patience: 30_000 } as const;

/** Redeems during a fault, and after it; the fault must not affect reading. */
async function through(
  service: RunningService,
  name: string,
  begin: () => Promise<Fault>,
): Promise<readonly (Figure | Skipped)[]> {
  const tokens = await mintTokens({ ...service, count: DURING });
  const spare = await mintTokens({ ...service, count: SPARE });
  await redeemPatiently(service, spare.pop() ?? "");
  const fault = await begin();
  let heard = [];
  try {
    heard = await sendSteadily(tokens, EVERY_MS, (token) => redeemPatiently(service, token));
  } finally {
    await fault.lift();
  }
  const recoveryMs = await untilVerified(service, spare, WITHIN_MS.patience);
  const verified = tokens.filter((_, index) => heard[index]?.kind === "verified");
  const countOf = (kind: string): number => heard.filter((one) => one.kind === kind).length;
  const unit = `of ${DURING}`;
  return [
    {
      name: `${name}: callers that heard 503 (none: it was no accident)`,
      value: countOf("unavailable"),
      unit,
      bound: { kind: "at_least", value: 1 },
    },
    {
      name: `${name}: time to an answer at worst`,
      value: Math.max(...heard.map(({ afterMs }) => afterMs)),
      unit: "ms",
      bound: { kind: "at_most", value: WITHIN_MS.unavailable },
    },
    {
      name: `${name}: callers without an answer`,
      value: countOf("gave_up") + countOf("cut"),
      unit,
      bound: NONE,
    },
    {
      name: `${name}: answered "verified" and not spent`,
      value: await countVerified(service, verified),
      unit: `of ${verified.length}`,
      bound: NONE,
    },
    {
      name: `${name}: until a token is verified again, without a restart`,
      value: recoveryMs,
      unit: "ms",
      bound: { kind: "at_most", value: WITHIN_MS.recovery },
    },
    {
      name: `${name}: stack traces`,
      value: countStackTraces(service.log()),
      unit: "",
      bound: NONE,
    },
  ];
}

async function full(): Promise<readonly (Figure | Skipped)[]> {
  const name = "full disk";
  const figures = await withSmallDisk(DISK_MEGABYTES, (disk) =>
    withService({ STILE_DATA_DIR: join(disk.path, "data") }, async (service) => {
      const worn = await mintTokens({ ...service, count: SPARE });
      return await through(service, name, async () => {
        disk.fill();
        // The log continues in its remaining room, until that is used up.
        do await countVerified(service, worn);
        while ((await fetch(`${service.baseUrl}/readyz`)).status !== 503);
        return { lift: async () => disk.empty() };
      });
    }),
  );
  return figures ?? [{ name, skipped: NO_MOUNT }];
}

const failing = (name: string, error: string) =>
  withService({}, (service) =>
    through(service, name, () => injectFault(service.pid(), WRITES, `error=${error}`)),
  );

const held = () =>
  withService({}, (service) =>
    through(service, "held by another process", async () => {
      const holder = await holdDatabase(join(service.dataDirectory, "stile.sqlite"));
      return { lift: holder.release };
    }),
  );

/** A store that can be read but not written, for four reasons. */
export const stuckStore: Trial<Figure | Skipped> = {
  name: "stuck-store",
  tries: `${DURING} redemptions in ${(DURING * EVERY_MS) / 1000} s while the disk is full, read-only or broken, or the database held`,
  needs: [STRACE],
  run: async () => [
    ...(await full()),
    ...(await failing("read-only disk", "EROFS")),
    ...(await failing("broken disk (EIO)", "EIO")),
    ...(await held()),
  ],
};
