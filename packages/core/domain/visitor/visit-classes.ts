import type { WaveProperty } from "@stile/protocol/dashboard-waves";
import { finish, type HashKey, hashText, mix } from "./keyed-hash.ts";
import type { PropertyParts, VisitProperties } from "./visit-properties.ts";

/** Whatever two visits have in common has the same digest: 32 bits under a key that only the service has. */
export type ClassDigests = {
  /** With the browser's version: what surges. */
  readonly now: number;
  /** Without it: what is usual, so that a release, which moves everybody to a new version, surprises nobody. */
  readonly usual: number;
};

/**
 * The kinds of classes, the one that says most first: a program keeps at least some of what it says from visit to visit, and which
 * it varies is its author's choice.
 */
export const CLASS_KINDS: readonly (readonly WaveProperty[])[] = [
  ["browser", "system", "screen", "window", "languages", "timeZone", "processors", "graphics"],
  ["browser", "system", "languages", "timeZone", "graphics"],
  ["browser", "system", "screen", "window"],
  ["system", "input", "actions", "rhythm", "work"],
];

/** The large groups that grow as a whole where another audience comes: by what they come with, and from where. */
const CROWDS = [
  ["engine", "system"],
  ["languages", "timeZone"],
] as const;

type Name = keyof VisitProperties;

/** Every property that classes are made of; they are named by their place here, which is quicker than by their names. */
const NAMES: readonly Name[] = ["engine", ...new Set(CLASS_KINDS.flat())];
const ENGINE = NAMES.indexOf("engine");
const BROWSER = NAMES.indexOf("browser");

const placesOf = (names: readonly Name[]): readonly number[] => names.map((name) => NAMES.indexOf(name));
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

/** The digest of what stands in those places; the number keeps kinds apart. */
function digest(number: number, hashes: Int32Array, places: readonly number[], key: HashKey): number {
  let state = mix(key[2] ?? 0, number);
  for (const place of places) state = mix(state, hashes[place] ?? 0);
  return finish(mix(state, key[3] ?? 0));
}

/** The digests of a visit's classes, in the order of CLASS_KINDS, and of its crowds. */
export function digestClasses(
  properties: VisitProperties,
  key: HashKey,
): { readonly classes: readonly ClassDigests[]; readonly crowds: readonly number[] } {
  const hashes = new Int32Array(NAMES.length);
  for (let at = 0; at < NAMES.length; at++) hashes[at] = hashParts(properties[NAMES[at] as Name], key);
  return {
    classes: NOW.map((places, kind) => ({
      now: digest(kind, hashes, places, key),
      usual: digest(kind, hashes, USUAL[kind] ?? places, key),
    })),
    crowds: CROWD_PLACES.map((places, at) => digest(NOW.length + at, hashes, places, key)),
  };
}
