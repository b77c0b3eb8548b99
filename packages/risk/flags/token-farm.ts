import type { TokenUsageCounts } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

/**
 * The number of tokens expected to be redeemed, or traced, before a network's share says anything.
 */
const ENOUGH = 15;

/**
 * A network that redeems less than this share of what others would have is not a place where people
 * fill in forms.
 */
const LOW_SHARE = 1 / 5;

/**
 * If at least this share of a network's tokens is redeemed elsewhere, they are being carried away.
 */
const CARRIED_SHARE = 1 / 2;

/**
 * On a site where more than this share moves everywhere, its server does not report the visitors'
 * real addresses.
 */
const USUAL_MOVES = 1 / 10;

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/**
 * Others would have redeemed 15, and 3 or fewer were. If people act independently, that happens by
 * chance in 2 of 10,000 (Poisson).
 */
function isHoarding({ earned, redeemed }: TokenUsageCounts, others: TokenUsageCounts): boolean {
  const expected = earned * share(others.redeemed, others.earned);
  return others.earned >= ENOUGH && expected >= ENOUGH && redeemed <= expected * LOW_SHARE;
}

function isCarriedAway({ traced, moved }: TokenUsageCounts, others: TokenUsageCounts): boolean {
  if (traced < ENOUGH || others.traced < ENOUGH) return false;
  return share(moved, traced) > CARRIED_SHARE && share(others.moved, others.traced) <= USUAL_MOVES;
}

/**
 * A network earns many tokens of the site and redeems few, or other networks redeem them: tokens
 * are solved here and used elsewhere. The comparison is with the site's other networks. Open tabs
 * that renew tokens, relays and neighbours raise it too.
 */
export const tokenFarm = {
  name: "token_farm",
  group: "network",
  label: "Tokens from this network are rarely redeemed, or used elsewhere.",
  weight: 0.6,
  detect: ({ farm }) =>
    farm !== undefined &&
    (isHoarding(farm.network, farm.others) || isCarriedAway(farm.network, farm.others)),
} satisfies FlagRow;
