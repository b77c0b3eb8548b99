import { solveCap } from "./cap-solving.ts";
import { type CapStorage, type KeptChallenge, openCapTables } from "./cap-tables.ts";
import { type Call, type Contestant, expectRight, type Step } from "./contestant.ts";
import type { InstalledPeers } from "./install.ts";

type Easier = { readonly challengeCount: number; readonly challengeDifficulty: number };
type Handed = { readonly token: string; readonly solutions: readonly number[] };
/** Cap's server, as its documentation shows it. */
type Cap = {
  readonly config: { readonly state: { readonly challengesList: Record<string, KeptChallenge> } };
  readonly createChallenge: (
    easier?: Easier,
  ) => Promise<KeptChallenge & { readonly token: string }>;
  readonly redeemChallenge: (
    handed: Handed,
  ) => Promise<{ readonly success: boolean; readonly token?: string }>;
  readonly validateToken: (token: string) => Promise<{ readonly success: boolean }>;
};
type Options = { readonly noFSState: true } | { readonly storage: CapStorage };

/** Challenges solved for a run: they are restored to Cap's store as often as they are used up. */
const POOL = 8;
const EASIER: Easier = { challengeCount: 1, challengeDifficulty: 1 };
/** A solved challenge, and its solution. */
type Solved = { readonly kept: KeptChallenge; readonly handed: Handed };

const STEPS_OF_CAP = {
  issue: {
    samples: 2000,
    contains: "createChallenge: 25 random bytes, and keeping the challenge.",
  },
  check: {
    samples: 240,
    contains:
      "redeemChallenge: 50 hashes by WebCrypto, forgetting the challenge, making and keeping a token.",
  },
  redeem: {
    samples: 1000,
    contains: "validateToken: one hash, finding the token and forgetting it.",
  },
} as const;
const PUZZLE = "50 SHA-256 puzzles of 16 bits, the defaults of createChallenge";

type Variant = Pick<Contestant, "name" | "keeps" | "close"> & {
  readonly options: Options;
  readonly putBack: (cap: Cap, { kept, handed }: Solved) => Promise<void>;
};

function inMemory(): Variant {
  return {
    name: "Cap (@cap.js/server), in memory",
    keeps: "Objects in memory (noFSState), nothing outlives the process.",
    options: { noFSState: true },
    putBack: async ({ config }, { kept, handed }) => {
      config.state.challengesList[handed.token] = kept;
    },
    close: async () => {},
  };
}

function inTables(): Variant {
  const { close, ...storage } = openCapTables();
  return {
    name: "Cap (@cap.js/server), SQLite",
    keeps:
      "The tables of its documentation, in SQLite with an fsync per commit where that shows Postgres.",
    options: { storage },
    putBack: (_cap, { kept, handed }) => storage.challenges.store(handed.token, kept),
    close: async () => close(),
  };
}

function createContestant(
  cap: Cap,
  variant: Variant,
  version: string,
  pool: readonly Solved[],
): Contestant {
  const { name, keeps, putBack, close } = variant;
  const check = async (handed: Handed): Promise<void> => {
    expectRight((await cap.redeemChallenge(handed)).success, "solved");
  };
  const redeem = async (token: string): Promise<void> => {
    expectRight((await cap.validateToken(token)).success, "redeemed");
  };
  const earnToken = async (): Promise<string> => {
    const { token, challenge } = await cap.createChallenge(EASIER);
    const earned = await cap.redeemChallenge({ token, solutions: solveCap(token, challenge) });
    expectRight(earned.token !== undefined, "a token");
    return earned.token ?? "";
  };
  const prepare: Record<Step, (count: number) => Promise<readonly Call[]>> = {
    issue: async (count) =>
      Array.from({ length: count }, () => async () => {
        expectRight((await cap.createChallenge()).challenge.c === 50, "the default");
      }),
    check: async (count) => {
      const chosen = pool.slice(0, count);
      for (const solved of chosen) await putBack(cap, solved);
      return chosen.map(
        ({ handed }) =>
          () =>
            check(handed),
      );
    },
    redeem: async (count) => {
      const tokens = await Promise.all(Array.from({ length: count }, earnToken));
      return tokens.map((token) => () => redeem(token));
    },
  };
  return {
    name,
    version,
    puzzle: PUZZLE,
    keeps,
    steps: STEPS_OF_CAP,
    prepare: (step, count) => prepare[step](count),
    prepareRefused: async () => {
      const { token } = await cap.createChallenge();
      const used = await earnToken();
      await redeem(used);
      return [
        () => check({ token, solutions: Array.from({ length: 50 }, () => 0) }),
        () => redeem(used),
      ];
    },
    close,
  };
}

/**
 * Cap's server twice, with the least that it can store and with tables as durable as Stile's; both
 * share the solved challenges.
 */
export async function openCaps(peers: InstalledPeers): Promise<readonly Contestant[]> {
  const { default: CapServer } = (await peers.load("@cap.js/server")) as {
    default: new (options: Options) => Cap;
  };
  const version = peers.versionOf("@cap.js/server");
  const issuing = new CapServer({ noFSState: true });
  const pool: Solved[] = [];
  for (let i = 0; i < POOL; i++) {
    const { token, ...kept } = await issuing.createChallenge();
    pool.push({ kept, handed: { token, solutions: solveCap(token, kept.challenge) } });
  }
  return [inMemory(), inTables()].map((variant) =>
    createContestant(new CapServer(variant.options), variant, version, pool),
  );
}
