/** What moves the difficulty, each as an exponent of two, before the sum is held within its bounds. */
export type DifficultyFactors = {
  /** What became of the visitor's last visits: -1 .. +1. */
  readonly risk: number;
  /** How busy the visitor's address and its network are: 0 and up. */
  readonly network: number;
  /** How far the site is above its own usual rate: 0 .. +2, so that an attack on a site can't lock phones out. */
  readonly load: number;
  /** The owner's slider: -1 .. +2. */
  readonly site: number;
};

const LEAST = -1;
const MOST = 5;
/** Challenges a minute that an address and its network may ask for before work gets dearer. */
const FREE_PER_MINUTE = 12;
/** A site's rate against its baseline up to which nothing happens. */
const USUAL_RATIO = 2;
const MOST_LOAD = 2;

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** The exponent by which the base difficulty is multiplied: the sum of the factors within -1 .. +5. */
export function difficultyExponent(factors: DifficultyFactors): number {
  return clamp(factors.risk + factors.network + factors.load + factors.site, LEAST, MOST);
}

/**
 * The share of the visitor's last visits: +1 for who was asked for more lately, -1 where a token was redeemed a few minutes
 * ago (a form sent twice). Never a score or a flag: the difficulty is shown to whoever asks, and a bot's author would read
 * off it how close he has come (decision 0017).
 */
export function riskExponent(known: { mustStepUp: boolean; hasRedeemed: boolean }): number {
  if (known.mustStepUp) return 1;
  return known.hasRedeemed ? -1 : 0;
}

/** +1 for each doubling of the busiest of the given rates, challenges a minute, over the free ones. */
export function networkExponent(ratesPerMinute: readonly number[]): number {
  const busiest = Math.max(0, ...ratesPerMinute);
  return busiest < FREE_PER_MINUTE ? 0 : Math.floor(Math.log2(busiest / FREE_PER_MINUTE));
}

/** +1 for each doubling of the site's rate against its own baseline over twice the usual, at most +2. */
export function loadExponent(ratio: number): number {
  return ratio < USUAL_RATIO ? 0 : clamp(Math.floor(Math.log2(ratio / USUAL_RATIO)), 0, MOST_LOAD);
}
