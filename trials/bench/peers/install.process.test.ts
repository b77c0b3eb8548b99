import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { installPeers, PEER_VERSIONS, PeersMissing } from "./install.ts";

/** Replaces npm by a program that always fails. */
async function withoutNpm(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "stile-bench-install-"));
  const before = process.env.npm_execpath;
  const failing = join(folder, "failing.mjs");
  writeFileSync(failing, "process.exit(1);\n");
  process.env.npm_execpath = failing;
  try {
    await run(join(folder, "peers"));
  } finally {
    if (before === undefined) delete process.env.npm_execpath;
    else process.env.npm_execpath = before;
    rmSync(folder, { recursive: true, force: true });
  }
}

function lay(folder: string, versions: Readonly<Record<string, string>>): void {
  for (const [name, version] of Object.entries(versions)) {
    const place = join(folder, "node_modules", name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "package.json"), JSON.stringify({ name, version, main: "index.js" }));
    writeFileSync(join(place, "index.js"), `module.exports = { name: ${JSON.stringify(name)} };`);
  }
}

test("pins every version exactly", () => {
  for (const version of Object.values(PEER_VERSIONS)) assert.match(version, /^\d+\.\d+\.\d+$/);
});

test("loads installed peers of the right versions by their names, without calling npm", async () => {
  await withoutNpm(async (folder) => {
    lay(folder, PEER_VERSIONS);
    const peers = await installPeers(folder);
    const { default: cap } = (await peers.load("@cap.js/server")) as { default: { name: string } };
    assert.equal(cap.name, "@cap.js/server");
    assert.equal(peers.versionOf("altcha-lib"), PEER_VERSIONS["altcha-lib"]);
  });
});

test("does not measure another version, and says in one sentence what to do if npm fails", async () => {
  await withoutNpm(async (folder) => {
    lay(folder, { ...PEER_VERSIONS, "friendly-pow": "0.2.1" });
    await assert.rejects(installPeers(folder), (error) => {
      assert.ok(error instanceof PeersMissing);
      assert.match(
        error.message,
        /^npm could not install the peers into [^;]+; check the network [^.]*, then run the command again\.$/,
      );
      return true;
    });
  });
});
