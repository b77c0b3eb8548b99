import type { RedeemAnswer } from "@stile/core/domain/token/redeem-answer";
import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import { redeemToken } from "@stile/core/use-cases/token/redeem-token";
import {
  type BegunCall,
  checkRedemption,
  type RedeemCall,
  type SecretRecord,
  signatureOf,
  type TokenRecord,
} from "../rules/redemption-rules.ts";
import type { Chance } from "../world/chance.ts";
import type { World } from "../world/world.ts";

/** The address from which every customer's server calls. */
export const CALLER = parseIpAddress("198.51.100.200");
const TRIES = 5;

/** The customer's server's call for a token, with the secret that it was given last. */
export function callFor(world: World, chance: Chance, token: TokenRecord): RedeemCall | undefined {
  const secret = world.secrets.findLast(({ siteKey }) => siteKey === token.siteKey);
  if (secret === undefined) return undefined;
  const saysWho = chance.happens(0.7);
  return {
    ...{ token, text: token.text, secret, isBoundVisitor: true },
    idempotencyKey: chance.happens(0.6) ? `idempotency-${world.count("key")}` : undefined,
    remoteIp: saysWho ? token.ip : undefined,
    userAgent: saysWho ? token.visitor.userAgent : undefined,
  };
}

const sayAnswer = (answer: RedeemAnswer): string => {
  if (answer.kind === "refused") return answer.reasonCode;
  return answer.kind === "verified"
    ? answer.limit === undefined
      ? "verified again"
      : "verified"
    : answer.kind;
};

/**
 * Makes the call once and checks the answer against the rules; undefined if the outcome is unknown.
 */
export async function redeemOnce(
  world: World,
  redeem: RedeemCall,
): Promise<RedeemAnswer | undefined> {
  const signature = signatureOf(redeem);
  let begun: BegunCall | undefined;
  let isUnknown = true;
  const { token, secret, text, idempotencyKey, remoteIp, userAgent } = redeem;
  const fields = { token: text, siteKey: undefined, idempotencyKey, remoteIp, userAgent };
  const reply = await world.call((ports, began, run) => {
    begun = { ...redeem, began, run, signature };
    if (text === token.text) token.calls.push({ signature, isUnknown: () => isUnknown });
    const body = { kind: "received", read: () => ({ kind: "fields", fields }) as const } as const;
    return redeemToken(ports, { secretKey: secret.text, address: CALLER }, body);
  });
  const said = reply.kind === "answer" ? sayAnswer(reply.answer) : reply.kind;
  const began = begun === undefined ? "" : ` since step ${begun.began.step}`;
  const key = idempotencyKey === token.text ? "itself as key" : idempotencyKey;
  world.say(`${token.name} redeemed${key === undefined ? "" : ` with ${key}`}${began}: ${said}`);
  if (reply.kind !== "answer" || begun === undefined) return undefined;
  isUnknown = false;
  const { answer, end } = reply;
  const call = begun;
  world.check(() => checkRedemption({ call, end, truth: world.truth, clock: world.clock }, answer));
  return answer;
}

/** Makes the same call until it is answered. */
async function redeemUntilTold(
  world: World,
  chance: Chance,
  call: RedeemCall,
): Promise<RedeemAnswer | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await redeemOnce(world, call);
    if (answer !== undefined) return answer;
    await world.pause(
      chance.happens(0.8) ? chance.between(10, 2000) : chance.between(5000, 30_000),
    );
  }
  return undefined;
}

/**
 * Calls a minute after a token was verified: a millisecond before the time for its exact repeat
 * ends, at its end, or after.
 */
async function repeatAtTheEdge(world: World, chance: Chance, call: RedeemCall): Promise<void> {
  const spend = world.truth.findTokenSpend(call.token.id);
  if (spend === undefined) return;
  await world.pauseUntil(spend.atMs + 60_000 + chance.between(-1, 1));
  await redeemOnce(world, call);
}

/**
 * Somebody makes the customer's server, or another one, call again: with the same call, or a
 * slightly different one.
 */
export async function replay(world: World, chance: Chance, token: TokenRecord): Promise<void> {
  const call = callFor(world, chance, token);
  if (call === undefined) return;
  const flipped = chance.below(token.text.length);
  const anySecret: SecretRecord = chance.pick(world.secrets);
  const other = token.text[flipped] === "A" ? "B" : "A";
  const variants: readonly RedeemCall[] = [
    call,
    { ...call, idempotencyKey: undefined },
    { ...call, idempotencyKey: token.text },
    { ...call, secret: anySecret },
    { ...call, remoteIp: "198.18.0.1", isBoundVisitor: token.visitor.address?.family === 6 },
    { ...call, userAgent: "curl/8", isBoundVisitor: false },
    { ...call, text: token.text.slice(0, flipped) + other + token.text.slice(flipped + 1) },
    { ...call, text: splice(token, chance.pick(world.tokens)) },
  ];
  const times = chance.between(1, 3);
  for (let time = 0; time < times; time++) {
    const redeemed = redeemOnce(world, chance.pick(variants));
    if (chance.happens(0.5)) await redeemed;
  }
}

/**
 * Redeems tokens that nobody has redeemed yet, of one site or of all, at nearly the same time, just
 * as another event happens.
 */
export async function rush(world: World, chance: Chance, siteKey?: string): Promise<void> {
  const fresh = world.tokens.filter(
    (token) => token.calls.length === 0 && (siteKey ?? token.siteKey) === token.siteKey,
  );
  const calls = fresh.slice(-6).map((token) => callFor(world, chance, token));
  await Promise.all(
    calls.map(async (call) => {
      await world.pause(chance.below(8));
      if (call !== undefined) await redeemOnce(world, call);
    }),
  );
}

/** The beginning of one token with the rest of another. */
function splice(token: TokenRecord, other: TokenRecord): string {
  return token === other ? `${token.text}A` : token.text.slice(0, 28) + other.text.slice(28);
}

/**
 * A customer's server's use of a token: redeems it at once or late, once or in a race, again until
 * there is an answer; or nothing.
 */
export async function redeemAsCustomer(
  world: World,
  chance: Chance,
  token: TokenRecord,
): Promise<void> {
  const call = callFor(world, chance, token);
  if (call === undefined || chance.happens(0.1)) return;
  if (chance.happens(0.12)) await world.pauseUntil(token.expiresAtMs + chance.between(-1, 1));
  else await world.pause(chance.between(0, 4000));
  const rivals = chance.happens(0.2) ? chance.between(1, 3) : 0;
  const racing = Array.from({ length: rivals }, () => {
    const another = chance.happens(0.5) ? `idempotency-${world.count("key")}` : call.idempotencyKey;
    return redeemUntilTold(world, chance, { ...call, idempotencyKey: another });
  });
  const answer = await redeemUntilTold(world, chance, call);
  await Promise.all(racing);
  if (answer?.kind === "limited" && chance.happens(0.5)) {
    await world.pause(answer.limit.resetsInMs);
    await redeemUntilTold(world, chance, call);
  }
  if (chance.happens(0.2)) await repeatAtTheEdge(world, chance, call);
  if (chance.happens(0.4)) await replay(world, chance, token);
}
