import { digestClasses } from "@stile/core/domain/visitor/visit-classes";
import { propertiesOf } from "@stile/core/domain/visitor/visit-properties";
import type { CountedVisit, Surge } from "@stile/core/ports/visitor/wave-memory";
import { decodeBehaviour, decodeEnvironment } from "@stile/protocol/decode-signals";
import { createRandom, type Random } from "@stile/risk/seeded-random";
import { createWaveMemory } from "@stile/stores/process/waves/wave-memory";
import { type CrowdMix, type CrowdVisit, draw, visitorOf } from "./crowd.ts";

const KEY = Uint32Array.of(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344);
const HOUR_MS = 3_600_000;

/** The service's counts of such a visit, from that network. */
export function toCounted(
  { userAgent, environment, behaviour }: CrowdVisit,
  network: number,
): CountedVisit {
  const observed = {
    environment: decodeEnvironment(environment),
    behaviour: decodeBehaviour(behaviour),
  };
  const properties = propertiesOf({ userAgent, ...observed, difficulty: 100_000 });
  return { era: 1, network, ...digestClasses(properties, KEY) };
}

/** A site whose visitors are counted, one after another; the seed determines everything in it. */
export function watchedSite(seed: number) {
  const random = createRandom(seed);
  const memory = createWaveMemory({ maxSites: 1 });
  let nowMs = Date.UTC(2026, 5, 15, 6);
  const anywhere = (): number => Math.floor(random() * 2 ** 32);
  const submit = (visit: CrowdVisit, network = anywhere()): Surge | undefined => {
    const counted = toCounted(visit, network);
    const { surge } = memory.find("pk_1", counted, nowMs);
    memory.record("pk_1", counted, nowMs);
    return surge;
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return {
    random,
    memory,
    nowMs: () => nowMs,
    pass,
    submit,
    /**
     * Makes that many visitors of a crowd come within that time, and counts those flagged as a
     * wave.
     */
    visit: (mix: CrowdMix, count: number, withinMs: number): number => {
      let flagged = 0;
      for (let i = 0; i < count; i++) {
        pass(withinMs / count);
        if (submit(visitorOf(mix, random)) !== undefined) flagged++;
      }
      return flagged;
    },
  };
}

/** A site whose visitors are counted. */
export type WatchedSite = ReturnType<typeof watchedSite>;

/** A site that had that many visitors an hour for half a day. */
export function knownSite(seed: number, mix: CrowdMix, perHour: number): WatchedSite {
  const site = watchedSite(seed);
  site.visit(mix, 12 * perHour, 12 * HOUR_MS);
  return site;
}

type Forge = (base: CrowdVisit, mix: CrowdMix, random: Random) => CrowdVisit;

const SCREENS = [
  [1920, 1080],
  [2560, 1440],
  [1680, 1050],
  [1536, 864],
] as const;

const freshBehaviour: Forge = (base, mix, random) => ({
  ...base,
  behaviour: visitorOf(mix, random).behaviour,
});

/**
 * Programs, by the properties that they vary at each visit; they copy an honest visitor of the
 * site.
 */
export const WAVE_FORGERS = {
  "the same each time": (base) => base,
  "fresh behaviour": freshBehaviour,
  "fresh behaviour, 4 screens, 4 processors": (base, mix, random) => {
    const [width, height] = SCREENS[Math.floor(4 * random())] ?? SCREENS[0];
    const environment = {
      ...base.environment,
      cores: 4 * (1 + Math.floor(4 * random())),
      screen: [width, height, width, height - 40, 24],
      viewport: [width, height - 127, width, height],
    } as const;
    return freshBehaviour({ ...base, environment }, mix, random);
  },
  "fresh behaviour, languages of people": (base, mix, random) => {
    const [languages, timezone] = draw(random, mix.places);
    return freshBehaviour(
      { ...base, environment: { ...base.environment, languages, timezone } },
      mix,
      random,
    );
  },
  "devices of people, the same behaviour": (base, mix, random) => ({
    ...visitorOf(mix, random),
    behaviour: base.behaviour,
  }),
  "everything as people have it": (_base, mix, random) => visitorOf(mix, random),
} as const satisfies Readonly<Record<string, Forge>>;

/** The scores of a wave among honest visitors. */
export type WaveFigures = {
  /** The share of the wave's visits after its first 20 that was flagged; 0..1. */
  readonly ofWave: number;
  /** The share of the honest visits that was flagged. */
  readonly ofHonest: number;
};

/**
 * Sends that many forged visits among 300 honest ones to a known site, within ten minutes, each
 * from a network of its own.
 */
export function runWave(
  site: WatchedSite,
  mix: CrowdMix,
  forger: keyof typeof WAVE_FORGERS,
  size: number,
): WaveFigures {
  const base = visitorOf({ ...mix, devices: [["windows", 1]] }, site.random);
  const left = { honest: 300, forged: size };
  const flagged = { honest: 0, forged: 0 };
  for (let sent = 0; left.honest + left.forged > 0; ) {
    site.pass(600_000 / (300 + size));
    const isForged = site.random() * (left.honest + left.forged) < left.forged;
    left[isForged ? "forged" : "honest"]--;
    const visit = isForged
      ? WAVE_FORGERS[forger](base, mix, site.random)
      : visitorOf(mix, site.random);
    const isFlagged = site.submit(visit) !== undefined;
    if (isForged) sent++;
    if (isFlagged && !isForged) flagged.honest++;
    if (isFlagged && isForged && sent > 20) flagged.forged++;
  }
  return { ofWave: flagged.forged / (size - 20), ofHonest: flagged.honest / 300 };
}
