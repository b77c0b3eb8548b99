import { minuteOf } from "@stile/core/domain/rate-window";

/** Marks that expire within the same second share a hash, so that they are swept together, ms. */
const BUCKET_MS = 1_000;

/** Identifies the generation of the engine, on which all nodes agree. */
export const GENERATION_KEY = "stile:generation";

/** The two kinds of marks. */
export type MarkKind = "tokens" | "challenges";

/** All keys of a site lie in one hash slot. */
export const siteKeyName = (siteKey: string): string => `stile:{${siteKey}}`;

/** The name of the hash for marks that are remembered until this moment. */
export function marksName(siteKey: string, kind: MarkKind, retainUntilMs: number): string {
  return `${siteKeyName(siteKey)}:${kind}:${Math.ceil(retainUntilMs / BUCKET_MS)}`;
}

/** The names of all sites' hashes, as a pattern for SCAN. */
export const SITES_PATTERN = "stile:{*}";

/** The key of the site whose hash has this name. */
export const readSiteKey = (name: string): string => name.slice("stile:{".length, -"}".length);

/** The names of all hashes of marks, as a pattern for SCAN. */
export const MARKS_PATTERN = "stile:{*}:*:*";

/** A hash of marks, read from its name; `endsAtMs` is the last moment until which anything in it is remembered. */
export type Marks = {
  readonly name: string;
  readonly site: string;
  readonly kind: MarkKind;
  readonly endsAtMs: number;
};

/** Undefined if the name is not that of a hash of marks. */
export function readMarksName(name: string): Marks | undefined {
  const { site, kind, bucket } =
    /^(?<site>stile:\{.*\}):(?<kind>tokens|challenges):(?<bucket>\d+)$/.exec(name)?.groups ?? {};
  if (site === undefined || (kind !== "tokens" && kind !== "challenges")) return undefined;
  return { name, site, kind, endsAtMs: Number(bucket) * BUCKET_MS };
}

/** The names of the counts of a scope, such as `score:pk_...`, in this minute and the one before. */
export function rateNames(scope: string, nowMs: number): readonly [string, string] {
  const siteKey = scope.slice(scope.indexOf(":") + 1);
  const name = (minute: number): string => `${siteKeyName(siteKey)}:rate:${scope}:${minute}`;
  return [name(minuteOf(nowMs)), name(minuteOf(nowMs) - 1)];
}
