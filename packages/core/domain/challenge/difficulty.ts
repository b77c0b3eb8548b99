/**
 * The price of a token: how much work a challenge asks for. It is the base difficulty times a power
 * of two. Four factors add up to the exponent, and the sum stays within -1 .. +5 (D8, challenge;
 * D10, limits):
 *
 * - risk: 0 for a first challenge, 1 after a step-up, 4 after a press that left doubts.
 * - network: how many challenges a minute the network asks for (`pricedRate`), or how many tokens
 *   it earned in this hour beyond its free ones (`usual-earnings.ts`), whichever costs more.
 * - load: how far the site is above its usual rate.
 * - site: the owner's own setting.
 *
 * Examples, with a phone that takes 0.8 s for the base:
 *
 * - A quiet network on a quiet site: all factors are 0. The work is the base, 0.8 s.
 * - A solving farm has earned 99 tokens in this hour, and 30 are free. (99 - 30) / 15 = 4.6, so it
 *   works 2^4.6 = 24 times as long: 19 s.
 * - One of its visits is suspicious and steps up. 4.6 + 1 is above 5, so it works 32 times as long:
 *   26 s. Nothing costs more.
 * - The site has 4 times its usual rate. Load adds 1. The free rate of a network is then 6 instead
 *   of 12 challenges a minute, so an office that asks for 12 pays 1 more: 4 times the base, 3.2 s.
 */

/** The factors of the difficulty, each number as an exponent of two. Only their sum is bounded. */
export type DifficultyFactors = {
  /**
   * +1 for visitors who recently got a step-up, +4 for visitors who pressed and pay for other
   * doubts.
   */
  readonly risk: number;
  /**
   * 0 or more, by how busy the visitor's agent, address and network are, or how many tokens the
   * network earned; may be a fraction.
   */
  readonly network: number;
  /**
   * 0 .. +2, by how far the site is above its usual rate; bounded so that an attack on it cannot
   * lock phones out.
   */
  readonly load: number;
  /** The owner's own adjustment: -1 .. +2. */
  readonly site: number;
};

const LEAST = -1;
/**
 * All factors together: 32 times the base, 26 s of the slowest supported device (`SLOWEST_DEVICE`).
 */
const MOST = 5;
/** Challenges a minute that a network may ask for before work gets harder. */
const FREE_PER_MINUTE = 12;
/** The part of a network's free tokens that doubles the price once more. */
const DOUBLING_PART = 1 / 2;
/**
 * The most that a rush on the site adds to a network's exponent, so that it does not lock an office
 * out.
 */
const MOST_RUSH = 2;
/** The ratio of a site's rate to its baseline up to which nothing happens. */
const USUAL_RATIO = 2;
const MOST_LOAD = 2;

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/**
 * The exponent of the power of two that multiplies the base difficulty: the sum of the factors
 * within -1 .. +5.
 */
export function difficultyExponent(factors: DifficultyFactors): number {
  const sum = factors.risk + factors.network + factors.load + factors.site;
  return clamp(sum, LEAST, MOST);
}

function doublingsOver(free: number, perMinute: number): number {
  return perMinute < free ? 0 : Math.floor(Math.log2(perMinute / free));
}

/**
 * +1 for each doubling of the network's rate (challenges a minute) over the free rate. During a
 * rush, when the site's rate is over twice its usual one, the free rate shrinks in proportion, down
 * to one request. A visitor who asks twice then pays, but at most two doublings more than usual.
 */
export function networkExponent(perMinute: number, siteRatio: number): number {
  const usual = doublingsOver(FREE_PER_MINUTE, perMinute);
  if (siteRatio <= USUAL_RATIO) return usual;
  const free = Math.max(1, (FREE_PER_MINUTE * USUAL_RATIO) / siteRatio);
  return Math.min(usual + MOST_RUSH, doublingsOver(free, perMinute));
}

/**
 * 0 up to the free tokens of an hour; above them the price doubles with each further half of the
 * free tokens, up to 32 times. With 30 free tokens, the 100th costs 24 times the base. Redeemed
 * tokens count too, since solving farms redeem theirs.
 */
export function earningsExponent(earned: number, free: number): number {
  return clamp((earned - free) / (free * DOUBLING_PART), 0, MOST);
}

/** +1 for each doubling of the site's rate over twice its baseline, at most +2. */
export function loadExponent(ratio: number): number {
  return ratio < USUAL_RATIO ? 0 : clamp(Math.floor(Math.log2(ratio / USUAL_RATIO)), 0, MOST_LOAD);
}
