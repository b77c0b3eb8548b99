import type { SiteSettings } from "@stile/core/domain/site/site";
import type { RedeemAnswer } from "@stile/core/domain/token/redeem-answer";
import { createWorld, type OwnedSite, referenceTo, type World } from "./world.ts";

/** A world with one site, its account's reference and a token of it. */
export async function createShop(settings: Partial<SiteSettings> = {}) {
  const world = await createWorld();
  const owned = await world.createSite(settings);
  return { world, ...owned, reference: referenceTo(owned.site), token: world.mint(owned.site) };
}

/** The reason of a refusal with its score, or the kind of any other answer. */
export function reasonOf(answer: RedeemAnswer): string {
  return answer.kind === "refused" ? `${answer.reasonCode} ${answer.score}` : answer.kind;
}

/** The reason of a redemption of this token. */
export async function redeemed(
  world: World,
  { secretKey }: OwnedSite,
  token: string,
  fields = {},
): Promise<string> {
  return reasonOf(await world.redeem(secretKey, { token, ...fields }));
}
