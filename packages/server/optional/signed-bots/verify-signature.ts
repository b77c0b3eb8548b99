import { createHash, type KeyObject, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Dictionary, isInnerList, parseDictionary } from "structured-headers";
import {
  type AgentMembers,
  type Coverage,
  coversEnough,
  fieldOf,
  type SignedRequest,
  signatureBase,
  toCoverage,
} from "./signature-base.ts";
import type { SpentSignatures } from "./spent-signatures.ts";

/** A key that the operator trusts, and the name of its bot. */
export type TrustedKey = { readonly name: string; readonly key: KeyObject };

/** Keys by their thumbprint (RFC 7638, RFC 8037), which signatures name as `keyid`. */
export type TrustedKeys = ReadonlyMap<string, TrustedKey>;

/** Why a signature does not count. */
export type SignatureRefusal =
  | "malformed"
  | "no_tag"
  | "too_many"
  | "parameters"
  | "not_yet"
  | "too_old"
  | "coverage"
  | "unknown_key"
  | "wrong"
  | "used";

/** The result of verifying a request's signature. */
export type Verification =
  | { readonly kind: "signed"; readonly name: string }
  | { readonly kind: "unsigned" }
  | { readonly kind: "refused"; readonly reason: SignatureRefusal };

const TAG = "web-bot-auth";
/**
 * The most characters of a field; three signatures take half of it. Parsing takes a millisecond at
 * the worst.
 */
const MAX_FIELD = 2048;
/** One or two proxies add fewer. Each may cost a verification. */
const MAX_SIGNATURES = 3;
const SIGNATURE_BYTES = 64;

/** How far a signer's clock may be ahead or behind, in ms. */
const SKEW_MS = 60_000;
/**
 * Counted from `created`, in ms, regardless of `expires`: a signature is made for one request, not
 * for a day.
 */
const MAX_AGE_MS = 300_000;
/** The longest time that any signature may stay valid from now on, in ms. */
export const SIGNATURE_LIFE_MS = MAX_AGE_MS + SKEW_MS;

const refused = (reason: SignatureRefusal): Verification => ({ kind: "refused", reason });

type Parameters = {
  readonly keyId: string;
  readonly createdMs: number;
  readonly expiresMs: number;
};

/**
 * The required parameters. Undefined if one is missing or of another type, or the algorithm is
 * another one.
 */
function readParameters({ parameters }: Coverage): Parameters | undefined {
  const keyId = parameters.get("keyid");
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  const algorithm = parameters.get("alg") ?? "ed25519";
  if (typeof keyId !== "string" || algorithm !== "ed25519") return undefined;
  if (!Number.isInteger(created) || !Number.isInteger(expires)) return undefined;
  return { keyId, createdMs: Number(created) * 1000, expiresMs: Number(expires) * 1000 };
}

function findTimeProblem(
  { createdMs, expiresMs }: Parameters,
  nowMs: number,
): SignatureRefusal | undefined {
  if (createdMs > nowMs + SKEW_MS) return "not_yet";
  const isOver =
    expiresMs <= createdMs || nowMs >= expiresMs + SKEW_MS || nowMs >= createdMs + MAX_AGE_MS;
  return isOver ? "too_old" : undefined;
}

function signatureOf(signatures: Dictionary, label: string): Uint8Array | undefined {
  const member = signatures.get(label);
  if (member === undefined || isInnerList(member) || !(member[0] instanceof ArrayBuffer))
    return undefined;
  return member[0].byteLength === SIGNATURE_BYTES ? new Uint8Array(member[0]) : undefined;
}

type Verifying = {
  readonly request: SignedRequest;
  readonly keys: TrustedKeys;
  readonly spent: SpentSignatures;
  readonly nowMs: number;
};

function verifyOne(
  coverage: Coverage,
  signature: Uint8Array | undefined,
  agents: AgentMembers,
  verifying: Verifying,
): Verification {
  const { request, keys, spent, nowMs } = verifying;
  const parameters = readParameters(coverage);
  if (parameters === undefined || signature === undefined) return refused("parameters");
  const timeProblem = findTimeProblem(parameters, nowMs);
  if (timeProblem !== undefined) return refused(timeProblem);
  const trusted = keys.get(parameters.keyId);
  if (trusted === undefined) return refused("unknown_key");
  const base = coversEnough(coverage) ? signatureBase(coverage, request, agents) : undefined;
  if (base === undefined) return refused("coverage");
  const bytes = Buffer.from(base, "latin1");
  // If no algorithm is named, the key decides; all trusted keys are Ed25519.
  if (!verify(null, bytes, trusted.key, signature)) return refused("wrong");
  // Digest of the signed text, so that another spelling of the same signature does not count again.
  const digest = createHash("sha256").update(bytes).digest("base64url");
  return spent.spend(digest, nowMs) ? { kind: "signed", name: trusted.name } : refused("used");
}

function verifyEach(
  { input, signature, agent }: SignatureFields,
  verifying: Verifying,
): Verification {
  const tagged = [...parseDictionary(input)].flatMap(([label, member]) => {
    const coverage = toCoverage(member);
    return coverage?.parameters.get("tag") === TAG ? [{ label, coverage }] : [];
  });
  if (tagged.length > MAX_SIGNATURES) return refused("too_many");
  let last = refused("no_tag");
  if (tagged.length === 0) return last;
  const signatures = parseDictionary(signature);
  // Parsed once: many components may name a member of it, and the sender chooses how expensive it
  // is to parse.
  let members: Dictionary | undefined;
  const agents = (): Dictionary => {
    members ??= parseDictionary(agent);
    return members;
  };
  for (const { label, coverage } of tagged) {
    last = verifyOne(coverage, signatureOf(signatures, label), agents, verifying);
    if (last.kind === "signed") return last;
  }
  return last;
}

type SignatureFields = {
  readonly input: string;
  readonly signature: string;
  readonly agent: string;
};

/** The fields of a signed request, if all are there and none is longer than any signer needs. */
function readFields(headers: IncomingHttpHeaders): SignatureFields | undefined {
  const input = fieldOf(headers, "signature-input");
  const signature = fieldOf(headers, "signature");
  const agent = fieldOf(headers, "signature-agent");
  if (input === undefined || signature === undefined || agent === undefined) return undefined;
  const isBounded = [input, signature, agent].every((field) => field.length <= MAX_FIELD);
  return isBounded ? { input, signature, agent } : undefined;
}

/**
 * Verifies the signature of a request (Web Bot Auth, RFC 9421) with the keys that the operator
 * trusts. If there are several, the first valid one counts, and counts once. Never throws, and
 * fetches nothing.
 */
export function verifySignature(verifying: Verifying): Verification {
  const { headers } = verifying.request;
  if (headers["signature-input"] === undefined) return { kind: "unsigned" };
  const fields = readFields(headers);
  if (fields === undefined) return refused("malformed");
  try {
    return verifyEach(fields, verifying);
  } catch {
    // The library throws on anything but a structured field.
    return refused("malformed");
  }
}
