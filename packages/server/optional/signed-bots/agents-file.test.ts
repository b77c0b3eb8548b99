import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createSigner } from "@stile/testkit/visits/signing-agent";
import { openSignedAgents, SignedAgentsProblem } from "./agents-file.ts";

const OTTER = createSigner();
const HERON = createSigner();
const RSA = { kty: "RSA", n: "AQAB", e: "AQAB" };

function fileOf(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), "stile-agents-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "agents.json");
  const write = (content: unknown) =>
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return { path, write };
}

const agent = (name: string, ...keys: object[]) => ({ name, keys });

test("takes a directory's keys as published, by their own thumbprints", (t) => {
  const { path, write } = fileOf(t);
  const published = { ...OTTER.jwk, kid: "a label", use: "sig", nbf: 1, exp: 2, alg: "EdDSA" };
  write({
    agents: [{ ...agent(" Otter ", RSA, published), purpose: "tests" }, agent("Heron", HERON.jwk)],
  });
  const agents = openSignedAgents(path);
  assert.deepEqual(agents.names(), ["Otter", "Heron"]);
  assert.deepEqual([...agents.keys().keys()], [OTTER.keyId, HERON.keyId]);
  assert.equal(agents.keys().get(OTTER.keyId)?.name, "Otter");
  write({ agents: [] });
  assert.deepEqual(openSignedAgents(path).names(), []);
});

test("reads a changed file again; reports a damaged one and keeps the old keys until it is fixed", (t) => {
  const { path, write } = fileOf(t);
  write({ agents: [agent("Otter", OTTER.jwk)] });
  const agents = openSignedAgents(path);
  write({ agents: [agent("Heron", HERON.jwk)] });
  agents.refresh();
  assert.deepEqual(agents.names(), ["Heron"]);
  for (const damage of [() => write('{"agents": ['), () => rmSync(path)]) {
    damage();
    assert.throws(() => agents.refresh(), SignedAgentsProblem);
    assert.throws(() => agents.refresh(), SignedAgentsProblem, "reported until it is fixed");
    assert.deepEqual(agents.names(), ["Heron"]);
    write({ agents: [agent("Otter", OTTER.jwk), agent("Heron", HERON.jwk)] });
    agents.refresh();
    assert.deepEqual(agents.names(), ["Otter", "Heron"]);
    write({ agents: [agent("Heron", HERON.jwk)] });
    agents.refresh();
  }
});

test("names every problem with the file in one sentence, with its path", (t) => {
  const { path, write } = fileOf(t);
  const cases: readonly (readonly [unknown, RegExp])[] = [
    ["", /is no JSON/],
    ["[]", /does not hold what it should: the object/],
    [{}, /agents: needs an array of agents/],
    [{ agents: [agent("", OTTER.jwk)] }, /agents\.0\.name: needs a name/],
    [{ agents: [agent("x".repeat(65), OTTER.jwk)] }, /more than 64 characters/],
    [{ agents: [agent("a\u0007b", OTTER.jwk)] }, /control characters/],
    [{ agents: [{ name: "Otter" }] }, /agents\.0\.keys: needs an array of keys/],
    [{ agents: [agent("Otter", RSA)] }, /names no Ed25519 key of "Otter"/],
    [{ agents: [agent("Otter", { ...OTTER.jwk, x: "AQAB" })] }, /"x" must be 32 bytes/],
    [
      { agents: [agent("Otter", OTTER.privateKey.export({ format: "jwk" }))] },
      /holds a private key of "Otter"/,
    ],
    ...[
      "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
      "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ].map(
      (x) => [{ agents: [agent("Otter", { ...OTTER.jwk, x })] }, /trusts an example key/] as const,
    ),
    [
      { agents: [agent("Otter", OTTER.jwk), agent("Heron", OTTER.jwk)] },
      /one key for two agents, "Otter" and "Heron"/,
    ],
    [" ".repeat(1_048_577), /larger than 1 MiB/],
  ];
  for (const [content, expected] of cases) {
    write(content);
    assert.throws(
      () => openSignedAgents(path),
      (fault: Error) =>
        fault instanceof SignedAgentsProblem &&
        fault.message.includes(path) &&
        expected.test(fault.message),
      String(expected),
    );
  }
  rmSync(path);
  assert.throws(() => openSignedAgents(path), /can't be read\. Check the path/);
});
