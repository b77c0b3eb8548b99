import { pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { type Call, type Contestant, expectRight, type Step } from "./contestant.ts";
import type { InstalledPeers } from "./install.ts";

type Parameters = {
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly keyLength: number;
};
type Challenge = { readonly parameters: Parameters; readonly signature: string };
type Solution = { readonly counter: number; readonly derivedKey: string };
type Secrets = { readonly hmacSignatureSecret: string; readonly hmacKeySignatureSecret: string };

/** The used part of altcha-lib, as its documentation shows it. */
type Library = {
  readonly createChallenge: (
    options: Secrets & {
      readonly algorithm: string;
      readonly cost: number;
      readonly counter: number;
      readonly deriveKey: unknown;
      readonly expiresAt: Date;
    },
  ) => Promise<Challenge>;
  readonly verifySolution: (
    options: Secrets & {
      readonly challenge: Challenge;
      readonly solution: Solution;
      readonly deriveKey: unknown;
    },
  ) => Promise<{ readonly verified: boolean }>;
  readonly randomInt: (max: number, min: number) => number;
  readonly CappedMap: new (options: {
    maxSize: number;
  }) => { readonly setIfAbsent: (key: string, value: boolean) => boolean };
};

type Solved = { readonly challenge: Challenge; readonly solution: Solution };

/** The values in its README. */
const README = {
  algorithm: "PBKDF2/SHA-256",
  cost: 5000,
  leastCounter: 5000,
  greatestCounter: 10_000,
} as const;
const LIFE_MS = 600_000;
/** The size shown in its documentation of stores. */
const STORE_SIZE = 1000;
const derive = promisify(pbkdf2);

/**
 * The key that a browser finds at that counter. With a known counter, this derives one key instead
 * of thousands.
 */
async function deriveAt(
  { nonce, salt, cost, keyLength }: Parameters,
  counter: number,
): Promise<string> {
  const counterBytes = Buffer.alloc(4);
  counterBytes.writeUInt32BE(counter);
  const password = Buffer.concat([Buffer.from(nonce, "hex"), counterBytes]);
  return (await derive(password, Buffer.from(salt, "hex"), cost, keyLength, "sha256")).toString(
    "hex",
  );
}

const PLAN: Pick<Contestant, "name" | "puzzle" | "keeps" | "steps"> = {
  name: "ALTCHA (altcha-lib)",
  puzzle: "PBKDF2 with SHA-256, cost 5,000, counter 5,000 to 10,000, as its README shows",
  keeps:
    "The CappedMap of 1,000 entries that its page on stores shows: memory only, nothing outlives the process.",
  steps: {
    issue: {
      samples: 100,
      contains: "createChallenge: derives one key by PBKDF2, makes two HMACs.",
    },
    check: {
      samples: 300,
      contains: "verifySolution: two HMACs over challenge and key; no key is derived again.",
    },
    redeem: {
      samples: 5000,
      contains: "CappedMap.setIfAbsent of the challenge's nonce; there is no token.",
    },
  },
};

/**
 * altcha-lib, by its README: challenges with a known counter, whose solutions are checked by a
 * signature of their key.
 */
export async function openAltcha(peers: InstalledPeers): Promise<Contestant> {
  const library = (await peers.load("altcha-lib")) as Library;
  const { deriveKey } = (await peers.load("altcha-lib/algorithms/pbkdf2")) as {
    deriveKey: unknown;
  };
  const hex = (): string => randomBytes(32).toString("hex");
  const secrets = { hmacSignatureSecret: hex(), hmacKeySignatureSecret: hex() };
  const store = new library.CappedMap({ maxSize: STORE_SIZE });

  const issue = (counter: number): Promise<Challenge> => {
    const { algorithm, cost } = README;
    const expiresAt = new Date(Date.now() + LIFE_MS);
    return library.createChallenge({ algorithm, cost, counter, deriveKey, expiresAt, ...secrets });
  };
  const drawCounter = (): number => library.randomInt(README.greatestCounter, README.leastCounter);
  const solve = async (): Promise<Solved> => {
    const counter = drawCounter();
    const challenge = await issue(counter);
    return {
      challenge,
      solution: { counter, derivedKey: await deriveAt(challenge.parameters, counter) },
    };
  };
  const check = async (solved: Solved): Promise<void> => {
    const { verified } = await library.verifySolution({ ...solved, deriveKey, ...secrets });
    expectRight(verified, "verified");
  };
  const redeem = async (nonce: string): Promise<void> =>
    expectRight(store.setIfAbsent(nonce, true), "first use");

  const makeCall: Record<Step, () => Promise<Call>> = {
    issue: async () => async () =>
      expectRight((await issue(drawCounter())).signature.length === 64, "signed"),
    check: async () => {
      const solved = await solve();
      return () => check(solved);
    },
    redeem: async () => {
      const nonce = randomBytes(16).toString("hex");
      return () => redeem(nonce);
    },
  };
  return {
    ...PLAN,
    version: peers.versionOf("altcha-lib"),
    prepare: (step, count) => Promise.all(Array.from({ length: count }, makeCall[step])),
    prepareRefused: async () => {
      const { challenge } = await solve();
      await redeem("used");
      return [
        () => check({ challenge, solution: { counter: 1, derivedKey: "00".repeat(32) } }),
        () => redeem("used"),
      ];
    },
    close: async () => {},
  };
}
