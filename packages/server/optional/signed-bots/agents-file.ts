import { createHash, createPublicKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { OperatorProblem } from "../../faults/operator-problem.ts";
import type { TrustedKey, TrustedKeys } from "./verify-signature.ts";

/**
 * A problem with the file of STILE_SIGNED_AGENTS: its message is a sentence that says what to do.
 */
export class SignedAgentsProblem extends OperatorProblem {
  override readonly name = "SignedAgentsProblem";
}

/** The bots whose signatures the operator trusts, from the operator's file. */
export type SignedAgents = {
  readonly keys: () => TrustedKeys;
  /** Their names without repeats, in the order of the file. */
  readonly names: () => readonly string[];
  /**
   * Reads the file again if it changed. If it is damaged, throws SignedAgentsProblem and keeps the
   * old content.
   */
  readonly refresh: () => void;
};

const MAX_FILE_BYTES = 1_048_576;

const name = z
  .string("needs a name")
  .trim()
  .min(1, "needs a name")
  .max(64, "has a name of more than 64 characters")
  .regex(/^\P{C}*$/u, "has a name with control characters");

/** The form in which directories publish keys (JWKS). Other fields are ignored. */
const fileSchema = z.object({
  agents: z
    .array(
      z.object({
        name,
        keys: z.array(z.record(z.string(), z.unknown()), "needs an array of keys").max(100),
      }),
      "needs an array of agents",
    )
    .max(1_000, "has more than 1,000 agents"),
});

/**
 * Thumbprints of the example keys in RFC 9421 (and the drafts) and RFC 8037. Their private keys are
 * public.
 */
const EXAMPLE_KEYS = [
  "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
  "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
];

function problem(path: string, what: string): SignedAgentsProblem {
  return new SignedAgentsProblem(
    `The file of STILE_SIGNED_AGENTS, ${path}, ${what}. Fix it, or unset the setting.`,
  );
}

/** The thumbprint of an Ed25519 key (RFC 7638, RFC 8037), by which signatures name it. */
function thumbprintOf(x: string): string {
  return createHash("sha256")
    .update(`{"crv":"Ed25519","kty":"OKP","x":${JSON.stringify(x)}}`)
    .digest("base64url");
}

/** Reads one key. Undefined for keys of other kinds, which directories publish too. */
function readKey(path: string, agent: string, jwk: Readonly<Record<string, unknown>>) {
  if (jwk.d !== undefined) {
    throw problem(
      path,
      `holds a private key of "${agent}" ("d"), which is theirs alone; name the public one`,
    );
  }
  if (jwk.kty !== "OKP" || jwk.crv !== "Ed25519") return undefined;
  const x = typeof jwk.x === "string" && /^[\w-]{43}$/.test(jwk.x) ? jwk.x : "";
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    // Exported by Node, so that a key has one thumbprint in every spelling of its last character.
    return { key, thumbprint: thumbprintOf(key.export({ format: "jwk" }).x ?? x) };
  } catch {
    throw problem(
      path,
      `has a key of "${agent}" that is no Ed25519 key: "x" must be 32 bytes in base64url`,
    );
  }
}

function toKeys(path: string, agents: z.output<typeof fileSchema>["agents"]): TrustedKeys {
  const keys = new Map<string, TrustedKey>();
  for (const { name: agent, keys: jwks } of agents) {
    const found = jwks.flatMap((jwk) => readKey(path, agent, jwk) ?? []);
    if (found.length === 0) throw problem(path, `names no Ed25519 key of "${agent}"`);
    for (const { key, thumbprint } of found) {
      if (EXAMPLE_KEYS.includes(thumbprint)) {
        throw problem(
          path,
          `trusts an example key of the standards for "${agent}", which anybody can sign with`,
        );
      }
      const other = keys.get(thumbprint)?.name ?? agent;
      if (other !== agent)
        throw problem(path, `names one key for two agents, "${other}" and "${agent}"`);
      keys.set(thumbprint, { name: agent, key });
    }
  }
  return keys;
}

function parse(path: string, text: string): TrustedKeys {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw problem(path, "is no JSON");
  }
  const parsed = fileSchema.safeParse(document);
  if (parsed.success) return toKeys(path, parsed.data.agents);
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") || "the object";
  throw problem(path, `does not hold what it should: ${place}: ${issue?.message}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new SignedAgentsProblem(
      `STILE_SIGNED_AGENTS names ${path}, which can't be read. Check the path and its permissions, or unset it.`,
      { cause },
    );
  }
}

/** Identifies the version of a file. Throws SignedAgentsProblem if the file is too large. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && found.size > MAX_FILE_BYTES)
    throw problem(path, "is larger than 1 MiB");
  return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Opens the file and keeps it in memory. Throws SignedAgentsProblem. */
export function openSignedAgents(path: string): SignedAgents {
  let stamp = stampOf(path);
  let keys = parse(path, read(path));
  return {
    keys: () => keys,
    names: () => [...new Set([...keys.values()].map(({ name: agent }) => agent))],
    refresh: () => {
      const now = stampOf(path);
      if (now === stamp) return;
      keys = parse(path, read(path));
      stamp = now;
    },
  };
}
