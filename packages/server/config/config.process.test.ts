import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { TEST_KEYS } from "@stile/core/domain/site/test-keys";
import { configOf, problemsOf } from "@stile/testkit/service/config-of";
import { inCountry, writeCountryFile } from "@stile/testkit/service/country-file";
import { readConfig } from "./config.ts";

const directory = mkdtempSync(join(tmpdir(), "stile-config-"));
after(() => rmSync(directory, { recursive: true }));

function fileWith(text: string): string {
  const file = join(directory, `${Math.trunc(performance.now() * 1000)}`);
  writeFileSync(file, text);
  return file;
}

test("gives the defaults of D17 (settings) for an empty environment", () => {
  const { trustedProxies, ...config } = configOf({});
  assert.deepEqual(config, {
    host: "127.0.0.1",
    port: 8787,
    descriptor: undefined,
    dataDirectory: resolve("./stile-data"),
    baseUrl: undefined,
    isPlaceNamed: false,
    databaseUrl: undefined,
    masterKey: undefined,
    logLevel: "info",
    isDemoOn: true,
    testHosts: "private",
    powAlgorithm: "hashwx",
    countryDatabase: undefined,
    tlsFingerprintHeader: undefined,
    signedAgents: undefined,
    gate: undefined,
    limits: {
      verify: 1000,
      score: 500,
      challenge: 100,
      challengeTotal: 10_000,
      tokensPerHour: undefined,
    },
    metrics: undefined,
  });
  assert.deepEqual(trustedProxies.rules, []);
});

test("takes SHA-256 as the only alternative to the puzzle's algorithm (proof of work)", () => {
  assert.equal(configOf({ STILE_POW_ALGORITHM: "sha256" }).powAlgorithm, "sha256");
  const [problem] = problemsOf({ STILE_POW_ALGORITHM: "md5" });
  assert.match(problem ?? "", /^STILE_POW_ALGORITHM must be one of hashwx, sha256/);
});

test("serves metrics on a port of this machine, or on an address and a port (D17, settings)", () => {
  const place = (text: string) => configOf({ STILE_METRICS: text }).metrics;
  assert.deepEqual(place("9464"), { host: "127.0.0.1", port: 9464 });
  assert.deepEqual(place("10.0.0.5:0"), { host: "10.0.0.5", port: 0 });
  assert.deepEqual(place("[::1]:9464"), { host: "::1", port: 9464 });
  assert.deepEqual(place("localhost:9464"), { host: "localhost", port: 9464 });
  for (const text of [
    "on",
    "65536",
    "x:",
    ":9464",
    "::1:9464",
    "[x]:9464",
    "1.2.3:9464",
    "http://x:9464",
    "-1",
  ]) {
    assert.match(
      problemsOf({ STILE_METRICS: text })[0] ?? "",
      /^STILE_METRICS must be a port, such as 9464, or an/,
      text,
    );
  }
  assert.match(problemsOf({ STILE_METRIC: "1" })[0] ?? "", /Did you mean STILE_METRICS\? /);
});

test("ignores foreign variables, and treats blank ones as absent", () => {
  assert.deepEqual(
    problemsOf({ PATH: "/bin", STILE: "x", MY_STILE_PORT: "x", STILE_PORT: " ", STILE_HOST: "" }),
    [],
  );
  assert.equal(configOf({ STILE_PORT: " 80 " }).port, 80);
});

test("reports every problem at once, each with the variable's name (D17, settings)", () => {
  const problems = problemsOf({
    STILE_PORT: "99999",
    STILE_BASE_URL: "stile.example",
    STILE_TRUSTED_PROXIES: "10.0.0.0/33",
    STILE_MASTER_KEY: "short",
    STILE_LOG_LEVEL: "loud",
    STILE_DEMO: "yes",
    STILE_TEST_HOSTS: "localhost, https://staging.example.org",
    STILE_GATE_SECRET_KEY: TEST_KEYS[0]?.secretKey,
    STILE_LIMIT_VERIFY: "0",
    STILE_LIMT_SCORE: "5",
  });
  const named = problems.map((problem) => problem.split(" ")[0]);
  assert.deepEqual(named.sort(), [
    "STILE_BASE_URL",
    "STILE_DEMO",
    "STILE_GATE_SECRET_KEY",
    "STILE_LIMIT_VERIFY",
    "STILE_LIMT_SCORE",
    "STILE_LOG_LEVEL",
    "STILE_MASTER_KEY",
    "STILE_PORT",
    "STILE_TEST_HOSTS",
    "STILE_TRUSTED_PROXIES",
  ]);
});

test("reports an unknown variable with the nearest known one and the way to list them all (D17, settings)", () => {
  const table = {
    STILE_PROT: "STILE_PORT",
    STILE_DATADIR: "STILE_DATA_DIR",
    STILE_LIMIT_CHALLENGES: "STILE_LIMIT_CHALLENGE",
    STILE_TRUST_PROXY: "STILE_TRUSTED_PROXIES",
    STILE_BASEURL: "STILE_BASE_URL",
    stile_port: "STILE_PORT",
    Stile_Data_Dir_File: "STILE_DATA_DIR",
  };
  for (const [unknown, nearest] of Object.entries(table)) {
    assert.deepEqual(problemsOf({ [unknown]: "x" }), [
      `${unknown} is not a setting. Did you mean ${nearest}? All of them: npm start -- --help`,
    ]);
  }
});

test("refuses a data directory written for a shell, because its letters name another directory (D17, settings)", () => {
  for (const path of [
    "~/stile",
    "~",
    '"/var/lib/stile"',
    "'/var/lib/stile'",
    "/var/lib/stile\n/x",
  ]) {
    assert.match(problemsOf({ STILE_DATA_DIR: path })[0] ?? "", /^STILE_DATA_DIR must be /, path);
  }
  assert.match(
    problemsOf({ STILE_DATA_DIR: "~/stile" })[0] ?? "",
    /such as \/var\/lib\/stile; only a shell reads ~ and quotes/,
  );
  for (const path of ["./~/stile", "/srv/a b", "/srv/it's", "x~"])
    assert.deepEqual(problemsOf({ STILE_DATA_DIR: path }), []);
});

test("takes numbers within their bounds and nothing else", () => {
  for (const port of ["0", "1", "65535"])
    assert.equal(configOf({ STILE_PORT: port }).port, Number(port));
  for (const port of ["-1", "65536", "1e3", "0x10", "80.5", "80 81", "٣"])
    assert.equal(problemsOf({ STILE_PORT: port }).length, 1, port);
  const names = ["VERIFY", "SCORE", "CHALLENGE", "CHALLENGE_TOTAL", "TOKENS"];
  const limits = Object.fromEntries(
    names.map((name, i) => [`STILE_LIMIT_${name}`, i === 3 ? "10000000" : `${i + 1}`]),
  );
  assert.deepEqual(Object.values(configOf(limits).limits), [1, 2, 3, 10_000_000, 5]);
  assert.equal(problemsOf({ STILE_LIMIT_CHALLENGE_TOTAL: "10000001" }).length, 1);
});

test("names the replacement of the former reserve (D10, limits; D17, settings)", () => {
  for (const name of ["STILE_LIMIT_RESERVE", "STILE_LIMIT_RESERVE_FILE"]) {
    assert.match(
      problemsOf({ [name]: "5" })[0] ?? "",
      new RegExp(`^${name} is gone: .*STILE_LIMIT_CHALLENGE_TOTAL`),
    );
  }
});

test("takes the path of a country database, directly or from a file (D17, settings)", () => {
  assert.equal(
    configOf({ STILE_COUNTRY_DATABASE: "geo/x.mmdb" }).countryDatabase,
    resolve("geo/x.mmdb"),
  );
  assert.equal(
    configOf({ STILE_COUNTRY_DATABASE_FILE: fileWith("/var/geo/x.mmdb\n") }).countryDatabase,
    "/var/geo/x.mmdb",
  );
  const database = join(directory, "x.mmdb");
  writeFileSync(database, writeCountryFile({ "192.0.2.0/24": inCountry("DE") }));
  assert.deepEqual(
    problemsOf({ STILE_COUNTRY_DATABASE_FILE: database }),
    ["STILE_COUNTRY_DATABASE must be the path of a file."],
    "the database itself where a file with its path is meant",
  );
});

test("refuses signed bots without the address that their signatures cover, and names it (D9, submission; D17, settings)", () => {
  assert.match(
    problemsOf({ STILE_SIGNED_AGENTS: "a" }).join(),
    /^STILE_SIGNED_AGENTS needs STILE_BASE_URL: .* it\.$/,
  );
  assert.equal(
    configOf({ STILE_SIGNED_AGENTS: "a", STILE_BASE_URL: "http://a.de" }).signedAgents,
    resolve("a"),
  );
});

test("takes a web address as base and drops its trailing slash (D17, settings)", () => {
  assert.equal(
    configOf({ STILE_BASE_URL: "https://stile.example/" }).baseUrl,
    "https://stile.example",
  );
  assert.equal(
    configOf({ STILE_BASE_URL: "http://localhost:8787" }).baseUrl,
    "http://localhost:8787",
  );
  for (const url of [
    "ftp://a.b",
    "https://",
    "//a.b",
    "https://u@a.b",
    "https://:p@a.b",
    "https://a.b/?q",
    "https://a.b/#h",
    "https://a.b/stile",
    "https://a.b//stile/",
    "a.b",
  ]) {
    assert.equal(problemsOf({ STILE_BASE_URL: url }).length, 1, url);
  }
});

test("takes proxies as addresses and CIDRs of both families (D14, client address; D17, settings)", () => {
  const { trustedProxies } = configOf({
    STILE_TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.1,2001:db8::/32 ,::1",
  });
  for (const [address, family] of [
    ["10.255.0.1", "ipv4"],
    ["192.0.2.1", "ipv4"],
    ["2001:db8:ffff::1", "ipv6"],
    ["::1", "ipv6"],
  ] as const) {
    assert.equal(trustedProxies.check(address, family), true, address);
  }
  for (const address of ["11.0.0.1", "192.0.2.2"])
    assert.equal(trustedProxies.check(address, "ipv4"), false, address);
  for (const text of [
    "x",
    "10.0.0.0/",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/8/9",
    "10.0.0.1,",
    "fe80::1%eth0",
    "10.0.0.0/-1",
    "a.example",
  ]) {
    assert.equal(problemsOf({ STILE_TRUSTED_PROXIES: text }).length, 1, text);
  }
});

test("takes a master key of exactly 32 bytes in base64, and never repeats it in a problem (D17, settings)", () => {
  const key = Buffer.alloc(32, 7);
  for (const text of [key.toString("base64"), key.toString("base64url")]) {
    assert.deepEqual(Buffer.from(configOf({ STILE_MASTER_KEY: text }).masterKey ?? []), key);
  }
  for (const wrong of [
    Buffer.alloc(31, 7).toString("base64"),
    Buffer.alloc(33, 7).toString("base64"),
    `${key.toString("base64")}x`,
    "secret!",
  ]) {
    const [problem = "", ...others] = problemsOf({ STILE_MASTER_KEY: wrong });
    assert.equal(others.length, 0);
    assert.match(problem, /^STILE_MASTER_KEY must be 32 bytes/);
    assert.equal(problem.includes(wrong), false);
  }
});

test("turns the demo on by default only on loopback (D17, settings)", () => {
  const table = {
    "127.0.0.1": true,
    "::1": true,
    localhost: true,
    "0.0.0.0": false,
    "::": false,
    "192.0.2.1": false,
  };
  for (const [host, isOn] of Object.entries(table))
    assert.equal(configOf({ STILE_HOST: host }).isDemoOn, isOn, host);
  assert.equal(configOf({ STILE_HOST: "0.0.0.0", STILE_DEMO: "on" }).isDemoOn, true);
  assert.equal(configOf({ STILE_DEMO: "off" }).isDemoOn, false);
  const handed = readConfig({}, 3);
  assert.ok(
    handed.kind === "config" && !handed.config.isDemoOn,
    "a handed socket may be anybody's",
  );
});

test("turns the demo off by default if a proxy or an address for browsers is set, since strangers come there (D17, settings)", () => {
  const base = { STILE_BASE_URL: "https://stile.example.org" };
  const proxies = { STILE_TRUSTED_PROXIES: "127.0.0.1" };
  for (const environment of [base, proxies, { ...base, ...proxies }]) {
    assert.equal(configOf(environment).isDemoOn, false);
    assert.equal(configOf({ ...environment, STILE_DEMO: "on" }).isDemoOn, true);
  }
});

test("takes a host as an address or a name, without brackets, port or scheme (D17, settings)", () => {
  for (const host of [
    "0.0.0.0",
    "::",
    "fe80::1%eth0",
    "localhost",
    "stile.internal",
    "my_container",
    "stile-1",
  ]) {
    assert.equal(configOf({ STILE_HOST: host }).host, host);
  }
  const none = [
    "999.1.1.1",
    "1.2.3",
    "0x7f.1",
    "[::1]",
    "localhost:80",
    "127.0.0.1:80",
    "http://localhost",
    "a b",
    "-a",
  ];
  for (const host of none) {
    const [problem = "", ...others] = problemsOf({ STILE_HOST: host });
    assert.equal(others.length, 0, host);
    assert.match(
      problem,
      /^STILE_HOST must be an address of this machine, such as 127\.0\.0\.1/,
      host,
    );
  }
});

test("accepts the samples' own name for a secret in the environment, and reports one like it (D17, settings)", () => {
  assert.deepEqual(problemsOf({ STILE_SECRET: "sk_x" }), []);
  assert.equal(problemsOf({ STILE_SECRETS: "sk_x" }).length, 1);
});

test("takes every variable from a file, without its line end (D17, settings)", () => {
  const key = Buffer.alloc(32, 9).toString("base64");
  const config = configOf({
    STILE_MASTER_KEY_FILE: fileWith(`${key}\n`),
    STILE_PORT_FILE: fileWith("99\r\n"),
    STILE_HOST_FILE: fileWith("::1"),
  });
  assert.deepEqual(
    [Buffer.from(config.masterKey ?? []).toString("base64"), config.port, config.host],
    [key, 99, "::1"],
  );
});

test("reports a missing or empty file, or one named alongside the value, and never uses a default (D17, settings)", () => {
  assert.match(
    problemsOf({ STILE_PORT_FILE: join(directory, "none") })[0] ?? "",
    /^STILE_PORT_FILE .*can't be read/,
  );
  assert.match(
    problemsOf({ STILE_PORT_FILE: " " })[0] ?? "",
    /^STILE_PORT_FILE names no file\. Give it a path, or unset it/,
  );
  assert.match(
    problemsOf({ STILE_HOST_FILE: fileWith(" \n") })[0] ?? "",
    /^STILE_HOST_FILE .*is empty/,
  );
  assert.match(
    problemsOf({ STILE_PORT: "1", STILE_PORT_FILE: fileWith("2") })[0] ?? "",
    /both set/,
  );
  assert.match(problemsOf({ STILE_PORT_FILE: fileWith("x") })[0] ?? "", /^STILE_PORT must be/);
});
