import { hasLiveSecret } from "@stile/core/domain/site/site";
import { requestScore, type ScoreAnswer } from "@stile/core/use-cases/score/request-score";
import type { SecretRecord, TokenRecord } from "../rules/redemption-rules.ts";
import type { ChallengeRecord } from "../rules/submission-rules.ts";
import type { Moment } from "../rules/truth.ts";
import type { Chance } from "../world/chance.ts";
import { Violation } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import { CALLER } from "./customer.ts";
import { askForChallenge } from "./visit.ts";
import { type Person, pickPerson } from "./visitors.ts";
import { doWork } from "./work.ts";

type Asked = {
  readonly secret: SecretRecord;
  readonly person: Person;
  readonly token: TokenRecord | undefined;
  readonly collected: ChallengeRecord | undefined;
};

function refuseUnless(isTrue: boolean, rule: string, detail: string): void {
  if (!isTrue) throw new Violation(rule, detail);
}

/**
 * Checks a score's verdict on a token (D7, score request): invalid if the token could not be
 * redeemed now, and otherwise not.
 */
function checkToken(
  world: World,
  { token, secret }: Asked,
  isInvalid: boolean,
  began: Moment & { clockMs: number },
  endMs: number,
) {
  if (token === undefined) return refuseUnless(!isInvalid, "no token is invalid", "score");
  const spend = world.truth.findTokenSpend(token.id);
  const isRestored = world.truth.isRestoredSince(token.issued);
  const isForeign = token.siteKey !== secret.siteKey;
  const mayBeInvalid = isForeign || isRestored || spend !== undefined || endMs >= token.expiresAtMs;
  const wasSpent = spend !== undefined && spend.step < began.step;
  const mayBeValid = !isForeign && !isRestored && !wasSpent && began.clockMs < token.expiresAtMs;
  refuseUnless(
    isInvalid ? mayBeInvalid : mayBeValid,
    `a token that is ${isInvalid ? "" : "not "}invalid`,
    token.name,
  );
}

function checkScore(
  world: World,
  asked: Asked,
  answer: ScoreAnswer,
  began: Moment & { clockMs: number },
  endMs: number,
) {
  const { truth } = world;
  const { secret, collected } = asked;
  const rows = truth.rowsKnown(secret.siteKey, began);
  switch (answer.kind) {
    case "scored": {
      const isLive = rows.some(
        (row) =>
          row !== undefined && hasLiveSecret(row, secret.digest, began.clockMs) && row.isEnabled,
      );
      refuseUnless(isLive, "scored for a dead secret", secret.siteKey);
      checkToken(world, asked, answer.flags.includes("token_invalid"), began, endMs);
      if (!answer.flags.includes("signals_replayed")) return;
      const isSpent =
        collected !== undefined && truth.findChallengeSpend(collected.id) !== undefined;
      return refuseUnless(isSpent, "fresh signals are a replay", collected?.name ?? "");
    }
    case "invalid_secret":
    case "caller_limited": {
      const isDead = rows.some(
        (row) => row === undefined || !hasLiveSecret(row, secret.digest, endMs),
      );
      return refuseUnless(isDead, "a living secret was refused", secret.siteKey);
    }
    case "site_disabled":
      return refuseUnless(
        rows.some((row) => row?.isEnabled === false),
        "an enabled site is disabled",
        secret.siteKey,
      );
    case "limited":
      return;
    default:
      throw new Violation("an answer that no score asks for", answer.kind);
  }
}

async function scoreOnce(world: World, asked: Asked): Promise<void> {
  const { secret, person, token, collected } = asked;
  let began: ReturnType<World["moment"]> | undefined;
  const reply = await world.call((ports, moment) => {
    began = moment;
    const work = collected && doWork(ports, collected, new Uint8Array(0));
    return requestScore(ports, { secretKey: secret.text, address: CALLER }, async () => ({
      requestId: `request-${world.count("request")}`,
      signals: work && { challenge: work.text, observe: () => person.observations },
      remoteIp: person.ip,
      userAgent: person.visitor.userAgent,
      headers: {},
      token: token?.text,
      actionName: "login",
      host: "shop.example",
    }));
  });
  world.say(
    `scored ${token?.name ?? "no token"}: ${reply.kind === "answer" ? reply.answer.kind : reply.kind}`,
  );
  if (reply.kind !== "answer" || began === undefined) return;
  const { answer, end } = reply;
  const begun = began;
  world.check(() => checkScore(world, asked, answer, begun, end.clockMs));
}

/**
 * A customer's server asks for scores, with signals and tokens; often twice, and also for spent
 * tokens.
 */
export async function askForScores(world: World, chance: Chance, siteKey: string): Promise<void> {
  const secret = world.secrets.findLast((known) => known.siteKey === siteKey);
  if (secret === undefined) return;
  const person = pickPerson(chance);
  const page = { siteKey, person, requestId: `request-${world.count("request")}` };
  const collected = chance.happens(0.5) ? await askForChallenge(world, chance, page) : undefined;
  const token = chance.happens(0.5)
    ? world.tokens.at(-1 - chance.below(Math.max(1, world.tokens.length)))
    : undefined;
  const times = chance.between(1, 4);
  for (let time = 0; time < times; time++) {
    const scored = scoreOnce(world, { secret, person, token, collected });
    if (chance.happens(0.5)) await scored;
  }
}
