import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, type TestContext, test } from "node:test";
import { findFreePort } from "@stile/testkit/free-port";
import { createCertificates } from "@stile/testkit/service/throw-away-certificates";
import { startValkey, type ThrowAwayValkey } from "@stile/testkit/valkey/throw-away-valkey";
import { inspectValkey } from "../../valkey/engine/inspect-valkey.ts";
import { readValkeyAddress } from "../../valkey/engine/valkey-address.ts";
import { openValkeyConnection } from "../../valkey/engine/valkey-connection.ts";
import { FUNCTIONS } from "../../valkey/engine/valkey-functions.ts";
import { GENERATION_KEY } from "../../valkey/engine/valkey-keys.ts";
import { ValkeyProblem } from "../../valkey/engine/valkey-problem.ts";
import { GENEROUS_MS, untilAnswered } from "../until-answered.ts";

const { pathOf, makeAuthority, makeCertificate, dispose } = createCertificates();
after(dispose);

makeAuthority("ours");
makeAuthority("other");
makeCertificate("here", "ours", "DNS:localhost,IP:127.0.0.1");
makeCertificate("elsewhere", "ours", "DNS:hot.example.org");
makeCertificate("over", "ours", "DNS:localhost", -1);
makeCertificate("node", "ours", "DNS:node");

/** An engine that shows that certificate, at a port of its own; if `asks` is "yes" it demands a client certificate. */
async function startEncrypted(context: TestContext, certificate: string, asks: "yes" | "no" = "no") {
  const port = await findFreePort();
  const engine: ThrowAwayValkey = await startValkey({
    appendFsync: "always",
    settings: [
      ["tls-port", `${port}`],
      ["tls-cert-file", pathOf(`${certificate}.pem`)],
      ["tls-key-file", pathOf(`${certificate}.key`)],
      ["tls-ca-cert-file", pathOf("ours.pem")],
      ["tls-auth-clients", asks],
    ],
  });
  context.after(engine.stop);
  const urlOf = (host: string, options = "", at = port): string => {
    const { username, password } = new URL(engine.url);
    return `rediss://${username}:${password}@${host}:${at}/0${options}`;
  };
  return { engine, port, urlOf };
}

const believing = (name: string, more = ""): string => `?sslrootcert=${pathOf(`${name}.pem`)}${more}`;

async function refusalOf(url: string): Promise<string> {
  const fault: unknown = await inspectValkey(url).then(
    () => assert.fail("it was let in"),
    (reason: unknown) => reason,
  );
  assert.ok(fault instanceof ValkeyProblem, String(fault));
  assert.doesNotMatch(fault.message, /throw-away/);
  return fault.message;
}

test("spends over TLS at an engine whose authority is named, by name and by address, and again after it was restarted", async (context) => {
  const { engine, urlOf } = await startEncrypted(context, "here");
  for (const host of ["localhost", "127.0.0.1"]) {
    const { findings } = await inspectValkey(urlOf(host, believing("ours")));
    assert.deepEqual(
      findings.map(({ level }) => level),
      ["ok"],
    );
  }
  const address = readValkeyAddress(urlOf("localhost", believing("ours")));
  const connection = await openValkeyConnection({
    ...{ address, holds: "all", replicas: 0 },
    ...{ nowMs: () => 0, deadlineMs: GENEROUS_MS },
  });
  context.after(connection.close);
  const ping = () => connection.call(connection.session(), "FCALL", [FUNCTIONS.ping, 1, GENERATION_KEY]);
  await ping();
  await engine.kill();
  await assert.rejects(async () => await ping());
  await engine.start();
  await untilAnswered(ping);
});

test("refuses an engine that nobody believed stands behind, and says which file to name", async (context) => {
  const { urlOf } = await startEncrypted(context, "here");
  for (const options of ["", believing("other")]) {
    assert.match(
      await refusalOf(urlOf("localhost", options)),
      /^The Valkey at localhost:\d+ shows a certificate that nobody signed who is believed here \([A-Z_]+\); name the file .*\?sslrootcert=FILE/,
    );
  }
});

test("verifies even where the environment tells Node not to", async (context) => {
  const { urlOf } = await startEncrypted(context, "elsewhere");
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  context.after(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  assert.match(await refusalOf(urlOf("localhost")), /shows a certificate that nobody signed/);
  assert.match(await refusalOf(urlOf("localhost", believing("ours"))), /shows a certificate of another name/);
});

test("refuses the certificate of another name, and one that is over", async (context) => {
  const [elsewhere, over] = [await startEncrypted(context, "elsewhere"), await startEncrypted(context, "over")];
  assert.match(
    await refusalOf(elsewhere.urlOf("localhost", believing("ours"))),
    /shows a certificate of another name \(.*hot\.example\.org\); write a name into STILE_VALKEY_URL/,
  );
  assert.match(
    await refusalOf(over.urlOf("localhost", believing("ours"))),
    /shows a certificate that is not valid now \(CERT_HAS_EXPIRED\); renew it/,
  );
});

test("shows a certificate of its own where the engine asks for one", async (context) => {
  const { urlOf } = await startEncrypted(context, "here", "yes");
  const own = `&sslcert=${pathOf("node.pem")}&sslkey=${pathOf("node.key")}`;
  assert.equal((await inspectValkey(urlOf("localhost", believing("ours", own)))).durability, "strict");
  // The engine may hang up before it has given its reason.
  assert.match(
    await refusalOf(urlOf("localhost", believing("ours"))),
    /asks for a certificate of this side .*\?sslcert=FILE&sslkey=FILE|asks for no certificate \(sslcert, sslkey\)/,
  );
});

test("says that a port speaks no TLS, and which file can't be read or holds none", async (context) => {
  const { engine, urlOf } = await startEncrypted(context, "here");
  assert.match(
    await refusalOf(urlOf("localhost", "", engine.port)),
    /check STILE_VALKEY_URL, that its port speaks TLS .* and that it runs/,
  );
  assert.match(
    await refusalOf(urlOf("localhost", believing("none"))),
    /^The file .*none\.pem \(sslrootcert of STILE_VALKEY_URL\) can't be read \(ENOENT\)\.$/,
  );
  assert.match(readFileSync(pathOf("ours.key"), "utf8"), /PRIVATE KEY/);
  assert.match(
    await refusalOf(urlOf("localhost", `?sslrootcert=${pathOf("ours.key")}`)),
    /^The file .*ours\.key \(sslrootcert of STILE_VALKEY_URL\) holds no certificate in PEM\.$/,
  );
});
