import { createRandom, seedOf } from "@stile/risk/seeded-random";
import type { HeldOut } from "../training/cross-validation.ts";
import { copyOnDevice, jitteredDevice } from "../training/device-copies.ts";
import { describePath, type Example } from "../training/examples.ts";
import type { Folds } from "../training/folds.ts";
import type { Recording } from "../training/read-examples.ts";

/** By how many ms the clock of a device errs at most; 0 is the clock of the recording. */
export const CLOCK_ERRORS_MS = [0, 1, 2, 4] as const;

const nameOf = (jitterMs: number): string => `clock ${jitterMs}`;

/** People's paths as devices report them whose clocks jitter. */
export function toClocks(recordings: readonly Recording[], folds: Folds): Example[] {
  const people = recordings.filter(({ kind }) => kind === "human");
  return CLOCK_ERRORS_MS.filter((jitterMs) => jitterMs > 0).flatMap((jitterMs) =>
    people.flatMap((recording, at) => {
      const { source, subject, generator, events } = recording;
      const random = createRandom(seedOf(`${nameOf(jitterMs)} ${at}`));
      const features = describePath(copyOnDevice(events, jitteredDevice(jitterMs), random));
      if (!(features instanceof Float64Array)) return [];
      const origin = { isBot: false, source, subject, generator, fold: folds.of(recording) };
      return [{ ...origin, features, device: { name: nameOf(jitterMs), regimes: [] } }];
    }),
  );
}

/** The scored paths of people at that jitter; at 0 as they were recorded. */
export const atClock = (jitterMs: number, scored: readonly HeldOut[]): HeldOut[] =>
  scored.filter(
    ({ isBot, origin }) =>
      !isBot && origin.device?.name === (jitterMs === 0 ? undefined : nameOf(jitterMs)),
  );
