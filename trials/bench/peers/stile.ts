import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { Visitor } from "@stile/core/domain/visitor/visitor";
import type { Submission } from "@stile/core/services/challenge/check-work";
import { toSignedText } from "@stile/core/services/challenge/sign-challenge";
import { issueChallenge } from "@stile/core/use-cases/challenge/issue-challenge";
import { submitSolution } from "@stile/core/use-cases/challenge/submit-solution";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { type RedeemFields, redeemToken } from "@stile/core/use-cases/token/redeem-token";
import { decodeBase64url } from "@stile/pow/base64url";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { sha256 } from "@stile/pow/sha256";
import { solveInline } from "@stile/pow/solve-inline";
import { composeService, type Service } from "@stile/server/compose/compose";
import { readSignals } from "@stile/server/http/request/signals";
import { createLog } from "@stile/server/telemetry/log";
import { readVersion } from "@stile/server/version";
import { mintToken } from "@stile/testkit/minting/mint-tokens";
import { behaviourOf, encodeSignals } from "@stile/testkit/minting/solver-client";
import { visitorAt } from "@stile/testkit/minting/solving";
import { configOf } from "@stile/testkit/service/config-of";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { type Call, type Contestant, expectRight, type Step } from "./contestant.ts";

/** So high that no limit affects the measurement. */
const LIMITLESS = {
  STILE_LIMIT_VERIFY: "10000000",
  STILE_LIMIT_CHALLENGE: "10000000",
  STILE_LIMIT_CHALLENGE_TOTAL: "10000000",
};
/**
 * Scoring is a lot of code; after this many submissions it is fully compiled. They are quick to
 * solve.
 */
const WARM_UP = 1500;
const EASY_DIFFICULTY = 256;
const HOST = "localhost";
const SOLVE_MS = 150;
const environment = encodeSignals(CHROME_VISITOR.environment);

const PLAN: Pick<Contestant, "name" | "puzzle" | "keeps" | "steps"> = {
  name: "Stile",
  puzzle: "16 nonces of HashWX at base difficulty, 131,072 hashes in the mean",
  keeps:
    "SQLite with an fsync per commit, as it is delivered; an answer leaves after its write is durable.",
  steps: {
    issue: {
      samples: 2000,
      contains:
        "issueChallenge: site, domain, budgets of visitor, network and account, difficulty, MAC, statistics.",
    },
    check: {
      samples: 120,
      contains:
        "submitSolution: MAC, binding, 16 nonces, reading and scoring the signals with every flag, a durable write of the spent challenge, statistics and decision, a sealed token.",
    },
    redeem: {
      samples: 1000,
      contains:
        "redeemToken: secret key, opening the token, binding, a durable write of its single use, statistics.",
    },
  },
};

/** Addresses in different networks: visitors who share one are asked for more work. */
function createAddresses(): () => string {
  let drawn = 0;
  return () => {
    drawn += 1;
    return `${20 + ((drawn >> 16) % 80)}.${(drawn >> 8) & 255}.${drawn & 255}.7`;
  };
}

type Site = { readonly siteKey: string; readonly secretKey: string };

/**
 * A browser's work for a challenge of that difficulty, by the same visitor, whose path is always
 * different.
 */
async function solve(
  { api }: Service,
  { siteKey }: Site,
  visitor: Visitor,
  seed: number,
  difficulty: number,
): Promise<Submission> {
  const page = {
    requestId: "",
    siteKey,
    actionName: undefined,
    host: HOST,
    wantsFallback: false,
    visitor,
  };
  const answer = await issueChallenge(api, page);
  if (answer.kind !== "issued") throw new Error(`no challenge: ${answer.kind}`);
  // The bench itself causes a rush; a visitor of a site at its normal rate works at base
  // difficulty.
  const { algorithm, k } = answer.issued.challenge;
  const challenge = toSignedText(api.cryptography, "challenge", {
    ...answer.issued.challenge,
    difficulty,
  });
  const challengeBytes = decodeBase64url(challenge) ?? new Uint8Array(0);
  const puzzle = {
    challengeBytes,
    environmentDigest: sha256(environment.bytes),
    algorithm,
    k,
    difficulty,
  };
  const outcome = await solveInline(puzzle);
  if (outcome.kind !== "solved") throw new Error(`not solved: ${outcome.kind}`);
  const pointer = toPointer([handPath({ from: [588, 380], to: [170, 273] }, seed)]);
  const behaviour = encodeSignals({ ...behaviourOf(SOLVE_MS), pointer });
  return {
    ...page,
    challenge,
    solutionBytes: outcome.solutionBytes,
    ...readSignals(environment.text, behaviour.text),
    cdata: undefined,
  };
}

async function openService(directory: string): Promise<Service> {
  const settings = {
    STILE_DATA_DIR: directory,
    STILE_PORT: "0",
    STILE_LOG_LEVEL: "error",
    ...LIMITLESS,
  };
  return await composeService(configOf(settings), createLog("error"));
}

/**
 * A site on which every correct solution earns a token, whatever its score (D9, submission): all
 * paths of the bench have one author.
 */
async function makeSite({ store, sitePorts }: Service): Promise<Site> {
  const [account] = await store.sites.listAccounts();
  if (account === undefined) throw new Error("the bench needs an account");
  const proposed = { name: "bench", domains: [HOST], mode: "non_interactive" } as const;
  const created = await createSite(
    sitePorts,
    { accountId: account.accountId, actor: OPERATOR },
    proposed,
  );
  if (created.kind !== "created") throw new Error(`no site: ${created.kind}`);
  return { siteKey: created.site.siteKey, secretKey: created.secretKey };
}

function createCalls(service: Service, site: Site) {
  const { api } = service;
  const nextAddress = createAddresses();
  let seed = 0;
  const submission = (difficulty: number): Promise<Submission> =>
    solve(service, site, visitorAt(nextAddress()), ++seed, difficulty);
  const check = async (submitted: Submission): Promise<void> => {
    const { kind } = await submitSolution(api, submitted);
    expectRight(kind === "issued", `issued, not ${kind}`);
  };
  const redeem = async (fields: RedeemFields): Promise<void> => {
    const caller = { secretKey: site.secretKey, address: undefined };
    const { kind } = await redeemToken(api, caller, {
      kind: "received",
      read: () => ({ kind: "fields", fields }),
    });
    expectRight(kind === "verified", `verified, not ${kind}`);
  };
  const issue = async (visitor: Visitor): Promise<void> => {
    const page = {
      requestId: "",
      siteKey: site.siteKey,
      actionName: undefined,
      host: HOST,
      wantsFallback: false,
    };
    expectRight((await issueChallenge(api, { ...page, visitor })).kind === "issued", "issued");
  };
  const redemption = (): Call => {
    const { siteKey } = site;
    const { userAgent } = CHROME_VISITOR;
    const address = nextAddress();
    const token = mintToken(api.cryptography, siteKey, { address, userAgent });
    const fields = { token, siteKey, remoteIp: address, userAgent, idempotencyKey: undefined };
    return () => redeem(fields);
  };
  const make: Record<Step, () => Promise<Call>> = {
    issue: async () => {
      const visitor = visitorAt(nextAddress());
      return () => issue(visitor);
    },
    check: async () => {
      const submitted = await submission(BASE_DIFFICULTY[1]);
      return () => check(submitted);
    },
    redeem: async () => redemption(),
  };
  return { make, check, submission, redemption };
}

async function prepareOneByOne(count: number, make: () => Promise<Call>): Promise<readonly Call[]> {
  const calls: Call[] = [];
  for (let i = 0; i < count; i++) calls.push(await make());
  return calls;
}

/**
 * The composed service without its HTTP layer: the use cases that its endpoints call, on its store,
 * after that many submissions.
 */
export async function openStile(warmUp = WARM_UP): Promise<Contestant> {
  const directory = mkdtempSync(join(tmpdir(), "stile-bench-peers-"));
  const service = await openService(directory);
  const site = await makeSite(service);
  const { make, check, submission, redemption } = createCalls(service, site);
  for (let i = 0; i < warmUp; i++) await check(await submission(EASY_DIFFICULTY));
  return {
    ...PLAN,
    version: readVersion(),
    prepare: (step, count) => prepareOneByOne(count, make[step]),
    prepareRefused: async () => {
      const unsolved = {
        ...(await submission(EASY_DIFFICULTY)),
        solutionBytes: new Uint8Array(64),
      };
      const spend = redemption();
      await spend();
      return [() => check(unsolved), spend];
    },
    close: async () => {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
