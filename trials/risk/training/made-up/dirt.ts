import type { Random } from "@stile/risk/seeded-random";
import { evenly, evenlyInLog, normally } from "../distributions.ts";
import { drawSines } from "./curve.ts";

/**
 * The offset to add to a position, px, after `ms` and a share 0..1 of the time, at a speed in px
 * per ms.
 */
type Noise = (ms: number, share: number, speed: number) => number;

function correlated(random: Random): Noise {
  const [size, memoryMs] = [evenly(random, 0.2, 5), evenly(random, 15, 250)];
  let [value, before] = [normally(random, size), 0];
  return (ms) => {
    const keep = Math.exp(-(ms - before) / memoryMs);
    before = ms;
    value = keep * value + normally(random, size * Math.sqrt(1 - keep * keep));
    return value;
  };
}

function tremor(random: Random): Noise {
  const [size, hertz, phase] = [
    evenly(random, 0.15, 2),
    evenly(random, 8, 12),
    evenly(random, 0, 2 * Math.PI),
  ];
  return (ms) => size * Math.sin((2 * Math.PI * hertz * ms) / 1000 + phase);
}

const KINDS: readonly ((random: Random) => Noise)[] = [
  (random) => {
    const size = evenly(random, 0.15, 1.6);
    return () => normally(random, size);
  },
  correlated,
  (random) => {
    const sines = drawSines(random, evenly(random, 0.2, 4), 1);
    return (_, share) => sines(share);
  },
  tremor,
  (random) => {
    const growth = evenlyInLog(random, 0.01, 0.12);
    return (_, __, speed) => normally(random, growth * speed * 16);
  },
];

const ENDS = 0.12;

/**
 * The noise that a program adds to look less clean, often none: the same kinds in both directions,
 * with different numbers.
 */
export function drawDirt(random: Random): readonly [Noise, Noise] {
  if (random() < 0.3) return [() => 0, () => 0];
  const kinds = KINDS.filter(() => random() < 0.4);
  const isDamped = random() < 0.7;
  const side = (): Noise => {
    const noises = kinds.map((kind) => kind(random));
    return (ms, share, speed) => {
      const damped = isDamped ? Math.min(1, share / ENDS, (1 - share) / ENDS) : 1;
      return damped * noises.reduce((sum, noise) => sum + noise(ms, share, speed), 0);
    };
  };
  return [side(), side()];
}
