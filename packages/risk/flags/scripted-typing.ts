import type { ObservedToggle } from "@stile/protocol/observed-signals";
import { knownBehaviour } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

type Typing = {
  /** How long each key was held, ms. */
  readonly holds: readonly number[];
  /** From one key to the next, down to down, ms. */
  readonly distances: readonly number[];
  /** From releasing one key to pressing the next, ms. */
  readonly gaps: readonly number[];
};

/**
 * Only presses that overlap no other: the samples don't name the key that goes up, so only these
 * have a known length.
 */
function typingOf(keys: readonly ObservedToggle[]): Typing {
  const holds: number[] = [];
  const distances: number[] = [];
  const gaps: number[] = [];
  keys.forEach(({ atMs, isOn }, at) => {
    const up = keys[at + 1];
    if (!isOn || up === undefined || up.isOn || keys[at - 1]?.isOn) return;
    holds.push(up.atMs - atMs);
    const [down, upBefore] = [keys[at - 2], keys[at - 1]];
    if (!down?.isOn || upBefore === undefined) return;
    distances.push(atMs - down.atMs);
    gaps.push(atMs - upBefore.atMs);
  });
  return { holds, distances, gaps };
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/**
 * The width of at least the middle two thirds: a machine that was busy for a moment does not hide
 * the rest.
 */
function spread(values: readonly number[]): number {
  const sorted = ascending(values);
  const odd = Math.floor(sorted.length / 6);
  return (sorted[sorted.length - 1 - odd] ?? 0) - (sorted[odd] ?? 0);
}

const median = (values: readonly number[]): number =>
  ascending(values)[Math.floor(values.length / 2)] ?? 0;
const MIN_PRESSES = 8;
const EVEN_HOLD_MS = 8;
const EVEN_RHYTHM_MS = 12;

/** 33 keys a second, each released before the next: three times as fast as the fastest typists. */
const FASTEST_MS = 30;

/** Tools press the next key as soon as the last is up. */
const NO_GAP_MS = 6;
const MIN_GAPS = 4;

/** Whether at least four keys in five were each pressed as soon as the last was up. */
function hasNoGaps(gaps: readonly number[]): boolean {
  const closed = gaps.filter((gap) => gap <= NO_GAP_MS).length;
  return closed >= MIN_GAPS && closed * 5 >= gaps.length * 4;
}

/**
 * Several keys were each pressed as soon as the last was up; or at least eight were held equally
 * long at equal distances, or faster than fingers can. People's times spread widely
 * (doi:10.1016/j.heliyon.2021.e08413). Screen keyboards, dwelling and switches hold equally long,
 * but at a person's pace. Password managers and text expanders raise it.
 */
export const scriptedTyping = {
  name: "scripted_typing",
  group: "input",
  label: "Keys were pressed in a way that only programs do.",
  weight: 1,
  detect: (evidence) => {
    const { holds, distances, gaps } = typingOf(knownBehaviour(evidence)?.keys ?? []);
    if (hasNoGaps(gaps)) return true;
    if (holds.length < MIN_PRESSES || distances.length < MIN_PRESSES - 1) return false;
    if (median(distances) <= FASTEST_MS) return true;
    return spread(holds) <= EVEN_HOLD_MS && spread(distances) <= EVEN_RHYTHM_MS;
  },
} satisfies FlagRow;
