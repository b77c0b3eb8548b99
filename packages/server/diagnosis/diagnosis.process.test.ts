import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import { configOf } from "@stile/testkit/service/config-of";
import { pino } from "pino";
import { composeService } from "../compose/compose.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { diagnoseSettings, diagnoseTime } from "./diagnosis.ts";

const folder = mkdtempSync(join(tmpdir(), "stile-diagnosis-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const configWith = (settings: Readonly<Record<string, string>>) =>
  configOf({ STILE_DATA_DIR: folder, STILE_PORT: "0", ...settings });

const INSECURE =
  "No one can sign in to the dashboard at http://stile.example: it is not encrypted, and browsers keep the session cookie only over " +
  "https or on localhost. Put a TLS proxy in front of the service, and set STILE_BASE_URL to its https address.";

test("warns about an address at which browsers keep no session, but not about this machine's (D16, operator)", () => {
  const told = (settings: Readonly<Record<string, string>>): string => {
    const findings = diagnoseSettings(configWith(settings), openDataDirectory(folder), false);
    const { level, text, fix } =
      findings.find((it) => /STILE_BASE_URL|Browsers reach|sign in/.test(it.text)) ??
      assert.fail("nothing is told");
    return [level, text, fix].filter((part) => part !== undefined).join(" ");
  };
  assert.equal(told({ STILE_BASE_URL: "http://stile.example" }), `warn ${INSECURE}`);
  assert.match(told({ STILE_BASE_URL: "http://192.168.1.5:8787" }), /^warn No one can sign in /);
  assert.equal(
    told({ STILE_BASE_URL: "https://stile.example" }),
    "ok Browsers reach it at https://stile.example",
  );
  assert.equal(
    told({ STILE_BASE_URL: "http://localhost:8787" }),
    "ok Browsers reach it at http://localhost:8787",
  );
  assert.match(told({ STILE_HOST: "0.0.0.0" }), /^warn STILE_BASE_URL is not set\. /);
  assert.match(told({}), /^ok Runs on this machine only /);
});

test("warns about trusted proxies that cover everybody, since any client could then forge its address (D14, client address)", () => {
  const told = (STILE_TRUSTED_PROXIES: string): string | undefined =>
    diagnoseSettings(configWith({ STILE_TRUSTED_PROXIES }), openDataDirectory(folder), false)
      .filter(({ level }) => level === "warn")
      .find(({ text }) => text.startsWith("STILE_TRUSTED_PROXIES"))?.fix;
  const fix =
    "List only the addresses of your proxies, such as 10.0.0.0/8, and restart the server.";
  for (const all of ["0.0.0.0/0", "10.0.0.0/8, ::/0", "192.0.0.0/2", "2000::/3"])
    assert.equal(told(all), fix, all);
  for (const own of ["10.0.0.0/8, fc00::/7", "127.0.0.1, ::1", "173.245.48.0/20, 2400:cb00::/32"])
    assert.equal(told(own), undefined, own);
});

test("reports a time ahead of this machine's clock in a fitting unit, with the way back (D16, operator)", () => {
  const told = (aheadMs: number): string =>
    diagnoseTime(Date.now() + aheadMs, Date.now())[0]?.text ?? "";
  for (const aheadMs of [-86_400_000, 0, 59_000]) assert.equal(told(aheadMs), "");
  assert.match(told(65_000), / 1 minute ahead of this machine's clock/);
  assert.match(told(45 * 60_000), / 45 minutes ahead /);
  assert.match(told(5 * 3_600_000), / 5 hours ahead /);
  assert.match(told(365 * 86_400_000), / 365 days ahead /);
  assert.match(
    diagnoseTime(1e13, 0)[0]?.fix ?? "",
    /If the clock is wrong, set it\. .* backup FILE" and .* restore FILE"/,
  );
});

test("logs the same findings at a start (D17, settings)", async () => {
  const lines: string[] = [];
  const log = pino(
    { level: "warn" },
    { write: (line: string) => void lines.push(JSON.parse(line).msg) },
  );
  for (const settings of [
    { STILE_BASE_URL: "https://stile.example", STILE_TRUSTED_PROXIES: "10.0.0.0/8" },
    { STILE_BASE_URL: "http://stile.example" },
    { STILE_BASE_URL: "https://stile.example", STILE_TRUSTED_PROXIES: "0.0.0.0/0" },
    { STILE_BASE_URL: "https://stile.example", STILE_TEST_HOSTS: "staging.example" },
  ]) {
    const service = await composeService(configWith(settings), log, { store: createMemoryStore() });
    await service.listen();
    await service.stop();
  }
  assert.deepEqual([lines.length, lines[0]], [3, INSECURE]);
  assert.match(
    lines[1] ?? "",
    /^STILE_TRUSTED_PROXIES covers all addresses.* List only the addresses of your proxies/,
  );
  assert.match(lines[2] ?? "", /^Test keys work on staging.example\. .* remove STILE_TEST_HOSTS/);
});
