/** What is known of one class of visits to a site, in the stretch that is counted now. */
export type ClassCount = {
  /** Networks that brought visits of the class. */
  readonly networks: number;
  /** How many visits of it the site's own past lets expect among as many. */
  readonly expected: number;
  /** By how many networks the large groups that it belongs to are above their own share; the greatest, 0 or more. */
  readonly crowdExcess: number;
};

/** Fewer networks than this meet by chance. */
export const LEAST_NETWORKS = 14;
/** So many times what is usual: evenings, weekends and newsletters move a class by two or three. */
const LEAST_RATIO = 6;
/** Of what its large group is above the usual, a class of people is a small part; a program's is most of it. */
const LEAST_PART = 1 / 2;

/** Whether a class is so far above its own share that its visits hardly came from as many people. */
export function isSurge({ networks, expected, crowdExcess }: ClassCount): boolean {
  return networks >= LEAST_NETWORKS && networks >= LEAST_RATIO * expected && networks >= LEAST_PART * crowdExcess;
}
