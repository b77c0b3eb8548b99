/** The counts of one class of visits to a site, in the current counting period. */
export type ClassCount = {
  /** How many networks brought visits of the class. */
  readonly networks: number;
  /** The number of them to expect from the site's own past. */
  readonly expected: number;
  /**
   * By how many networks the large groups it belongs to exceed their own share; the greatest of
   * these, 0 or more.
   */
  readonly crowdExcess: number;
};

/** Fewer networks than this can coincide by chance. */
export const LEAST_NETWORKS = 14;
/**
 * The required multiple of the usual: evenings, weekends and newsletters move a class by two or
 * three.
 */
const LEAST_RATIO = 6;
/**
 * The class's share in its large group's excess: small for a class of people, most of it for a
 * program.
 */
const LEAST_PART = 1 / 2;

/**
 * Whether a class is so far above its usual share that its visits hardly come from as many people.
 */
export function isSurge({ networks, expected, crowdExcess }: ClassCount): boolean {
  return (
    networks >= LEAST_NETWORKS &&
    networks >= LEAST_RATIO * expected &&
    networks >= LEAST_PART * crowdExcess
  );
}
