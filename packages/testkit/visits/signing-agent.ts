import {
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";

/** An agent that signs requests, with its own key pair. */
export type Signer = {
  readonly keyId: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The key in the form in which a directory publishes it. */
  readonly jwk: { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string };
  /** The public key with this `x`. */
  readonly importPublic: (x: string) => KeyObject;
};

/** A new agent with a new Ed25519 key. */
export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const x = String(publicKey.export({ format: "jwk" }).x);
  const keyId = createHash("sha256")
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
    .digest("base64url");
  const jwk = { kty: "OKP", crv: "Ed25519", x } as const;
  const importPublic = (other: string) =>
    createPublicKey({ key: { ...jwk, x: other }, format: "jwk" });
  return { keyId, publicKey, privateKey, jwk, importPublic };
}

/** The parts and the request to sign, and the deviations from an agent's usual signature. */
export type Signing = {
  readonly method: string;
  readonly target: string;
  /** The origin at which the agent reaches the service. */
  readonly origin: string;
  readonly nowMs: number;
  readonly label?: string;
  readonly lifeSeconds?: number;
  readonly keyId?: string;
  readonly nonce?: string | undefined;
  readonly tag?: string | undefined;
  readonly algorithm?: string | undefined;
  /** The text of Signature-Agent. */
  readonly agent?: string;
  /** Component identifiers in serialized form. */
  readonly cover?: readonly string[];
  /** Other headers to cover. */
  readonly others?: Readonly<Record<string, string>>;
  /** A forgery: an HMAC with the public key, padded to the length of a signature. */
  readonly hmac?: boolean;
};

/**
 * Written from RFC 9421, without the code under test: joins the covered components in the simplest
 * correct way.
 */
function componentValue(component: string, signing: Signing, agent: string): string {
  const { method, target, origin, others = {} } = signing;
  const url = new URL(target, origin);
  const values: Readonly<Record<string, string>> = {
    "@authority": url.host,
    "@scheme": url.protocol.slice(0, -1),
    "@method": method,
    "@path": url.pathname,
    "@query": url.search || "?",
    "@target-uri": url.href,
    "@request-target": target,
    "signature-agent": agent,
    ...others,
  };
  const name = /^"([^"]*)"/.exec(component)?.[1] ?? "";
  const key = /;key="([^"]*)"/.exec(component)?.[1];
  if (name !== "signature-agent" || key === undefined) return values[name] ?? "";
  return new RegExp(`${key}=("[^"]*")`).exec(agent)?.[1] ?? "";
}

function parametersOf(signer: Signer, signing: Signing): string {
  const { nowMs, lifeSeconds = 60, keyId = signer.keyId } = signing;
  const created = Math.floor(nowMs / 1000);
  const { nonce } = signing;
  const algorithm = "algorithm" in signing ? signing.algorithm : "ed25519";
  const tag = "tag" in signing ? signing.tag : "web-bot-auth";
  const optional = { alg: algorithm, nonce, tag };
  const texts = Object.entries(optional).flatMap(([name, text]) =>
    text === undefined ? [] : [`;${name}="${text}"`],
  );
  return `;created=${created};expires=${created + lifeSeconds};keyid="${keyId}"${texts.join("")}`;
}

/** The headers with which an agent signs a request (Web Bot Auth). */
export function signedHeaders(signer: Signer, signing: Signing): Readonly<Record<string, string>> {
  const { label = "sig1", agent = `${label}="https://otter.example"`, others = {} } = signing;
  const cover = signing.cover ?? ['"@authority"', `"signature-agent";key="${label}"`];
  const parameters = `(${cover.join(" ")})${parametersOf(signer, signing)}`;
  const lines = cover.map(
    (component) => `${component}: ${componentValue(component, signing, agent)}`,
  );
  const base = [...lines, `"@signature-params": ${parameters}`].join("\n");
  const forged = () =>
    Buffer.alloc(
      64,
      createHmac("sha256", Buffer.from(signer.jwk.x, "base64url")).update(base).digest(),
    );
  const signature = (
    signing.hmac ? forged() : sign(null, Buffer.from(base), signer.privateKey)
  ).toString("base64");
  return {
    ...others,
    "signature-agent": agent,
    "signature-input": `${label}=${parameters}`,
    signature: `${label}=:${signature}:`,
  };
}
