import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { sha256 } from "@stile/pow/sha256";
import { solveInline } from "@stile/pow/solve-inline";
import type { BehaviourSignals, EnvironmentSignals } from "@stile/protocol/signals";
import { CHROME_VISITOR } from "../visits/find-visitor.ts";
import { type ApiAnswer, type ApiCall, callApi } from "./call.ts";
import type { ServiceFixture, TimedFixture } from "./service-fixtures.ts";
import { PAGE_ORIGIN, type TestSite } from "./sites.ts";

/** The data of a challenge on the wire (D8). */
export type ChallengeData = {
  readonly challenge: string;
  readonly algorithm: AlgorithmNumber;
  readonly k: number;
  readonly difficulty: number;
  readonly interaction: "none" | "click";
};

/** A submission as the widget sends it; tests change parts of it (D9). */
export type SubmissionBody = {
  readonly site_key: string;
  readonly challenge: string;
  readonly solution: string;
  readonly signals: { readonly environment: string; readonly behaviour: string };
  readonly action?: string;
  readonly cdata?: string;
};

/** Request headers of an honest browser on a page of the site. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = { ...CHROME_VISITOR.headers, origin: PAGE_ORIGIN };

/** How long the visitors of a fixture with a clock take to solve; in less time no browser could. */
const SOLVE_MS = 900;

/** GET /api/v1/pow/challenge as the widget (spec 4.3). */
export function askChallenge(
  fixture: ServiceFixture,
  query: Readonly<Record<string, string>>,
  more: Partial<ApiCall> = {},
) {
  const path = `/api/v1/pow/challenge?${new URLSearchParams(query)}`;
  return callApi(fixture.baseUrl, { method: "GET", path, ...more, headers: { ...PAGE_HEADERS, ...more.headers } });
}

/** POST /api/v1/verify as the widget (spec 4.4). */
export function submit(
  fixture: ServiceFixture,
  body: ApiCall["body"],
  more: Partial<ApiCall> = {},
): Promise<ApiAnswer> {
  const headers = { ...PAGE_HEADERS, ...more.headers };
  return callApi(fixture.baseUrl, { path: "/api/v1/verify", ...(body && { body }), ...more, headers });
}

/** The challenge of an answer of D8 or of a step-up of D9. */
export function challengeOf({ body }: ApiAnswer): ChallengeData {
  return (body.data.challenge instanceof Object ? body.data.challenge : body.data) as ChallengeData;
}

function toText(signals: EnvironmentSignals | BehaviourSignals): string {
  return encodeBase64url(new TextEncoder().encode(JSON.stringify(signals)));
}

/** What this visitor reports besides an honest one's observations. */
export type VisitorSignals = {
  readonly environment?: Partial<EnvironmentSignals> | "withheld";
  readonly behaviour?: Partial<BehaviourSignals>;
};

/** Both signal strings; withheld ones are empty. */
export function signalsOf(visitor: VisitorSignals = {}): SubmissionBody["signals"] {
  const { environment } = visitor;
  return {
    environment: environment === "withheld" ? "" : toText({ ...CHROME_VISITOR.environment, ...environment }),
    behaviour: toText({ ...CHROME_VISITOR.behaviour, ...visitor.behaviour }),
  };
}

/** Does the work of a challenge; the submission that follows is right. On a fixture with a clock, time passes. */
export async function solve(
  fixture: ServiceFixture | TimedFixture,
  site: TestSite,
  challenge: ChallengeData,
  visitor: VisitorSignals = {},
): Promise<SubmissionBody> {
  const challengeBytes = decodeBase64url(challenge.challenge) ?? new Uint8Array(0);
  const signals = signalsOf(visitor);
  const environmentDigest = sha256(decodeBase64url(signals.environment) ?? new Uint8Array(0));
  const { algorithm, k, difficulty } = challenge;
  const solved = await solveInline({ challengeBytes, environmentDigest, algorithm, k, difficulty });
  if (solved.kind !== "solved") throw new Error(`the puzzle ended as ${solved.kind}`);
  if ("clock" in fixture) fixture.clock.advance(SOLVE_MS);
  const solution = encodeBase64url(solved.solutionBytes);
  return { site_key: site.siteKey, challenge: challenge.challenge, solution, signals };
}

/** A visitor from challenge to answer. */
export async function visit(
  fixture: ServiceFixture,
  site: TestSite,
  visitor: VisitorSignals = {},
  more: Partial<ApiCall> = {},
) {
  const asked = await askChallenge(fixture, { site_key: site.siteKey }, more);
  return submit(fixture, await solve(fixture, site, challengeOf(asked), visitor), more);
}
