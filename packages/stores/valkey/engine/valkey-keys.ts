import { minuteOf } from "@stile/core/domain/rate-window";

/** Marks lie together that may be swept together: those of a second, a hash of its own. */
const BUCKET_MS = 1_000;

/** Names the generation of the engine, which all nodes agree on. */
export const GENERATION_KEY = "stile:generation";

/** What is marked as spent. */
export type MarkKind = "tokens" | "challenges";

/** All names of a site lie in one hash slot. */
export const siteKeyName = (siteKey: string): string => `stile:{${siteKey}}`;

/** Name of the hash in which that is marked which is remembered until this moment. */
export function marksName(siteKey: string, kind: MarkKind, retainUntilMs: number): string {
  return `${siteKeyName(siteKey)}:${kind}:${Math.ceil(retainUntilMs / BUCKET_MS)}`;
}

/** Names of the hashes of all sites themselves, as SCAN takes them. */
export const SITES_PATTERN = "stile:{*}";

/** The key of the site whose hash has that name. */
export const readSiteKey = (name: string): string => name.slice("stile:{".length, -"}".length);

/** Names of all hashes of marks, as SCAN takes them. */
export const MARKS_PATTERN = "stile:{*}:*:*";

/** A hash of marks as its name tells it; `endsAtMs` is the last moment until which anything in it is remembered. */
export type Marks = {
  readonly name: string;
  readonly site: string;
  readonly kind: MarkKind;
  readonly endsAtMs: number;
};

/** Undefined for a name that is not of a hash of marks. */
export function readMarksName(name: string): Marks | undefined {
  const { site, kind, bucket } =
    /^(?<site>stile:\{.*\}):(?<kind>tokens|challenges):(?<bucket>\d+)$/.exec(name)?.groups ?? {};
  if (site === undefined || (kind !== "tokens" && kind !== "challenges")) return undefined;
  return { name, site, kind, endsAtMs: Number(bucket) * BUCKET_MS };
}

/** Names of the counts of a scope, such as `score:pk_...`, in this minute and the one before. */
export function rateNames(scope: string, nowMs: number): readonly [string, string] {
  const siteKey = scope.slice(scope.indexOf(":") + 1);
  const name = (minute: number): string => `${siteKeyName(siteKey)}:rate:${scope}:${minute}`;
  return [name(minuteOf(nowMs)), name(minuteOf(nowMs) - 1)];
}
