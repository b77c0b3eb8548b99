import type {
  BehaviourSignals,
  EnvironmentSignals,
  PointerSample,
  ToggleSample,
} from "@stile/protocol/signals";
import type { Random } from "@stile/risk/seeded-random";
import { CHROME_VISITOR, findVisitor } from "./find-visitor.ts";

/** The submission of a synthetic visitor. */
export type CrowdVisit = {
  readonly userAgent: string;
  readonly environment: EnvironmentSignals;
  readonly behaviour: BehaviourSignals;
};

/** Values with their relative frequencies; the sum need not be one. */
type Weighed<Value> = readonly (readonly [Value, number])[];

/** A random value, with probability proportional to its weight. */
export function draw<Value>(random: Random, values: Weighed<Value>): Value {
  let left = random() * values.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of values) {
    left -= weight;
    if (left < 0) return value;
  }
  return (values.at(-1) as readonly [Value, number])[0];
}

const between = (random: Random, least: number, most: number): number =>
  least + (most - least) * random();
const whole = (random: Random, least: number, most: number): number =>
  Math.floor(between(random, least, most + 1));

/** The origin of a crowd: languages and time zones, which belong together. */
export type Locale = readonly [languages: readonly string[], timeZone: string];

/** Visitors of one country, as most sites have them, and of the whole world. */
export const PLACES = {
  national: [
    [[["de-DE", "de", "en-US", "en"], "Europe/Berlin"], 52],
    [[["de-DE"], "Europe/Berlin"], 20],
    [[["de"], "Europe/Berlin"], 8],
    [[["en-US", "en"], "Europe/Berlin"], 6],
    [[["de-AT"], "Europe/Vienna"], 5],
    [[["de-CH"], "Europe/Zurich"], 4],
    [[["tr-TR", "tr"], "Europe/Berlin"], 3],
    [[["pl-PL"], "Europe/Warsaw"], 2],
  ],
  world: [
    [[["en-US"], "America/New_York"], 22],
    [[["en-US", "en"], "America/Los_Angeles"], 14],
    [[["en-US", "en"], "America/Chicago"], 12],
    [[["en-GB", "en"], "Europe/London"], 12],
    [[["de-DE", "de", "en-US", "en"], "Europe/Berlin"], 9],
    [[["fr-FR", "fr"], "Europe/Paris"], 7],
    [[["ja"], "Asia/Tokyo"], 7],
    [[["pt-BR", "pt"], "America/Sao_Paulo"], 6],
    [[["en-IN", "en"], "Asia/Kolkata"], 6],
    [[["es-ES"], "Europe/Madrid"], 5],
  ],
} as const satisfies Readonly<Record<string, Weighed<Locale>>>;

/** The visitors of a site, each part per hundred, and how new their browsers are. */
export type CrowdMix = {
  readonly places: Weighed<Locale>;
  readonly devices: Weighed<"iphone" | "android" | "windows" | "mac">;
  /** The most common version of Chromium. */
  readonly version: number;
  /** Share of those who already have the next one. */
  readonly onNext: number;
};

/** The crowd of an average site. */
export const USUAL_MIX: CrowdMix = {
  places: PLACES.national,
  devices: [
    ["iphone", 30],
    ["android", 30],
    ["windows", 30],
    ["mac", 10],
  ],
  version: 140,
  onNext: 0.02,
};

const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IPHONES: Weighed<readonly [number, number, number]> = [
  [[390, 844, 664], 34],
  [[393, 852, 659], 24],
  [[430, 932, 739], 14],
  [[402, 874, 681], 10],
  [[375, 812, 635], 8],
  [[375, 667, 553], 6],
  [[414, 896, 715], 4],
];
const ANDROIDS: Weighed<readonly [number, number, number]> = [
  [[412, 915, 2.625], 24],
  [[360, 800, 3], 20],
  [[384, 832, 2.8125], 14],
  [[393, 873, 2.75], 12],
  [[412, 892, 2.625], 10],
  [[360, 780, 3], 10],
  [[432, 960, 2.5], 6],
  [[411, 731, 2.625], 4],
];
const DESKS: Weighed<readonly [number, number, number]> = [
  [[1920, 1080, 1], 42],
  [[1536, 864, 1.25], 22],
  [[2560, 1440, 1], 12],
  [[1366, 768, 1], 9],
  [[1280, 720, 1.5], 8],
  [[1680, 1050, 1], 7],
];
const GPUS = Array.from({ length: 24 }, (_, at): readonly [string, number] => [
  `ANGLE (GPU ${at})`,
  24 / (at + 1),
]);
const MOBILE_GPUS = Array.from({ length: 12 }, (_, at): readonly [string, number] => [
  `Adreno ${at}`,
  12 / (at + 1),
]);

function withPlaces(environment: EnvironmentSignals, userAgent: string): EnvironmentSignals {
  const { platform, languages, cores } = environment;
  const place = { userAgent, platform, languages, webdriver: false, cores };
  return {
    ...environment,
    userAgent,
    blank: place,
    frame: place,
    worker: { ...place, webdriver: null },
  };
}

function device(mix: CrowdMix, random: Random): Omit<CrowdVisit, "behaviour"> {
  const major = random() < mix.onNext ? mix.version + 1 : mix.version - (random() < 0.15 ? 1 : 0);
  const [languages, timezone] = draw(random, mix.places);
  const kind = draw(random, mix.devices);
  const of = (base: EnvironmentSignals, userAgent: string, parts: Partial<EnvironmentSignals>) => ({
    userAgent,
    environment: withPlaces({ ...base, languages, timezone, ...parts }, userAgent),
  });
  if (kind === "iphone") {
    const [width, height, inner] = draw(random, IPHONES);
    const ios = draw(random, [
      ["18.6", 50],
      ["26.0", 30],
      ["17.6", 20],
    ] as const);
    const agent = `Mozilla/5.0 (iPhone; CPU iPhone OS ${ios.replace(".", "_")} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${ios} Mobile/15E148 Safari/604.1`;
    return of(findVisitor("iPhone").environment, agent, {
      screen: [width, height, width, height, 24],
      viewport: [width, inner + (random() < 0.3 ? 82 : 0), width, height],
      graphics: ["Apple Inc.", "Apple GPU"],
    });
  }
  if (kind === "android") {
    const [width, height, pixelRatio] = draw(random, ANDROIDS);
    const inner =
      height -
      draw(random, [
        [122, 3],
        [56, 1],
        [146, 1],
      ] as const);
    return of(
      findVisitor("Chrome on Android").environment,
      `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/${major}.0.0.0 Mobile Safari/537.36`,
      {
        screen: [width, height, width, height, 24],
        viewport: [width, inner, width, inner],
        pixelRatio,
        memory: draw(random, [
          [4, 4],
          [8, 5],
          [2, 1],
        ] as const),
        graphics: ["Qualcomm", draw(random, MOBILE_GPUS)],
      },
    );
  }
  const [width, height, pixelRatio] =
    kind === "mac" ? ([1512, 982, 2] as const) : draw(random, DESKS);
  const isWhole = random() < 0.6;
  const inner =
    height -
    draw(random, [
      [129, 4],
      [170, 3],
      [97, 1],
    ] as const);
  const system =
    kind === "mac" ? "Macintosh; Intel Mac OS X 10_15_7" : "Windows NT 10.0; Win64; x64";
  const chromium = `Mozilla/5.0 (${system}) ${BLINK} Chrome/${major}.0.0.0 Safari/537.36`;
  const agent = draw(random, [
    [chromium, 62],
    [`${chromium} Edg/${major}.0.0.0`, 20],
    [`Mozilla/5.0 (${system}; rv:${major + 3}.0) Gecko/20100101 Firefox/${major + 3}.0`, 18],
  ] as const);
  return of(CHROME_VISITOR.environment, agent, {
    screen: [width, height, width, height - 40, 24],
    viewport: [
      isWhole ? width : whole(random, 900, width),
      isWhole ? inner : whole(random, 500, inner),
      width,
      height,
    ],
    pixelRatio,
    cores: draw(random, [
      [4, 3],
      [8, 4],
      [12, 2],
      [16, 2],
      [6, 1],
    ] as const),
    memory: draw(random, [
      [8, 7],
      [4, 2],
      [2, 1],
    ] as const),
    graphics: ["Google Inc.", draw(random, GPUS)],
  });
}

function tapsOf(random: Random): readonly PointerSample[] {
  const samples: PointerSample[] = [];
  for (
    let left = whole(random, 1, 4), ms = between(random, 800, 2500);
    left > 0;
    left--, ms += between(random, 400, 3000)
  ) {
    const upMs = ms + between(random, 40, 140);
    const [x, y] = [between(random, 20, 340), between(random, 100, 500)];
    samples.push(
      [ms, x, y, 1, 1, 1, 1, 0, 0],
      [upMs, x, y, 2, 1, 0, 1],
      [upMs + 1, x, y, 4, 1, 0, 1, 0, 0],
    );
  }
  return samples;
}

function movesOf(random: Random): readonly PointerSample[] {
  const moves = Array.from(
    { length: whole(random, 8, 60) },
    (_, at): PointerSample => [900 + 16.7 * at, 400 - at, 300 + at, 0, 0, 0, 1, -1, 1, 1],
  );
  return [
    ...moves,
    [2200, 340, 356, 1, 0, 0.5, 1, 3, 4],
    [2290, 340, 356, 2, 0, 0, 1],
    [2291, 340, 356, 4, 0, 0, 1, 3, 4],
  ];
}

function typing(random: Random): readonly ToggleSample[] {
  const pauseMs = between(random, 90, 260);
  const keys: ToggleSample[] = [];
  for (
    let left = whole(random, 6, 30), ms = 1500;
    left > 0;
    left--, ms += pauseMs * between(random, 0.5, 1.8)
  ) {
    keys.push([ms, 1], [ms + between(random, 50, 120), 0]);
  }
  return keys;
}

/** One random visitor of that crowd, with their browser and actions. */
export function visitorOf(mix: CrowdMix, random: Random): CrowdVisit {
  const { userAgent, environment } = device(mix, random);
  const isTouch = environment.touchPoints > 0;
  const isFilled = random() < 0.25;
  const pointer = isTouch ? tapsOf(random) : random() < 0.08 ? [] : movesOf(random);
  const keys = isFilled || isTouch ? [] : typing(random);
  const lastMs = Math.max(3_000, pointer.at(-1)?.[0] ?? 0, keys.at(-1)?.[0] ?? 0);
  const behaviour: BehaviourSignals = {
    ...CHROME_VISITOR.behaviour,
    durationMs: lastMs + between(random, 200, 30_000),
    solveMs: between(random, 250, 1_800) * (isTouch ? 1.6 : 1),
    pointer,
    keys,
    scroll: Array.from({ length: whole(random, 0, 6) }, (_, at): ToggleSample => [300 * at, 1]),
  };
  return { userAgent, environment, behaviour };
}
