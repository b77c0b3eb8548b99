import { createRandom, seedOf } from "@stile/risk/seeded-random";
import type { HeldOut } from "../training/cross-validation.ts";
import { standDown } from "../training/cross-validation.ts";
import { copyOnDevice, slowDevice } from "../training/device-copies.ts";
import { type Abstained, describePath, type Example } from "../training/examples.ts";
import type { Folds } from "../training/folds.ts";
import type { Recording } from "../training/read-examples.ts";

/** Screens, by frames per second, and how many ms per frame their page keeps them busy. */
export const SCREENS = [
  ...[60, 40, 30, 25, 20, 15].map((hertz) => ({ name: `${hertz} Hz`, hertz, busyMs: 0 })),
  ...[30, 48].map((busyMs) => ({ name: `60 Hz, blocked ${busyMs} ms a frame`, hertz: 60, busyMs })),
] as const;

/** Every n-th path of people is shown on each of the screens. */
const EVERY = 2;

/** People's paths as each of SCREENS shows them; the device has the screen's name. */
export function toScreens(
  recordings: readonly Recording[],
  folds: Folds,
): { examples: Example[]; abstained: Abstained[] } {
  const examples: Example[] = [];
  const abstained: Abstained[] = [];
  const people = recordings.filter(({ kind }, at) => kind === "human" && at % EVERY === 0);
  for (const { name, hertz, busyMs } of SCREENS) {
    const device = slowDevice(hertz, busyMs);
    people.forEach((recording, at) => {
      const { source, subject, generator, events } = recording;
      const described = describePath(
        copyOnDevice(events, device, createRandom(seedOf(`${name} ${at}`))),
      );
      const origin = { isBot: false, source, subject, generator, fold: folds.of(recording) };
      if (typeof described === "string")
        abstained.push({ ...origin, why: described, device: { name, regimes: [] } });
      else if (described !== undefined)
        examples.push({ ...origin, features: described, device: { name, regimes: [] } });
    });
  }
  return { examples, abstained };
}

/** For one of SCREENS: the scored paths, and the others. */
export const onScreen = (
  name: string,
  scored: readonly HeldOut[],
  abstained: readonly Abstained[],
): HeldOut[] => [
  ...scored.filter(({ origin }) => origin.device?.name === name),
  ...standDown(abstained.filter(({ device }) => device?.name === name)),
];
