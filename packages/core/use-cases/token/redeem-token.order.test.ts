import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createWorld,
  NOON_MS,
  type OwnedSite,
  referenceTo,
  VISITOR_IP,
  type World,
} from "@stile/testkit/world/world";
import { retainSpentUntilMs } from "../../domain/token/redemption.ts";
import { openToken } from "../../services/token/seal-token.ts";
import { deleteSite } from "../site/delete-site.ts";
import { updateSite } from "../site/update-site.ts";

const KEY = "0123456789abcdef";

/** Lives of tokens, and when they are presented after minting and spending, in seconds. */
const MOMENTS = [
  {
    name: "alive, and a repeat is in time",
    life: 300,
    after: 10,
    isExpired: false,
    isRepeatInTime: true,
  },
  {
    name: "alive, but too late for a repeat",
    life: 300,
    after: 70,
    isExpired: false,
    isRepeatInTime: false,
  },
  {
    name: "expired, but a repeat is in time",
    life: 30,
    after: 40,
    isExpired: true,
    isRepeatInTime: true,
  },
  {
    name: "expired, and too late for a repeat",
    life: 30,
    after: 70,
    isExpired: true,
    isRepeatInTime: false,
  },
  {
    name: "expired for longer than it is remembered",
    life: 30,
    after: 100,
    isExpired: true,
    isRepeatInTime: false,
  },
] as const;

const combine = <A, B>(left: readonly A[], right: readonly B[]): (A & B)[] =>
  left.flatMap((one) => right.map((other) => ({ ...one, ...other })));

/** The checks before expiry in D2 (redemption), and the result if they fail. */
const STANDINGS = [
  { standing: "own", first: undefined },
  { standing: "of_another_site", first: "site_key_mismatch" },
  { standing: "of_a_deleted_site", first: "invalid_site_key" },
  { standing: "claimed_for_another", first: "site_key_mismatch" },
  { standing: "disabled", first: "site_disabled" },
] as const;
const BINDINGS = [
  { binding: "strict", remoteIp: VISITOR_IP, isSameCall: true, isMismatch: false },
  { binding: "strict", remoteIp: "203.0.113.99", isSameCall: false, isMismatch: true },
  { binding: "flag", remoteIp: "203.0.113.99", isSameCall: false, isMismatch: false },
] as const;
const KEYS = [{ key: "none" }, { key: "same" }, { key: "other" }, { key: "token" }] as const;
const PASTS = [
  { past: "unspent" },
  { past: "spent_with_key" },
  { past: "spent_without_key" },
] as const;
const CASES = combine(combine(STANDINGS, BINDINGS), combine(KEYS, PASTS));
type Case = (typeof CASES)[number] & {
  readonly isExpired: boolean;
  readonly isRepeatInTime: boolean;
};

/** D2 (redemption) in code. */
function expected(one: Case): string {
  if (one.first !== undefined) return one.first;
  const isRepeat =
    one.past === "spent_with_key" && one.key === "same" && one.isSameCall && one.isRepeatInTime;
  if (isRepeat) return "verified";
  if (one.isExpired) return "token_expired";
  if (one.isMismatch) return "binding_mismatch";
  return one.past === "unspent" ? "verified" : "token_already_used";
}

async function arrange(world: World, one: Case, tokenLifeSeconds: number) {
  const owned = await world.createSite({ tokenLifeSeconds, binding: one.binding });
  const token = world.mint(owned.site, { expiresAtMs: NOON_MS + 1000 * tokenLifeSeconds });
  const idempotencyKey = one.past === "spent_with_key" ? KEY : undefined;
  if (one.past !== "unspent") {
    const spent = await world.redeem(owned.secretKey, {
      token,
      idempotencyKey,
      remoteIp: VISITOR_IP,
    });
    assert.equal(spent.kind, "verified");
  }
  return { one, owned, token };
}

async function show(
  world: World,
  { one, owned, token }: Awaited<ReturnType<typeof arrange>>,
  other: OwnedSite,
) {
  if (one.standing === "disabled")
    await updateSite(world.node, referenceTo(owned.site), { isEnabled: false });
  if (one.standing === "of_a_deleted_site") await deleteSite(world.node, referenceTo(owned.site));
  const isForeign = one.standing === "of_another_site" || one.standing === "of_a_deleted_site";
  const answer = await world.redeem((isForeign ? other : owned).secretKey, {
    token,
    siteKey: one.standing === "claimed_for_another" ? other.site.siteKey : undefined,
    idempotencyKey: { none: undefined, same: KEY, other: `${KEY}0`, token }[one.key],
    remoteIp: one.remoteIp,
  });
  return answer.kind === "refused" ? answer.reasonCode : answer.kind;
}

for (const isRetired of [false, true]) {
  for (const moment of MOMENTS) {
    test(`in every combination the first rule of D2 (redemption) decides: ${isRetired ? "key retired, " : ""}${moment.name}`, async () => {
      const world = await createWorld({ verify: 100_000 });
      const { cryptography } = world.node;
      const other = await world.createSite();
      const timing = {
        isExpired: isRetired || moment.isExpired,
        isRepeatInTime: moment.isRepeatInTime,
      };
      const shown = [];
      for (const one of CASES) shown.push(await arrange(world, { ...one, ...timing }, moment.life));
      world.clock.setTo(NOON_MS + 1000 * moment.after);
      if (isRetired)
        Object.assign(world.node, { cryptography: { ...cryptography, isRetired: () => true } });
      for (const each of shown) {
        const { one, owned, token } = each;
        const reason = await show(world, each, other);
        assert.equal(reason, expected(one), JSON.stringify(one));
        const open = openToken(cryptography, token);
        assert.ok(open !== undefined);
        const mark = {
          siteKey: open.payload.siteKey,
          tokenId: open.header.id,
          retainUntilMs: retainSpentUntilMs(open.payload),
        };
        const isSpent = await world.store.tokens.isSpent(mark);
        assert.equal(
          isSpent,
          one.past !== "unspent" || reason === "verified",
          `a refusal burnt ${JSON.stringify(one)}`,
        );
        const counted = reason === "verified" ? "token_redeemed" : `refused:${reason}`;
        if (one.standing === "own")
          assert.equal(await world.countOf(owned.site, counted), 1, JSON.stringify(one));
      }
    });
  }
}
