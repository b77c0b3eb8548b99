import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "@stile/testkit/trials/debian-programs";

const root = join(import.meta.dirname, "..", "..", "..");
const UNITS = join(root, "deploy", "systemd");

function analyze(folder: string, ...args: readonly string[]) {
  return spawnSync("systemd-analyze", args, { cwd: folder, encoding: "utf8" });
}

for (const hasNetwork of [false, true]) {
  test(`the units are sound and confined, ${hasNetwork ? "with" : "without"} a network`, {
    skip: skipWithout("/usr/bin/systemd-analyze"),
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), "stile-units-"));
    try {
      for (const name of ["stile.service", "stile.socket"]) {
        writeFileSync(
          join(folder, name),
          readFileSync(join(UNITS, name), "utf8").replaceAll("/opt/stile", root),
        );
      }
      const more = join(folder, "stile.service.d");
      mkdirSync(more);
      if (hasNetwork) cpSync(join(UNITS, "network.conf"), join(more, "network.conf"));
      const verified = analyze(folder, "verify", "./stile.service", "./stile.socket");
      assert.deepEqual([verified.status, verified.stdout + verified.stderr], [0, ""]);
      // systemd's measure of exposure in tenths, 0 to 100.
      const most = hasNetwork ? 15 : 10;
      const exposure = analyze(
        folder,
        "security",
        "--offline=true",
        `--threshold=${most}`,
        "./stile.service",
      );
      assert.equal(
        exposure.status,
        0,
        exposure.stdout.split("\n").slice(-3).join("\n") + exposure.stderr,
      );
      writeFileSync(
        join(more, "z.conf"),
        "[Service]\nProtectSystem=no\nNoNewPrivileges=no\nPrivateDevices=no\nUser=root\n",
      );
      assert.notEqual(
        analyze(folder, "security", "--offline=true", `--threshold=${most}`, "./stile.service")
          .status,
        0,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
