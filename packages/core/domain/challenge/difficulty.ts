import type { Earned } from "../token/earning-window.ts";

/** What moves the difficulty, each as an exponent of two, before the sum is held within its bounds. */
export type DifficultyFactors = {
  /** +1 for who was asked for more lately. */
  readonly risk: number;
  /** How busy the visitor's agent, address and network are, or how much the network earned: 0 and up. */
  readonly network: number;
  /** How far the site is above its own usual rate: 0 .. +2, so that an attack on a site can't lock phones out. */
  readonly load: number;
  /** The owner's slider: -1 .. +2. */
  readonly site: number;
};

const LEAST = -1;
const MOST = 5;
/** Where work stands in for a refusal: a phone that takes 0.8 s for the base, at worst, still ends within a minute. */
const MOST_OVER_LIMIT = 6;
/** What it costs beside the rate to be over a limit, so that a small limit is felt too. */
const OVER_LIMIT = 1;
/** Challenges a minute that a network may ask for before work gets dearer. */
const FREE_PER_MINUTE = 12;
/** Share of the tokens that a network may earn in an hour that costs it nothing. */
const FREE_EARNINGS = 1 / 10;
const MOST_EARNINGS = 4;
/** For how many tokens one counts that was given in spite of doubts. */
const DOUBTFUL_WEIGHT = 4;
/** What a rush on the site adds at most to the share of a network, so that an office isn't locked out by it. */
const MOST_RUSH = 2;
/** A site's rate against its baseline up to which nothing happens. */
const USUAL_RATIO = 2;
const MOST_LOAD = 2;

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/**
 * The exponent by which the base difficulty is multiplied: the sum of the factors within -1 .. +5; for who is over a
 * limit and works instead of being refused (D10), one more, up to +6.
 */
export function difficultyExponent(factors: DifficultyFactors, isOverLimit = false): number {
  const sum = factors.risk + factors.network + factors.load + factors.site;
  return isOverLimit ? clamp(sum + OVER_LIMIT, LEAST, MOST_OVER_LIMIT) : clamp(sum, LEAST, MOST);
}

function doublingsOver(free: number, perMinute: number): number {
  return perMinute < free ? 0 : Math.floor(Math.log2(perMinute / free));
}

/**
 * +1 for each doubling of the rate, challenges a minute, over the free one. In a rush, the site's rate against its usual
 * one over 2, the free rate shrinks as the site's grows, down to one request: whoever asks twice pays, for at most two
 * doublings more than else.
 */
export function networkExponent(perMinute: number, siteRatio: number): number {
  const usual = doublingsOver(FREE_PER_MINUTE, perMinute);
  if (siteRatio <= USUAL_RATIO) return usual;
  const free = Math.max(1, (FREE_PER_MINUTE * USUAL_RATIO) / siteRatio);
  return Math.min(usual + MOST_RUSH, doublingsOver(free, perMinute));
}

/** How many tokens a network earns of a site in an hour before its work gets dearer. */
export const freeEarnings = (tokensPerHour: number): number => tokensPerHour * FREE_EARNINGS;

/**
 * +1 from a tenth of the tokens on which a network may earn in an hour, and +1 for each doubling of that, at most +4; doubtful
 * ones count four times (decision 0098). What became of the tokens is no part of it: who solves for others has them redeemed, too.
 */
export function earningsExponent({ tokens, doubtful }: Earned, tokensPerHour: number): number {
  const free = freeEarnings(tokensPerHour);
  const counted = tokens + (DOUBTFUL_WEIGHT - 1) * doubtful;
  return counted < free ? 0 : Math.min(MOST_EARNINGS, 1 + doublingsOver(free, counted));
}

/** +1 for each doubling of the site's rate against its own baseline over twice the usual, at most +2. */
export function loadExponent(ratio: number): number {
  return ratio < USUAL_RATIO ? 0 : clamp(Math.floor(Math.log2(ratio / USUAL_RATIO)), 0, MOST_LOAD);
}
