import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createSigner, signedHeaders } from "@stile/testkit/visits/signing-agent";
import { createSpentSignatures } from "./spent-signatures.ts";
import { SIGNATURE_LIFE_MS, type TrustedKeys, verifySignature } from "./verify-signature.ts";

const NOW_MS = Date.UTC(2026, 4, 20, 12);
const HERE = "https://stile.example";
const OTTER = createSigner();
const HERON = createSigner();
const KEYS: TrustedKeys = new Map([
  [OTTER.keyId, { name: "Otter", key: OTTER.publicKey }],
  [HERON.keyId, { name: "Heron", key: HERON.publicKey }],
]);

type Change = Partial<Parameters<typeof signedHeaders>[1]>;
type Sent = {
  method?: string;
  target?: string;
  origin?: string;
  nowMs?: number;
  keys?: TrustedKeys;
};
const memory = (maxEntries = 100) =>
  createSpentSignatures({ lifeMs: SIGNATURE_LIFE_MS, maxEntries });

const sign = (change: Change = {}, signer = OTTER) =>
  signedHeaders(signer, {
    method: "POST",
    target: "/api/v1/verify",
    origin: HERE,
    nowMs: NOW_MS,
    ...change,
  });

function verify(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  sent: Sent = {},
  spent = memory(),
) {
  const {
    method = "POST",
    target = "/api/v1/verify",
    origin = HERE,
    nowMs = NOW_MS,
    keys = KEYS,
  } = sent;
  const request = { method, target, headers, origin: new URL(origin) };
  const verification = verifySignature({ request, keys, spent, nowMs });
  return verification.kind === "refused"
    ? verification.reason
    : verification.kind === "signed" && verification.name;
}

suite("the signer of a request (Web Bot Auth)", () => {
  test("verifies the example of the draft, byte for byte", () => {
    const key = createSigner().importPublic("JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs");
    const keys = new Map([
      ["poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U", { name: "Example", key }],
    ]);
    const headers = {
      "signature-agent": 'agent2="https://signature-agent.test"',
      "signature-input":
        'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
      signature:
        "sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:",
    };
    const nowMs = 1_735_689_600_000 + 1000;
    assert.equal(verify(headers, { origin: "https://example.com", nowMs, keys }), "Example");
    assert.equal(verify(headers, { origin: "https://example.net", nowMs, keys }), "wrong");
    assert.equal(
      verify(headers, { origin: "https://example.com", nowMs: nowMs + 300_000, keys }),
      "too_old",
    );
  });

  test("names the signer in each form that agents send, and nobody without headers", () => {
    assert.equal(verify(sign()), "Otter");
    assert.equal(verify(sign({}, HERON)), "Heron");
    assert.equal(
      verify(
        sign({ agent: '"https://otter.example"', cover: ['"@authority"', '"signature-agent"'] }),
      ),
      "Otter",
    );
    const all = [
      "@authority",
      "@scheme",
      "@method",
      "@path",
      "@query",
      "@target-uri",
      "@request-target",
    ];
    const cover = [
      ...all.map((name) => `"${name}"`),
      '"signature-agent";key="sig1"',
      '"user-agent"',
    ];
    assert.equal(verify(sign({ cover, others: { "user-agent": "Otter/1" } })), "Otter");
    const target = "/api/v1/pow/challenge?site_key=pk_1";
    assert.equal(
      verify(sign({ cover, target, others: { "user-agent": "Otter/1" } }), { target }),
      "Otter",
    );
    assert.equal(verify({ "user-agent": "Otter/1" }), false);
  });

  test("rejects a signature for another authority, path, query or method", () => {
    assert.equal(verify(sign({ origin: "https://evil.example" })), "wrong");
    assert.equal(verify(sign({ origin: "https://stile.example:8443" })), "wrong");
    assert.equal(
      verify(sign({ origin: "https://stile.example:443" })),
      "Otter",
      "the default port",
    );
    for (const [component, change] of [
      ["@path", { target: "/api/v1/pow/challenge" }],
      ["@query", { target: "/api/v1/verify?a=1" }],
      ["@target-uri", { target: "/api/v1/verify?a=1" }],
      ["@method", { method: "GET" }],
      ["@scheme", { origin: "http://stile.example" }],
    ] as const) {
      const cover = ['"@authority"', `"${component}"`, '"signature-agent";key="sig1"'];
      assert.equal(verify(sign({ cover, ...change })), "wrong", component);
      assert.equal(verify(sign({ cover })), "Otter", component);
    }
  });

  test("ignores the host in headers of a proxy or a client", () => {
    const foreign = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      forwarded: "host=evil.example",
    };
    assert.equal(verify({ ...sign({ origin: "https://evil.example" }), ...foreign }), "wrong");
    assert.equal(verify({ ...sign(), ...foreign }), "Otter");
  });

  test("accepts a minute of skew and five minutes of age, and nothing after the signature's own end", () => {
    const at = (offsetMs: number, lifeSeconds = 3600) =>
      verify(sign({ lifeSeconds }), { nowMs: NOW_MS + offsetMs });
    assert.deepEqual([at(-60_000), at(-61_000)], ["Otter", "not_yet"]);
    assert.deepEqual([at(299_999), at(300_000)], ["Otter", "too_old"]);
    assert.deepEqual([at(89_999, 30), at(90_000, 30)], ["Otter", "too_old"]);
    assert.equal(at(0, 0), "too_old");
    assert.equal(at(0, -5), "too_old");
    assert.equal(
      verify(sign({ nowMs: NOW_MS - 86_400_000, lifeSeconds: 172_800 })),
      "too_old",
      "made a day ago, for two days",
    );
  });

  test("counts a signature once, under any label, for as long as it would be valid", () => {
    const spent = memory();
    const headers = sign();
    assert.equal(verify(headers, {}, spent), "Otter");
    assert.equal(verify(headers, {}, spent), "used");
    const relabelled = {
      ...headers,
      "signature-input": headers["signature-input"]?.replace(/^sig1=/, "again="),
      signature: headers.signature?.replace(/^sig1=/, "again="),
    };
    assert.equal(verify(relabelled, {}, spent), "used");
    const early = sign({ nowMs: NOW_MS + 60_000, lifeSeconds: 3600 });
    assert.equal(verify(early, {}, spent), "Otter", "made by a clock that is ahead");
    for (let seconds = 0; seconds < 360; seconds += 7) {
      assert.equal(
        verify(early, { nowMs: NOW_MS + seconds * 1000 }, spent),
        "used",
        `${seconds} s`,
      );
    }
    assert.equal(verify(early, { nowMs: NOW_MS + 360_000 }, spent), "too_old");
    assert.equal(
      verify(sign({ nonce: "another" }), {}, spent),
      "Otter",
      "of the same second, by its nonce",
    );
  });

  test("remembers a counted signature for all its valid time, also when older ones are forgotten", () => {
    const spent = memory();
    assert.equal(verify(sign(), {}, spent), "Otter");
    const nowMs = NOW_MS + SIGNATURE_LIFE_MS - 1;
    const late = sign({ nowMs, lifeSeconds: 3600 });
    assert.equal(verify(late, { nowMs }, spent), "Otter");
    const laterMs = NOW_MS + SIGNATURE_LIFE_MS;
    assert.equal(verify(sign({ nowMs: laterMs, nonce: "a" }), { nowMs: laterMs }, spent), "Otter");
    assert.equal(verify(late, { nowMs: laterMs + 200_000 }, spent), "used");
  });

  test("bounds its memory, and counts no signature while it is full", () => {
    const spent = memory(3);
    const next = (nowMs: number) =>
      verify(sign({ nonce: `${Math.random()}`, nowMs }), { nowMs }, spent);
    assert.deepEqual(
      [1, 2, 3, 4].map(() => next(NOW_MS)),
      ["Otter", "Otter", "Otter", "used"],
    );
    assert.equal(next(NOW_MS + SIGNATURE_LIFE_MS), "Otter", "there is room again");
  });

  test("rejects another signer's key, another name for a key, and an unknown key", () => {
    assert.equal(
      verify(sign({ keyId: HERON.keyId })),
      "wrong",
      "signed by one bot with the name of another",
    );
    assert.equal(verify(sign({}, createSigner())), "unknown_key");
    assert.equal(verify(sign({ keyId: "toString" })), "unknown_key");
    const agent = 'sig1="https://heron.example"';
    assert.equal(verify(sign({ agent })), "Otter", "the key decides, not the claimed identity");
    const headers = sign();
    assert.equal(verify({ ...headers, "signature-agent": agent }), "wrong", "and it is signed");
  });

  test("rejects other algorithms and other ways to name one", () => {
    for (const algorithm of [
      "hmac-sha256",
      "rsa-pss-sha512",
      "ecdsa-p256-sha256",
      "none",
      "ED25519",
      "",
    ]) {
      assert.equal(verify(sign({ algorithm })), "parameters", algorithm);
    }
    assert.equal(verify(sign({ algorithm: undefined })), "Otter");
    assert.equal(verify(sign({ hmac: true })), "wrong", "a digest keyed with the public key");
  });

  test("rejects a signature without the tag, or with that of another protocol", () => {
    for (const tag of [undefined, "http-message-signatures-directory", "Web-Bot-Auth"]) {
      assert.equal(verify(sign({ tag })), "no_tag", String(tag));
    }
    const headers = sign();
    const asToken = headers["signature-input"]?.replace('tag="web-bot-auth"', "tag=web-bot-auth");
    assert.equal(verify({ ...headers, "signature-input": asToken }), "no_tag");
  });

  test("requires coverage of destination and identity, and rejects absent components", () => {
    for (const cover of [
      ['"@authority"'],
      ['"signature-agent";key="sig1"'],
      ['"@path"', '"signature-agent";key="sig1"'],
      ['"@authority";req', '"signature-agent";key="sig1"'],
      ['"@authority"', '"signature-agent";key="sig2"'],
      ['"@authority"', '"signature-agent";key="sig1";sf'],
      ['"@authority"', '"signature-agent";key="sig1"', '"x-absent"'],
      ['"@authority"', '"signature-agent";key="sig1"', '"@status"'],
      ['"@authority"', '"signature-agent";key="sig1"', '"@authority"'],
      ['"@authority"', '"signature-agent";key="sig1"', '"__proto__"'],
      ['"@authority"', '"signature-agent";key="sig1"', '"Signature"'],
      [],
    ]) {
      assert.equal(verify(sign({ cover })), "coverage", cover.join());
    }
    const many = Array.from({ length: 17 }, (_, at) => `"x-${at}"`);
    assert.equal(
      verify(sign({ cover: ['"@authority"', '"signature-agent";key="sig1"', ...many] })),
      "no_tag",
    );
  });

  test("names the signer of the valid one of two signatures, in any order", () => {
    const good = sign({ label: "good", agent: 'good="https://otter.example"' });
    const bad = sign({ label: "bad", agent: 'bad="https://heron.example"', keyId: HERON.keyId });
    const both = (first: typeof good, second: typeof good) =>
      Object.fromEntries(
        ["signature", "signature-input", "signature-agent"].map((name) => [
          name,
          [first[name] ?? "", second[name] ?? ""],
        ]),
      );
    assert.equal(verify(both(good, bad)), "Otter");
    assert.equal(verify(both(bad, good)), "Otter");
    assert.equal(verify(both(bad, bad)), "wrong");
    assert.equal(
      verify({ ...good, signature: bad.signature }),
      "parameters",
      "a signature of another label",
    );
  });

  test("refuses 1,000 members, four signatures and long fields before computing anything", () => {
    const headers = sign();
    const members = (count: number, text: string) =>
      Array.from({ length: count }, (_, at) => `s${at}=${text}`).join();
    assert.equal(verify({ ...headers, "signature-input": members(1_000, "()") }), "malformed");
    assert.equal(verify({ ...headers, "signature-input": members(225, "()") }), "no_tag");
    assert.equal(
      verify({ ...headers, "signature-input": members(4, '();tag="web-bot-auth"') }),
      "too_many",
    );
    for (const name of ["signature", "signature-input", "signature-agent"]) {
      assert.equal(
        verify({ ...headers, [name]: `${headers[name]}${" ".repeat(2048)}x` }),
        "malformed",
        name,
      );
      assert.equal(
        verify({ ...headers, [name]: undefined }),
        name === "signature-input" ? false : "malformed",
        name,
      );
    }
  });

  test("parses Signature-Agent once, however many components and signatures name a member of it", () => {
    const labels = [..."abcdefghijklmn"];
    const agent = labels.map((label) => `${label}="https://otter.example"`).join();
    const cover = ['"@authority"', ...labels.map((label) => `"signature-agent";key="${label}"`)];
    const [good, bad] = [
      sign({ agent, cover }),
      sign({ agent, cover, label: "bad", keyId: HERON.keyId }),
    ];
    let reads = 0;
    const headers = {
      signature: [bad.signature, good.signature].join(),
      "signature-input": [bad["signature-input"], good["signature-input"]].join(),
      get "signature-agent"() {
        reads += 1;
        return agent;
      },
    };
    assert.equal(verify(headers), "Otter");
    assert.equal(reads, 1);
  });

  test("throws on no text", () => {
    const headers = sign();
    const texts = [
      "",
      "(",
      "sig1",
      "sig1=(",
      "sig1=::",
      "sig1=:@:",
      "sig1=1",
      'sig1="',
      "sig1=()",
      "é",
      "\u0000",
      "a,,b",
    ];
    texts.push(
      "sig1=(1 ?0 :YQ==: tok)",
      'sig1=("@authority";key=%"x");created=@1;tag="web-bot-auth"',
    );
    for (const name of ["signature", "signature-input", "signature-agent"]) {
      for (const text of texts) {
        const named = verify({ ...headers, [name]: text });
        assert.ok(
          typeof named === "string" && !["Otter", "Heron"].includes(named),
          `${name}: ${text}: ${named}`,
        );
      }
      const whole = String(headers[name]);
      for (let end = 0; end < whole.length; end += 1) {
        const named = verify({ ...headers, [name]: whole.slice(0, end) });
        assert.ok(
          typeof named === "string" && !["Otter", "Heron"].includes(named),
          `${name} cut at ${end}: ${named}`,
        );
      }
    }
  });
});
