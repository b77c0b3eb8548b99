import { parseToken } from "@stile/core/domain/token/token";
import type { Observations } from "@stile/core/domain/visitor/visitor";
import type { IssuedChallenge } from "@stile/core/services/challenge/issue-within-budget";
import { issueChallenge } from "@stile/core/use-cases/challenge/issue-challenge";
import { submitSolution } from "@stile/core/use-cases/challenge/submit-solution";
import { MAX_FAILURES_PER_CHALLENGE } from "@stile/pow/failure-counter";
import type { TokenRecord } from "../rules/redemption-rules.ts";
import {
  type ChallengeRecord,
  checkSubmission,
  type SubmitCall,
} from "../rules/submission-rules.ts";
import type { Chance } from "../world/chance.ts";
import { Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import { redeemAsCustomer } from "./customer.ts";
import { type Person, pickPerson } from "./visitors.ts";
import { doWork } from "./work.ts";

const HOST = "www.shop.example";
/** How many tokens an attacker remembers. */
const MAX_TOKENS = 80;
const TRIES = 4;

type Page = { readonly siteKey: string; readonly person: Person; readonly requestId: string };

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function bytesOf({ environment }: Observations): Uint8Array {
  return environment === "withheld" ? new Uint8Array(0) : Buffer.from(JSON.stringify(environment));
}

function recordChallenge(
  world: World,
  { siteKey, person }: Page,
  issued: IssuedChallenge,
): ChallengeRecord {
  const record = {
    ...{
      siteKey,
      visitor: person.visitor,
      challenge: issued.challenge,
      expiresAtMs: issued.expiresAtMs,
    },
    name: `C${world.count("challenge")}`,
    id: hexOf(issued.challenge.id),
    issued: world.moment(),
    tokens: 0,
    failures: 0,
    underWay: 0,
  };
  world.budget.onIssued(issued.challenge);
  return record;
}

/** Asks for a challenge until there is one, or none can be had. */
export async function askForChallenge(
  world: World,
  chance: Chance,
  page: Page,
): Promise<ChallengeRecord | undefined> {
  const { siteKey, person, requestId } = page;
  const host = chance.happens(0.03) ? "foreign.example" : HOST;
  const request = {
    siteKey,
    requestId,
    actionName: "login",
    host,
    wantsFallback: false,
    visitor: person.visitor,
  };
  for (let tries = 0; tries < TRIES; tries++) {
    const reply = await world.call((ports) => issueChallenge(ports, request));
    if (reply.kind !== "answer") {
      await world.pause(chance.between(100, 3000));
      continue;
    }
    const { answer } = reply;
    if (answer.kind === "issued" && host !== HOST)
      throw new Violation("a foreign page got a challenge", siteKey);
    return answer.kind === "issued" ? recordChallenge(world, page, answer.issued) : undefined;
  }
  return undefined;
}

function recordToken(
  world: World,
  { ip, visitor }: Person,
  challenge: ChallengeRecord,
  issued: { text: string; expiresAtMs: number; run: number },
): TokenRecord {
  const id = parseToken(issued.text)?.header.id;
  if (id === undefined) throw new Violation("a token can't be read", challenge.name);
  const token: TokenRecord = {
    ...issued,
    name: `T${world.count("token")}`,
    id: hexOf(id),
    siteKey: challenge.siteKey,
    ...{ ip, visitor },
    issued: world.moment(),
    calls: [],
    verifiedBy: undefined,
  };
  world.tokens.push(token);
  if (world.tokens.length > MAX_TOKENS) world.tokens.shift();
  return token;
}

/** How a submission may differ from an honest one. */
type Twist = "none" | "wrong_solution" | "other_visitor" | "other_host" | "other_site";
const TWISTS: readonly Twist[] = ["wrong_solution", "other_visitor", "other_host", "other_site"];

type Outcome = {
  readonly token?: TokenRecord;
  readonly next?: ChallengeRecord;
  readonly isUnknown?: boolean;
};

/**
 * Submits the work for a challenge once, honestly or not, and checks the answer against the rules.
 */
async function submitOnce(
  world: World,
  chance: Chance,
  page: Page,
  record: ChallengeRecord,
  twist: Twist,
): Promise<Outcome> {
  const { person } = page;
  const { observations } = person;
  const environmentBytes = bytesOf(observations);
  const otherSite = chance.pick(world.truth.siteKeys());
  const stranger = { ...person.visitor, userAgent: "curl/8" };
  let call: SubmitCall | undefined;
  let run = 0;
  const reply = await world.call((ports, began, number) => {
    run = number;
    const work = doWork(ports, record, environmentBytes);
    const solutionBytes = work?.solutionBytes ?? new Uint8Array(64);
    if (twist === "wrong_solution") solutionBytes[0] = (solutionBytes[0] ?? 0) ^ 0xff;
    const siteKey = twist === "other_site" ? otherSite : record.siteKey;
    call = {
      ...{ challenge: record, siteKey, began },
      isOwnVisitor: twist !== "other_visitor",
      isRight: twist !== "wrong_solution" && work !== undefined,
      isOwnHost: twist !== "other_host",
      isCrowded: record.underWay >= MAX_FAILURES_PER_CHALLENGE,
    };
    if (!call.isRight && twist === "wrong_solution") record.failures += 1;
    record.underWay += 1;
    const answering = submitSolution(ports, {
      ...{ requestId: page.requestId, siteKey, solutionBytes },
      host: twist === "other_host" ? "foreign.example" : HOST,
      challenge: work?.text ?? "",
      environmentBytes: () => environmentBytes,
      observe: () => observations,
      actionName: "login",
      cdata: undefined,
      visitor: twist === "other_visitor" ? stranger : person.visitor,
    });
    return answering.finally(() => {
      record.underWay -= 1;
    });
  });
  world.say(
    `${record.name} handed in (${twist}): ${reply.kind === "answer" ? reply.answer.kind : reply.kind}`,
  );
  if (reply.kind !== "answer" || call === undefined) return { isUnknown: true };
  const { answer, end } = reply;
  const answered = { call, end, truth: world.truth };
  world.check(() => checkSubmission(answered, answer));
  if (answer.kind === "issued")
    return {
      token: recordToken(world, person, record, {
        text: answer.token,
        expiresAtMs: answer.expiresAtMs,
        run,
      }),
    };
  return answer.kind === "step_up" || answer.kind === "price"
    ? { next: recordChallenge(world, page, answer.issued) }
    : {};
}

/** How long a visitor takes: seconds, or up to the end of the challenge's life. */
async function think(
  world: World,
  chance: Chance,
  { expiresAtMs }: ChallengeRecord,
): Promise<void> {
  if (chance.happens(0.06)) await world.pauseUntil(expiresAtMs + chance.between(-1, 1));
  else await world.pause(chance.between(200, 6000));
}

/**
 * Submits the work for a challenge; a client that loses the answer, or sends it twice at once,
 * submits it again.
 */
async function submit(
  world: World,
  chance: Chance,
  page: Page,
  record: ChallengeRecord,
): Promise<Outcome> {
  await think(world, chance, record);
  if (chance.happens(0.08)) await submitOnce(world, chance, page, record, chance.pick(TWISTS));
  const rivals = chance.happens(0.12) ? chance.between(1, 3) : 0;
  const racing = Array.from({ length: rivals }, () =>
    submitOnce(world, chance, page, record, "none"),
  );
  const first = await submitOnce(world, chance, page, record, "none");
  const outcomes = [first, ...(await Promise.all(racing))];
  for (let tries = 1; tries < TRIES && outcomes.at(-1)?.isUnknown === true; tries++) {
    await world.pause(chance.between(50, 4000));
    outcomes.push(await submitOnce(world, chance, page, record, "none"));
  }
  return outcomes.find(({ token, next }) => token !== undefined || next !== undefined) ?? {};
}

/**
 * A visitor's way through a site: a challenge, its work, once more if they are asked to, and the
 * site's use of the token.
 */
export async function visit(world: World, chance: Chance, siteKey: string): Promise<void> {
  const page = {
    siteKey,
    person: pickPerson(chance),
    requestId: `request-${world.count("request")}`,
  };
  let record = await askForChallenge(world, chance, page);
  for (let rounds = 0; record !== undefined && rounds < 3; rounds++) {
    const { token, next }: Outcome = await submit(world, chance, page, record);
    if (token !== undefined) return await redeemAsCustomer(world, chance, token);
    record = next;
  }
}
