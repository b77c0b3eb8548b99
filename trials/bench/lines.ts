import { randomBytes } from "node:crypto";
import { createSecretKey } from "@stile/core/domain/site/create-keys";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { SOLUTION_BYTES } from "@stile/pow/puzzle";
import { createRandom } from "@stile/risk/seeded-random";
import type { Segment } from "@stile/risk/trajectory/segment";
import { mintEasyChallenge } from "@stile/testkit/minting/easy-challenges";
import { mintToken } from "@stile/testkit/minting/mint-tokens";
import {
  behaviourOf,
  ENVIRONMENT,
  encodeSignals,
  USER_AGENT,
} from "@stile/testkit/minting/solver-client";
import { handPath, toPointer, variedPath } from "@stile/testkit/visits/pointer-paths";
import { LOAD_ADDRESS, type WorkloadPlan } from "./workloads.ts";

/** The target of minted lines: the service's keys and the site. */
type Minter = { readonly cryptography: Cryptography; readonly siteKey: string };

const SOLVE_MS = 150;
/**
 * How long ago the challenge was issued: a visit longer than the age of its challenge is asked for
 * a click (D9, submission).
 */
const VISIT_MS = 10_000;
const environment = encodeSignals(ENVIRONMENT);

/**
 * The same bytes except for the last one, which belongs to the tag of a token and to the MAC of a
 * challenge.
 */
function forge(text: string): string {
  const bytes = decodeBase64url(text);
  if (bytes === undefined) throw new RangeError("only base64url can be forged");
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) ^ 0xff;
  return encodeBase64url(bytes);
}

function redemption({ cryptography, siteKey }: Minter, change = (token: string) => token): string {
  const token = mintToken(cryptography, siteKey, { address: LOAD_ADDRESS, userAgent: USER_AGENT });
  return JSON.stringify({ token: change(token), remoteip: LOAD_ADDRESS });
}

/** Each path is different: the same path again and again would be compared to the end. */
const TO_WIDGET = { from: [588, 380], to: [170, 273] } as const;

/**
 * A visit with one to three presses, each at the end of a path from somewhere else, in its own
 * manner; the last is on the widget.
 */
function variedPaths(seed: number): readonly Segment[] {
  const random = createRandom(seed);
  const place = (): [number, number] => [
    Math.round(200 + 900 * random()),
    Math.round(100 + 500 * random()),
  ];
  const others = Array.from({ length: seed % 3 }, () => ({ from: place(), to: place() }));
  const all = [...others, { ...TO_WIDGET, from: place() }];
  return all.map((course, at) => variedPath(course, 3 * seed + at));
}

/**
 * A solved challenge signed with the service's keys, but easier than those it issues. The cost of a
 * check hardly depends on that: the nonces are in one function instead of about eight, which saves
 * seven hashes of twenty-four.
 */
function submission(
  { cryptography, siteKey }: Minter,
  seed: number,
  paths: readonly Segment[] = [handPath(TO_WIDGET, seed)],
  isForged = false,
): string {
  const visitor = {
    siteKey,
    userAgent: USER_AGENT,
    address: LOAD_ADDRESS,
    nowMs: Date.now() - VISIT_MS,
  };
  const challenge = mintEasyChallenge({ ...visitor, cryptography });
  const pointer = toPointer(paths);
  return JSON.stringify({
    site_key: siteKey,
    challenge: isForged ? forge(challenge.text) : challenge.text,
    solution: isForged
      ? encodeBase64url(randomBytes(SOLUTION_BYTES))
      : challenge.solve(environment.bytes),
    signals: {
      environment: environment.text,
      behaviour: encodeSignals({ ...behaviourOf(SOLVE_MS), pointer }).text,
    },
  });
}

const MINTING: Readonly<Record<WorkloadPlan["lines"], (minter: Minter, seed: number) => string>> = {
  redemptions: (minter) => redemption(minter),
  submissions: (minter, seed) => submission(minter, seed),
  "varied-submissions": (minter, seed) => submission(minter, seed, variedPaths(seed)),
  "forged-redemptions": (minter) => redemption(minter, forge),
  "forged-submissions": (minter, seed) => submission(minter, seed, undefined, true),
  secrets: () => createSecretKey((size) => randomBytes(size)),
  none: () => "",
};

/**
 * Lines of a kind, one for each seed, for the sites in turn: seed 0 is the first site's. Unless
 * forged, each gets exactly one success.
 */
export function mintLines(
  kind: WorkloadPlan["lines"],
  {
    cryptography,
    siteKeys,
  }: { readonly cryptography: Cryptography; readonly siteKeys: readonly string[] },
  seeds: { readonly from: number; readonly to: number },
): string[] {
  return Array.from({ length: seeds.to - seeds.from }, (_, index) => {
    const seed = seeds.from + index;
    return MINTING[kind]({ cryptography, siteKey: siteKeys[seed % siteKeys.length] ?? "" }, seed);
  });
}
