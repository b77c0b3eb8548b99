import { createRandom, seedOf } from "@stile/risk/seeded-random";
import type { HeldOut } from "./cross-validation.ts";
import {
  copyOnDevice,
  type Device,
  drawDevice,
  REGIMES,
  type Regime,
  SLOW_REGIMES,
} from "./device-copies.ts";
import { describePath, type Example, PATHS_A_DEVICE } from "./examples.ts";
import type { Folds } from "./folds.ts";
import type { Recording } from "./read-examples.ts";
import { drawSlowDevice } from "./slow-devices.ts";

/** People's paths on devices of one kind. */
export type Kind = { readonly regime: Regime; readonly examples: readonly Example[] };

/** A collection with fewer paths is too small to find what 1 in 1,000 of them exceeds. */
const LEAST_OF_SOURCE = 2_000;

/** People's paths, one entry for each collection that is large enough. */
export function bySource(people: readonly HeldOut[]): HeldOut[][] {
  const sources = Map.groupBy(people, ({ origin }) => origin.source);
  return [...sources.values()].filter(({ length }) => length >= LEAST_OF_SOURCE);
}

const isSlow = (regime: Regime): boolean => SLOW_REGIMES.some((slow) => slow === regime);

/** A random device of that kind. */
function drawOf(regime: Regime, name: string): Device {
  const draw = isSlow(regime) ? drawSlowDevice : drawDevice;
  for (let attempt = 0; ; attempt++) {
    const device = draw(createRandom(seedOf(`${name} ${attempt}`)));
    if (device.regimes.includes(regime)) return device;
  }
}

function toKind(regime: Regime, people: readonly Recording[], folds: Folds): Kind {
  const examples: Example[] = [];
  const seen = new Map<string, number>();
  for (const recording of people) {
    const { source, subject, generator, events } = recording;
    const before = seen.get(subject) ?? 0;
    seen.set(subject, before + 1);
    const name = `${regime} of ${subject} ${Math.floor(before / PATHS_A_DEVICE)}`;
    const device = drawOf(regime, name);
    const features = describePath(
      copyOnDevice(events, device, createRandom(seedOf(`${name} ${before}`))),
    );
    if (!(features instanceof Float64Array)) continue;
    const origin = { isBot: false, source, subject, generator, fold: folds.of(recording) };
    examples.push({ ...origin, features, device: { name, regimes: device.regimes } });
  }
  return { regime, examples };
}

/**
 * Every path of people once on a device of each kind, if it stays within the support. Training
 * draws devices by their frequency. Of the rare kinds there are only a few hundred, among which one
 * person on two of them is a third of all finds.
 */
export function toKinds(recordings: readonly Recording[], folds: Folds): Kind[] {
  const people = recordings.filter(({ kind }) => kind === "human");
  return REGIMES.map((regime) => toKind(regime, people, folds));
}

/** Whether a path is one of that kind. */
export function isOn({ examples }: Kind): (scored: HeldOut) => boolean {
  const names = new Set(examples.map(({ device }) => device?.name));
  return ({ origin }) => origin.device !== undefined && names.has(origin.device.name);
}
