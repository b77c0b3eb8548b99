// Compares the authorities that sslmode and its files trust with libpq: an address means the same
// to the service and to `psql`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, renameSync } from "node:fs";
import { after, test } from "node:test";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { createCertificates } from "@stile/testkit/service/throw-away-certificates";
import { withLibpqEnvironment } from "../../postgres/archive/libpq-environment.ts";
import { backupPostgres } from "../../postgres/archive/postgres-backup.ts";
import { findPostgresPrograms, firstWords } from "../../postgres/archive/postgres-programs.ts";
import { restorePostgres } from "../../postgres/archive/postgres-restore.ts";
import { readConnectionOptions } from "../../postgres/engine/connection-options.ts";
import { createDatabase } from "../../postgres/engine/database.ts";
import { DatabaseProblem } from "../../postgres/engine/database-problem.ts";
import { inspectPostgres } from "../../postgres/engine/inspect-postgres.ts";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { GENEROUS_MS, untilAnswered } from "../until-answered.ts";

const { pathOf, makeAuthority, makeCertificate, dispose } = createCertificates();
after(dispose);

makeAuthority("ours");
makeAuthority("other");
makeCertificate("here", "ours", "DNS:localhost,IP:127.0.0.1");
makeCertificate("elsewhere", "ours", "DNS:db.example.org");
makeCertificate("over", "ours", "DNS:localhost", -1);
makeCertificate("node", "ours", "DNS:node");
makeCertificate("stranger", "other", "DNS:node");

const shown = (name: string) => ({
  tls: {
    certificate: pathOf(`${name}.pem`),
    key: pathOf(`${name}.key`),
    authority: pathOf("ours.pem"),
  },
});
const engine = await startPostgres({ isDurable: false, ...shown("here") });
after(engine.stop);
const urlOf = (options: string, host = "localhost", name = "postgres"): string =>
  engine.urlOf(name).replace("127.0.0.1", host) + options;
const believing = (name: string): string => `&sslrootcert=${pathOf(`${name}.pem`)}`;
const ownBy = (name: string): string =>
  `&sslcert=${pathOf(`${name}.pem`)}&sslkey=${pathOf(`${name}.key`)}`;
const { psql } = findPostgresPrograms((await inspectPostgres(urlOf("", "127.0.0.1"))).major);

/**
 * Whether the connection is encrypted, according to the engine. If it fails, the message for the
 * operator.
 */
async function connectByDriver(url: string): Promise<boolean | string> {
  const options = readConnectionOptions(url);
  const database = await createDatabase(options, GENEROUS_MS);
  try {
    await inspectPostgres(url);
    const { rows } = await database.jobs.read<{ ssl: boolean }>(
      "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    );
    return rows[0]?.ssl ?? assert.fail();
  } catch (fault) {
    assert.ok(fault instanceof DatabaseProblem, String(fault));
    assert.doesNotMatch(fault.message, /throw-away|SECURITY WARNING/);
    return fault.message;
  } finally {
    await database.close();
  }
}

/** The same, through libpq. */
async function connectByLibpq(url: string): Promise<boolean | string> {
  return await withLibpqEnvironment(url, async (variables) => {
    const args = ["-XAtw", "-c", "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"];
    const { status, stdout, stderr } = spawnSync(psql, args, {
      env: { LC_ALL: "C", ...variables },
      encoding: "utf8",
    });
    return status === 0 ? stdout.trim() === "t" : firstWords(stderr);
  });
}

async function refusalOf(url: string): Promise<string> {
  const told = await connectByDriver(url);
  return typeof told === "string" ? told : assert.fail("it was let in");
}

const [ours, other] = [believing("ours"), believing("other")];
const NOBODY = /nobody signed who is believed/;
const SHOWN = {
  here: [
    ["", false],
    ["?sslmode=disable", false],
    ["?sslmode=require", true],
    [`?sslmode=require${ours}`, true],
    [`?sslmode=require${other}`, NOBODY],
    [`?sslmode=verify-ca${ours}`, true],
    [`?sslmode=verify-ca${other}`, NOBODY],
    [`?sslmode=verify-full${ours}`, true],
    [
      `?sslmode=verify-full${other}`,
      /nobody signed who is believed .*; name the file .*: &sslrootcert=FILE at the end/,
    ],
    ["?sslmode=verify-full", NOBODY],
    ["?sslmode=verify-full&sslrootcert=system", NOBODY],
  ],
  elsewhere: [
    ["?sslmode=require", true],
    [`?sslmode=verify-ca${ours}`, true],
    [
      `?sslmode=verify-full${ours}`,
      /of another name \(.*db\.example\.org\); write a name into STILE_DATABASE_URL/,
    ],
  ],
  over: [
    ["?sslmode=require", true],
    [`?sslmode=require${ours}`, /is not valid now \(CERT_HAS_EXPIRED\); renew it/],
    [`?sslmode=verify-ca${ours}`, /is not valid now/],
    [`?sslmode=verify-full${ours}`, /is not valid now/],
  ],
} as const;

for (const [certificate, rows] of Object.entries(SHOWN)) {
  test(`trusts exactly the authorities that libpq trusts, in each sslmode: the certificate "${certificate}"`, async () => {
    await engine.restartWith(shown(certificate));
    for (const [options, expected] of rows) {
      const told = await connectByDriver(urlOf(options));
      if (expected instanceof RegExp) assert.match(String(told), expected, options);
      else assert.equal(told, expected, options);
      const byLibpq = await connectByLibpq(urlOf(options));
      const [driver, libpq] = [told, byLibpq].map((word) =>
        typeof word === "string" ? "refused" : word,
      );
      assert.equal(libpq, driver, `${options}: ${byLibpq}`);
    }
  });
}

test("compares a name or an IP address with the certificate, whichever the address has", async () => {
  await engine.restartWith(shown("here"));
  for (const host of ["localhost", "127.0.0.1"]) {
    assert.equal(await connectByDriver(urlOf(`?sslmode=verify-full${ours}`, host)), true, host);
  }
});

test("verifies the certificate even if the environment tells Node not to", async (context) => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  context.after(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  assert.match(await refusalOf(urlOf("?sslmode=verify-full")), /nobody signed who is believed/);
});

test("trusts the system's authorities with sslrootcert=system", () => {
  const url = urlOf("?sslmode=verify-full&sslrootcert=system");
  const module = new URL("../../postgres/engine/inspect-postgres.ts", import.meta.url).href;
  const script = `import { inspectPostgres } from ${JSON.stringify(module)}; console.log((await inspectPostgres(process.env.URL)).step);`;
  // OpenSSL's own variable says where the system keeps its authorities.
  const env = { ...process.env, URL: url, SSL_CERT_FILE: pathOf("ours.pem") };
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env,
    encoding: "utf8",
  });
  assert.equal(stdout, "0\n", stderr);
});

test("reports an engine without TLS, and cannot be downgraded by anything in between", async () => {
  await engine.restartWith({});
  for (const options of ["?sslmode=require", `?sslmode=verify-full${believing("ours")}`]) {
    assert.match(
      await refusalOf(urlOf(options)),
      /^PostgreSQL at localhost:\d+ speaks no TLS; turn its setting ssl on/,
    );
  }
  await engine.restartWith({ ...shown("here"), access: ["hostssl all all all scram-sha-256"] });
  assert.equal(await connectByDriver(urlOf("?sslmode=require", "127.0.0.1")), true);
  assert.match(
    await refusalOf(urlOf("", "127.0.0.1")),
    /^PostgreSQL at 127\.0\.0\.1:\d+ takes no connection from here that is not encrypted; write sslmode=verify-full/,
  );
});

test("presents its own certificate if the engine asks for one", async () => {
  await engine.restartWith({
    ...shown("here"),
    access: ["hostssl all all all scram-sha-256 clientcert=verify-ca"],
  });
  const address = (own: string): string =>
    urlOf(`?sslmode=verify-full${believing("ours")}${own}`, "127.0.0.1");
  assert.equal(await connectByDriver(address(ownBy("node"))), true);
  assert.equal(await connectByLibpq(address(ownBy("node"))), true);
  const asked =
    /asks for a certificate of this side.*: &sslcert=FILE&sslkey=FILE at the end of STILE_DATABASE_URL/;
  assert.match(await refusalOf(address("")), asked);
  assert.match(await refusalOf(address(ownBy("stranger"))), asked);
});

test("names a file that is wrong, and says what is wrong with it", async () => {
  const full = (options: string) => refusalOf(urlOf(`?sslmode=verify-full${options}`));
  const named = (option: string) => `\\(${option} of STILE_DATABASE_URL\\)`;
  for (const [options, expected] of [
    [believing("none"), `none\\.pem ${named("sslrootcert")} can't be read \\(ENOENT\\)\\.$`],
    [
      `&sslrootcert=${pathOf("ours.key")}`,
      `ours\\.key ${named("sslrootcert")} holds no certificate in PEM\\.$`,
    ],
    [ownBy("none"), `none\\.pem ${named("sslcert")} can't be read`],
    [
      `&sslcert=${pathOf("node.pem")}&sslkey=${pathOf("node.pem")}`,
      `node\\.pem ${named("sslkey")} holds no private key in PEM`,
    ],
  ] as const) {
    assert.match(await full(options), new RegExp(`^The file .*${expected}`));
  }
  const another = `&sslcert=${pathOf("node.pem")}&sslkey=${pathOf("here.key")}`;
  assert.match(
    await full(another),
    /^The key of .*here\.key \(sslkey .*\) is not that of the certificate .*node\.pem\.$/,
  );
});

test("reads the files again for each connection: a missing file fails waiting calls, and none once it is back", async (context) => {
  await engine.restartWith(shown("here"));
  const root = pathOf("renewed.pem");
  copyFileSync(pathOf("ours.pem"), root);
  const url = urlOf(`?sslmode=verify-full&sslrootcert=${root}`, "localhost", "postgres");
  const database = await createDatabase(readConnectionOptions(url), GENEROUS_MS);
  context.after(database.close);
  const ask = () => database.calls.read("SELECT 1");
  await ask();
  renameSync(root, `${root}.away`);
  await engine.kill();
  await engine.start();
  // More calls than connections, so that some connections are made for calls that had to wait.
  const answers = await Promise.allSettled(Array.from({ length: 30 }, ask));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], ["rejected"]);
  renameSync(`${root}.away`, root);
  await untilAnswered(ask);
});

test("backs up and restores over TLS, with the same address as the service", async () => {
  for (const name of ["of_service", "put_back"]) engine.createDatabase(name);
  const options = `?sslmode=verify-full${believing("ours")}`;
  const [url, target] = [
    urlOf(options, "localhost", "of_service"),
    urlOf(options, "localhost", "put_back"),
  ];
  const store = await openPostgresStore({ url, deadlineMs: GENEROUS_MS });
  await store.serviceKeys.insertServiceKey({
    keyId: 1,
    createdAtMs: 0,
    wrapped: new Uint8Array(8),
  });
  await store.close();
  const file = pathOf("backup");
  await backupPostgres(url, file);
  await restorePostgres(target, file, false, () => {});
  assert.equal((await inspectPostgres(target)).step, (await inspectPostgres(url)).step);
  // The certificate does not have this name, so the programs refuse it, like the service.
  await assert.rejects(
    backupPostgres(
      urlOf(`?sslmode=verify-full${believing("other")}`, "localhost", "of_service"),
      file,
    ),
  );
  assert.ok(existsSync(file));
});
