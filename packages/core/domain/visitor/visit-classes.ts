import type { WaveProperty } from "@stile/protocol/dashboard-waves";
import { finish, type HashKey, hashText, mix } from "./keyed-hash.ts";
import type { PropertyParts, VisitProperties } from "./visit-properties.ts";

/**
 * 32-bit digests under a key that only the service has. Visits with the same properties get the
 * same digest.
 */
export type ClassDigests = {
  /** Includes the browser's version: this class may surge. */
  readonly now: number;
  /**
   * Leaves the version out. It identifies the usual class, so that a release, which changes all
   * versions, is no surge.
   */
  readonly usual: number;
};

/**
 * The kinds of classes, the most telling first. A program keeps at least some properties from visit
 * to visit, and its author chooses which ones vary.
 */
export const CLASS_KINDS: readonly (readonly WaveProperty[])[] = [
  ["browser", "system", "screen", "window", "languages", "timeZone", "processors", "graphics"],
  ["browser", "system", "languages", "timeZone", "graphics"],
  ["browser", "system", "screen", "window"],
  ["system", "input", "actions", "rhythm", "work"],
];

/**
 * For each kind, whether it has all properties of another one. Then all visits of its class are of
 * one class of that kind.
 */
const HAS_ALL_OF = CLASS_KINDS.map((kind) =>
  CLASS_KINDS.map((other) => other.every((name) => kind.includes(name))),
);

/**
 * Whether all visits of one class of the first kind are of one class of the second kind, which has
 * fewer properties.
 */
export const saysAllOf = (kind: number, other: number): boolean =>
  kind !== other && HAS_ALL_OF[kind]?.[other] === true;

/**
 * The large groups that grow as a whole when another audience arrives: by software, and by
 * location.
 */
const CROWDS = [
  ["engine", "system"],
  ["languages", "timeZone"],
] as const;

type PropertyName = keyof VisitProperties;

/** Every property used in classes. Code refers to them by index, which is faster than by name. */
const NAMES: readonly PropertyName[] = ["engine", ...new Set(CLASS_KINDS.flat())];
const ENGINE = NAMES.indexOf("engine");
const BROWSER = NAMES.indexOf("browser");

const placesOf = (names: readonly PropertyName[]): readonly number[] =>
  names.map((name) => NAMES.indexOf(name));
const NOW = CLASS_KINDS.map(placesOf);
const USUAL = NOW.map((places) => places.map((place) => (place === BROWSER ? ENGINE : place)));
const CROWD_PLACES = CROWDS.map(placesOf);

function hashParts(parts: PropertyParts, key: HashKey): number {
  let state = parts.length;
  for (const part of parts) {
    if (typeof part === "string") state = mix(state, hashText(part, key));
    else state = mix(state, part === null ? -1 : part);
  }
  return state;
}

/** Digests the properties at `places`. `number` separates the kinds of class. */
function digest(
  number: number,
  hashes: Int32Array,
  places: readonly number[],
  key: HashKey,
): number {
  let state = mix(key[2] ?? 0, number);
  for (const place of places) state = mix(state, hashes[place] ?? 0);
  return finish(mix(state, key[3] ?? 0));
}

/** The digests of a visit's classes, in the order of CLASS_KINDS, and those of its crowds. */
export function digestClasses(
  properties: VisitProperties,
  key: HashKey,
): { readonly classes: readonly ClassDigests[]; readonly crowds: readonly number[] } {
  const hashes = new Int32Array(NAMES.length);
  for (let at = 0; at < NAMES.length; at++)
    hashes[at] = hashParts(properties[NAMES[at] as PropertyName], key);
  return {
    classes: NOW.map((places, kind) => ({
      now: digest(kind, hashes, places, key),
      usual: digest(kind, hashes, USUAL[kind] ?? places, key),
    })),
    crowds: CROWD_PLACES.map((places, at) => digest(NOW.length + at, hashes, places, key)),
  };
}
