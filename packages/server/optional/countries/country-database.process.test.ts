import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import { configOf } from "@stile/testkit/service/config-of";
import {
  type FileOptions,
  type FileValue,
  inCountry,
  type Networks,
  writeCountryFile,
} from "@stile/testkit/service/country-file";
import { pino } from "pino";
import { countries } from "./countries.ts";
import {
  type CountryDatabase,
  CountryDatabaseProblem,
  openCountryDatabase,
} from "./country-database.ts";

const directory = mkdtempSync(join(tmpdir(), "stile-country-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** A file with that content, last changed at that second of 1970. */
function put(name: string, bytes: Uint8Array, changedAtSeconds = 1): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  utimesSync(path, changedAtSeconds, changedAtSeconds);
  return path;
}

function open(networks: Networks, options: FileOptions = {}): Promise<CountryDatabase> {
  return openCountryDatabase(put("open.mmdb", writeCountryFile(networks, options)));
}

function at(database: CountryDatabase, ip: string): string | undefined {
  return database.countryOf(parseIpAddress(ip) ?? assert.fail(ip));
}

const V4: Networks = {
  "203.0.113.0/24": inCountry("DE"),
  "198.51.100.128/25": inCountry("NZ"),
  "8.8.8.8/32": inCountry("US"),
};
const BOTH: Networks = {
  ...V4,
  "2001:db8:1::/48": inCountry("JP"),
  "2001:db8:2::1/128": inCountry("BR"),
};

for (const recordSize of [24, 28, 32] as const) {
  test(`finds the country of IPv4 and IPv6 addresses in a tree with records of ${recordSize} bits`, async () => {
    const database = await open(BOTH, { recordSize });
    const inside = {
      "203.0.113.0": "DE",
      "203.0.113.255": "DE",
      "198.51.100.128": "NZ",
      "8.8.8.8": "US",
    };
    const inside6 = {
      "2001:db8:1::": "JP",
      "2001:db8:1:ffff::1": "JP",
      "2001:db8:2::1": "BR",
      "::ffff:8.8.8.8": "US",
    };
    for (const [ip, code] of Object.entries({ ...inside, ...inside6 }))
      assert.equal(at(database, ip), code, ip);
    const outside = [
      "203.0.112.255",
      "203.0.114.0",
      "198.51.100.127",
      "8.8.8.9",
      "127.0.0.1",
      "0.0.0.0",
    ];
    for (const ip of [
      ...outside,
      "2001:db8:0:ffff::",
      "2001:db8:3::",
      "2001:db8:2::2",
      "::",
      "fd00::1",
    ]) {
      assert.equal(at(database, ip), undefined, ip);
    }
  });
}

test("knows no IPv6 address in a database of IPv4 alone, not even by its first 32 bits", async () => {
  // 2001:db8:: starts with the bytes of 32.1.13.184.
  const database = await open(
    { ...V4, "32.1.13.0/24": inCountry("FR") },
    { ipVersion: 4, recordSize: 24 },
  );
  assert.equal(at(database, "32.1.13.184"), "FR");
  assert.equal(at(database, "203.0.113.7"), "DE");
  assert.equal(at(database, "2001:db8::1"), undefined);
});

test("takes the code from the usual providers' fields", async () => {
  const records: readonly FileValue[] = [
    { country: { iso_code: "DE" } },
    { country_code: "DE", country: "Germany", continent_code: "EU" },
    { country: "DE" },
    { country: { iso_code: "DE" }, country_code: "FR" },
  ];
  for (const record of records)
    assert.equal(at(await open({ "192.0.2.0/24": record }), "192.0.2.1"), "DE");
});

test("accepts only codes of two upper-case letters as countries, so that no file can grow the statistics", async () => {
  const wrong: readonly FileValue[] = [
    "de",
    "D",
    "DEU",
    "D1",
    "--",
    "",
    "D:",
    "DE\n",
    49,
    ["DE"],
    { code: "DE" },
  ];
  const records: readonly FileValue[] = [
    ...wrong.map((code) => ({ country: { iso_code: code } })),
    ...wrong.map((code) => ({ country_code: code })),
    ...wrong,
    {},
    { registered_country: { iso_code: "US" } },
    { autonomous_system_number: 64_500, autonomous_system_organization: "DE" },
    { country: ["DE"] },
    { constructor: { iso_code: "DE" } },
  ];
  for (const record of records) {
    assert.equal(
      at(await open({ "192.0.2.0/24": record }), "192.0.2.1"),
      undefined,
      JSON.stringify(record),
    );
  }
});

test("describes itself for the operator", async () => {
  assert.equal(
    (await open(V4, { type: "GeoLite2-Country" })).title(),
    "GeoLite2-Country of 2026-05-01",
  );
});

test("refuses a missing file, a folder or an incomplete database, with what to do (D17, settings)", async () => {
  const whole = writeCountryFile(BOTH);
  const files = {
    "empty.mmdb": Buffer.alloc(0),
    "text.mmdb": Buffer.from("<html>Sign in to download</html>".repeat(50)),
    "half.mmdb": whole.subarray(0, whole.length / 2),
    "tail.mmdb": whole.subarray(whole.length - 300),
    "marker.mmdb": Buffer.from("abcdef4d61784d696e642e636f6d", "hex"),
    "packed.mmdb.gz": Buffer.concat([Buffer.from("1f8b0800", "hex"), Buffer.alloc(2000, 7)]),
  };
  const refusal = (path: string, what: RegExp) => (error: unknown) =>
    error instanceof CountryDatabaseProblem &&
    error.message.includes(path) &&
    what.test(error.message);
  for (const [name, bytes] of Object.entries(files)) {
    const path = put(name, bytes);
    await assert.rejects(
      openCountryDatabase(path),
      refusal(path, /not a complete MaxMind database.*Download it again/),
      name,
    );
  }
  for (const path of [
    join(directory, "missing.mmdb"),
    directory,
    join(directory, "empty.mmdb", "x"),
  ]) {
    await assert.rejects(
      openCountryDatabase(path),
      refusal(path, /can't be read\. Check the path and its permissions/),
    );
  }
});

test("refuses a file cut at either end, or answers with a code or not at all", async () => {
  const whole = writeCountryFile(BOTH);
  for (let length = 0; length < whole.length; length += 7) {
    for (const bytes of [whole.subarray(0, length), whole.subarray(length + 1)]) {
      const opened = await openCountryDatabase(put("cut.mmdb", bytes)).catch(
        (error: unknown) => error,
      );
      if (opened instanceof CountryDatabaseProblem) continue;
      const answer = at(opened as CountryDatabase, "203.0.113.7");
      assert.ok(answer === undefined || /^[A-Z]{2}$/.test(answer), `${length}: ${answer}`);
    }
  }
});

test("never throws at a visitor for a file with one wrong byte, and reports its damage at most once", async () => {
  const whole = writeCountryFile(BOTH);
  let damaged = 0;
  for (let index = 0; index < whole.length; index++) {
    const bytes = Buffer.from(whole);
    bytes[index] = (bytes[index] ?? 0) ^ 0xff;
    let told = 0;
    const path = put("flipped.mmdb", bytes);
    const opened = await openCountryDatabase(path, () => told++).catch((error: unknown) => error);
    if (opened instanceof CountryDatabaseProblem) continue;
    for (const ip of ["203.0.113.7", "203.0.113.7", "2001:db8:1::1", "8.8.8.8", "2001:db8:2::1"]) {
      assert.match(at(opened as CountryDatabase, ip) ?? "DE", /^[A-Z]{2}$/);
    }
    assert.ok(told <= 1);
    damaged += told;
  }
  assert.ok(damaged > 0, "some of these files break in a lookup only");
});

/** A file whose tree is complete, but whose values point to themselves without end. */
function endless(): Buffer {
  const bytes = writeCountryFile({ "203.0.113.0/24": inCountry("DE") });
  const first = bytes.indexOf("continent") - 2;
  // A two-byte pointer to offset 0 of the data section, where the pointer itself is.
  bytes.set([0x20, 0x00], first);
  return bytes;
}

test("ignores a damaged file until it is replaced, and reports it once", async () => {
  let told = 0;
  const path = put("endless.mmdb", endless());
  const database = await openCountryDatabase(path, () => told++);
  for (let i = 0; i < 3; i++) assert.equal(at(database, "203.0.113.7"), undefined);
  assert.equal(told, 1);
  await database.refresh();
  assert.equal(at(database, "203.0.113.7"), undefined, "the same file");
  put("endless.mmdb", writeCountryFile(V4), 2);
  await database.refresh();
  assert.equal(at(database, "203.0.113.7"), "DE");
  assert.equal(told, 1);
});

test("reads the file again when its time changes, and only then", async () => {
  const path = put(
    "live.mmdb",
    writeCountryFile({ "203.0.113.0/24": inCountry("DE") }, { type: "Old" }),
  );
  const database = await openCountryDatabase(path);
  put("live.mmdb", writeCountryFile({ "203.0.113.0/24": inCountry("NZ") }, { type: "New" }), 1);
  await database.refresh();
  assert.deepEqual([at(database, "203.0.113.7"), database.title()], ["DE", "Old of 2026-05-01"]);
  utimesSync(path, 2, 2);
  await database.refresh();
  assert.deepEqual([at(database, "203.0.113.7"), database.title()], ["NZ", "New of 2026-05-01"]);
});

test("reports a broken or missing new file, and continues to use the old content", async () => {
  const path = put("live.mmdb", writeCountryFile(V4));
  const database = await openCountryDatabase(path);
  put("live.mmdb", writeCountryFile(V4).subarray(0, 200), 2);
  for (let i = 0; i < 2; i++)
    await assert.rejects(database.refresh(), /not a complete MaxMind database/);
  assert.equal(at(database, "203.0.113.7"), "DE");
  rmSync(path);
  await assert.rejects(database.refresh(), /can't be read/);
  assert.equal(at(database, "203.0.113.7"), "DE");
  put("live.mmdb", writeCountryFile({ "203.0.113.0/24": inCountry("NZ") }), 3);
  await database.refresh();
  assert.equal(at(database, "203.0.113.7"), "NZ");
});

test("checks the file every hour, and never without the setting", async () => {
  const log = pino({ level: "silent" });
  const clock = { nowMs: () => 0 };
  const file = put("hourly.mmdb", writeCountryFile(V4));
  const config = configOf({ STILE_COUNTRY_DATABASE: file });
  const step = await countries.open({ config, clock, log });
  assert.equal(step?.refresh.everyMs, 3_600_000);
  assert.equal(await countries.open({ config: configOf({}), clock, log }), undefined);
});
