import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, suite, type TestContext, test } from "node:test";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { redeem } from "@stile/testkit/service/redeem";
import { assertOneLine, snapshot } from "@stile/testkit/service/refused-start";
import { runServer, runStile } from "@stile/testkit/service/run-command";
import { type RunningService, startService } from "@stile/testkit/service/service";
import { mountSmallDisk, type SmallDisk } from "@stile/testkit/service/small-disk";

const DISK_BYTES = 4 << 20;
const REFUSED_REQUESTS = 3000;
/** A log line of a fault is about 1 KB, and two or three kinds of jobs fail too. */
const MOST_LOG_BYTES = 20_000;

const folder = mkdtempSync(join(tmpdir(), "stile-full-"));
/** The directory of a stopped service. */
const whole = join(folder, "whole");

before(async () => {
  const service = await startService({ STILE_LOG_LEVEL: "silent", STILE_DATA_DIR: whole });
  await service.stop();
});
after(() => rmSync(folder, { recursive: true, force: true }));

const environmentOf = (path: string) => ({ STILE_DATA_DIR: path, STILE_PORT: "0" });

/** Runs `body` with a small disk, or skips the test and says why. */
async function withDisk(
  context: TestContext,
  body: (disk: SmallDisk) => Promise<void>,
): Promise<void> {
  const disk = mountSmallDisk(DISK_BYTES);
  if (typeof disk === "string") {
    context.skip(disk);
    return;
  }
  try {
    await body(disk);
  } finally {
    disk.remove();
  }
}

/**
 * Fills the disk and the free space of the log, which the service reuses from its start after a
 * checkpoint.
 */
async function useUp(disk: SmallDisk, service: RunningService, spent: string): Promise<void> {
  disk.fill();
  for (let status = 200; status !== 503; ) {
    await Promise.all(Array.from({ length: 20 }, () => redeem(service, spent)));
    status = (await fetch(`${service.baseUrl}/readyz`)).status;
  }
}

suite("a disk that is full or read-only (D15, outage; D16, operator)", () => {
  for (const [what, isMade] of [
    ["before the first start", false],
    ["of an installation", true],
  ] as const) {
    test(`full ${what}: the error has path and cause, and nothing changes`, async (context) => {
      await withDisk(context, async (disk) => {
        if (isMade) cpSync(whole, disk.path, { recursive: true });
        disk.fill();
        const was = snapshot(disk.path);
        const told = /data directory \S+ can't be \w+( to)? \(the disk is full\)\. Make room/;
        assertOneLine(await runServer(environmentOf(disk.path)), told);
        assertOneLine(await runStile(["init"], environmentOf(disk.path)), told);
        assert.deepEqual(snapshot(disk.path), was);
      });
    });

    test(`read-only ${what}: the error has path and cause, and nothing changes`, async (context) => {
      await withDisk(context, async (disk) => {
        if (isMade) cpSync(whole, disk.path, { recursive: true });
        const was = snapshot(disk.path);
        disk.makeReadOnly();
        const told =
          /data directory \S+ can't be written to \(it is read-only\)\. Make it writable/;
        assertOneLine(await runServer(environmentOf(disk.path)), told);
        assert.deepEqual(snapshot(disk.path), was);
      });
    });
  }

  test("a backup that does not fit on the disk names its file and leaves nothing there", async (context) => {
    await withDisk(context, async (disk) => {
      const file = join(disk.path, "backup");
      disk.fill();
      const was = snapshot(disk.path);
      const told = await runStile(["backup", file], environmentOf(whole));
      assertOneLine(
        told,
        /^stile: \S+\/backup can't be written \(the disk is full\)\. Fix that, or name a file elsewhere\.\n$/,
      );
      assert.deepEqual(snapshot(disk.path), was);
    });
  });

  test("a restore that fills the disk leaves the previous files, and nothing else", async (context) => {
    const backup = join(folder, "large");
    assert.equal((await runStile(["backup", backup], environmentOf(whole))).code, 0);
    const large = new DatabaseSync(backup);
    large.exec(`CREATE TABLE filler AS SELECT randomblob(${2 * DISK_BYTES}) AS bytes`);
    large.close();
    await withDisk(context, async (disk) => {
      cpSync(whole, disk.path, { recursive: true });
      const was = snapshot(disk.path);
      const told = await runStile(["restore", backup], environmentOf(disk.path));
      assertOneLine(
        told,
        /data directory \S+ can't be used \(the disk is full\)\. Make room and try again\.\n$/,
      );
      assert.deepEqual(snapshot(disk.path), was);
    });
  });

  test(`full under ${REFUSED_REQUESTS} requests: each gets a 503, and the log stays small`, async (context) => {
    await withDisk(context, async (disk) => {
      const settings = {
        STILE_LOG_LEVEL: "error",
        STILE_LIMIT_VERIFY: "1000000",
        STILE_DATA_DIR: disk.path,
      };
      const service = await startService(settings);
      try {
        const [token = ""] = await mintTokens({ ...service, count: 1 });
        await useUp(disk, service, token);
        let refused = 0;
        while (refused < REFUSED_REQUESTS) {
          const answers = await Promise.all(
            Array.from({ length: 50 }, () => redeem(service, token)),
          );
          for (const { status } of answers) assert.equal(status, 503);
          refused += answers.length;
        }
        assert.match(service.log(), /The store failed or did not answer/);
        assert.ok(service.log().length < MOST_LOG_BYTES, `${service.log().length} bytes`);
        console.log(`${refused} requests refused with 503: ${service.log().length} bytes of log`);
      } finally {
        await service.dispose();
      }
    });
  });

  test("SIGTERM while the disk is full: one line names the lost writes, exit 1, the lock is free", async (context) => {
    await withDisk(context, async (disk) => {
      const service = await startService({ STILE_LOG_LEVEL: "silent", STILE_DATA_DIR: disk.path });
      try {
        const tokens = await mintTokens({ ...service, count: 2 });
        assert.equal((await redeem(service, tokens[0] ?? "")).body.data.verified, true);
        await useUp(disk, service, tokens[0] ?? "");
        assert.equal((await redeem(service, tokens[1] ?? "")).status, 503);
        assert.equal(await service.stop(), 1);
        assert.match(
          service.log(),
          /^stile: Stopped, but [^\n]+ could not be written[^\n]+disk is full[^\n]+\n$/,
        );
        assert.match(
          (await runStile(["doctor"], environmentOf(disk.path))).stdout,
          /No server is running/,
        );
        disk.free();
        await service.restart();
        const reasons = await Promise.all(tokens.map((token) => redeem(service, token)));
        assert.deepEqual(
          reasons.map(({ body }) => body.reasonCode ?? "verified"),
          ["token_already_used", "verified"],
        );
      } finally {
        await service.dispose();
      }
    });
  });
});
