import {
  type BehaviourSignals,
  type EnvironmentSignals,
  SIGNALS_VERSION,
} from "@stile/protocol/signals";
import fc from "fast-check";
import type { RandomBelow } from "../random-below.ts";
import { anyCharacter, anyText } from "./any-text.ts";

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** JSON values, and texts that only look like JSON, that break careless readers. */
const KNOWN_BAD: readonly string[] = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "-1",
  "1e999",
  "-1e999",
  "1e-999",
  "9007199254740993",
  "0.1e+1",
  "NaN",
  "undefined",
  "Infinity",
  "'x'",
  "01",
  "+1",
  "0x1",
  "1.",
  "{,}",
  "[,]",
  "{]",
  "//",
  "\u00a0",
  "",
  '"',
  "9".repeat(500),
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e"',
  '"\\ufeff"',
  '"\\x41"',
  '"\t"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"null"',
  '"-1"',
  '"1970-01-01"',
  '" "',
  '"../../etc/passwd"',
  '{"__proto__":1}',
  '{"\\u005f_proto__":1}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"a":1,"a":2}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":"x","__defineGetter__":[],"then":"x","toJSON":"x","length":-1}',
  '{"accept":1,"sec-ch-ua":null,"SEC-FETCH-SITE":"x","accept-language":"\\ud800","user-agent":[],"accept\\u0000":"y"}',
  nested(6),
  nested(7),
  nested(8),
  nested(20_000),
  "[".repeat(20_000),
  '{"a":'.repeat(9),
  ...[1, 64, 255, 256, 1024, 2048, 2049, 15_000, 40_000].map((length) => `"${"A".repeat(length)}"`),
  `"${"\u{1f600}".repeat(63)}"`,
  `"${"\u00e9".repeat(128)}"`,
  `"${"\\\\".repeat(5000)}"`,
  `"${" ".repeat(9000)}x"`,
  `"${'\\"a\\";v=\\"'.repeat(900)}"`,
  `"${"(".repeat(5000)}"`,
  `"${"Version/1".repeat(500)}"`,
  '"::ffff:1.2.3.4"',
  '"1.2.3.4.5"',
  '"0x7f.1"',
  '"fe80::1%eth0"',
  '"::"',
  '"[::1]"',
  '"1.2.3.4, 5.6.7.8"',
];

const time = fc.oneof(fc.constantFrom(0, 1, 1e9), fc.double({ min: 0, max: 1e9, noNaN: true }));
const finite = fc.oneof(
  fc.constantFrom(0, -1, 1e9, -1e9),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
);
const bit = fc.constantFrom(0 as const, 1 as const);
const text = (maxLength: number) => anyText({ maxLength });
const list = <Value>(value: fc.Arbitrary<Value>, maxLength: number) =>
  fc.array(value, { maxLength, size: "max" });
const toggles = list(fc.tuple(time, bit), 40);
const cores = fc.option(fc.integer({ min: 1, max: 4096 }));
const userAgent = fc.oneof(
  text(1024),
  fc.constantFrom(
    "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36",
    "HeadlessChrome/1",
    "Firefox/",
  ),
);

const place = {
  userAgent,
  platform: fc.oneof(text(128), fc.constantFrom("Win32", "Linux x86_64", "__proto__", "toString")),
  languages: list(text(64), 32),
  webdriver: fc.option(fc.boolean()),
  cores,
};
const otherPlace = fc.option(fc.record(place));

/** Environments that pass the schema but make no sense. */
const environments: fc.Arbitrary<EnvironmentSignals> = fc.record({
  v: fc.constant<typeof SIGNALS_VERSION>(SIGNALS_VERSION),
  ...place,
  vendor: text(128),
  memory: fc.option(fc.double({ min: 0, max: 4096, noNaN: true })),
  touchPoints: fc.integer({ min: 0, max: 256 }),
  screen: fc.tuple(finite, finite, finite, finite, finite),
  viewport: fc.tuple(finite, finite, finite, finite),
  pixelRatio: fc.double({ min: 0, max: 64, noNaN: true }),
  timezoneOffset: fc.double({ min: -1440, max: 1440, noNaN: true }),
  timezone: fc.option(text(64)),
  media: list(text(64), 64),
  clientHints: fc.option(
    fc.record({
      brands: list(fc.tuple(text(128), text(32)), 16),
      mobile: fc.boolean(),
      platform: text(64),
    }),
  ),
  driverGlobals: list(text(128), 32),
  pageScale: fc.option(fc.double({ min: 0, max: 1000, noNaN: true })),
  isFramed: fc.boolean(),
  isSecure: fc.boolean(),
  chrome: fc.option(list(text(64), 32)),
  permission: fc.option(fc.tuple(text(16), text(16))),
  natives: list(fc.tuple(text(64), text(128)), 32),
  blank: otherPlace,
  frame: otherPlace,
  worker: otherPlace,
  graphics: fc.option(fc.tuple(text(256), text(256))),
});

/** Behaviours that pass the schema but that no hand could produce. */
const behaviours: fc.Arbitrary<BehaviourSignals> = fc.record({
  v: fc.constant<typeof SIGNALS_VERSION>(SIGNALS_VERSION),
  durationMs: time,
  solveMs: fc.option(time),
  pointer: list(
    fc.tuple(
      time,
      finite,
      finite,
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 0, max: 3 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      bit,
      fc.option(finite, { nil: undefined }),
      fc.option(finite, { nil: undefined }),
    ),
    80,
  ),
  keys: toggles,
  focus: toggles,
  visibility: toggles,
  scroll: toggles,
  callers: list(text(128), 16),
  box: fc.option(fc.tuple(finite, finite, finite, finite)),
});

/** All parts of hostile bodies, made from one seed. */
export type HostileValues = {
  /** JSON texts and near misses. */
  readonly texts: readonly string[];
  readonly environments: readonly string[];
  readonly behaviours: readonly string[];
};

/** Draws the pools; the same for the same seed. */
export function sampleHostileValues(seed: number): HostileValues {
  const sample = <Value>(arbitrary: fc.Arbitrary<Value>, numRuns: number) =>
    fc.sample(arbitrary, { seed, numRuns });
  return {
    texts: [
      ...KNOWN_BAD,
      ...sample(fc.json({ maxDepth: 9, stringUnit: anyCharacter }), 600),
      ...sample(anyText(), 300).map((value) => JSON.stringify(value)),
      ...sample(fc.double(), 100).map(String),
    ],
    environments: sample(environments, 300).map((value) => JSON.stringify(value)),
    behaviours: sample(behaviours, 300).map((value) => JSON.stringify(value)),
  };
}

/** Any of the values. */
export function pick<Value>(random: RandomBelow, values: readonly Value[]): Value {
  return values[random(values.length)] as Value;
}

/** Changes some bytes: flips, cuts or doubles them, or inserts bytes that break parsers. */
export function mutateBytes(random: RandomBelow, bytes: Buffer): Buffer {
  const at = random(bytes.length + 1);
  const end = Math.min(bytes.length, at + random(12));
  switch (random(6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), Buffer.of(random(256)), bytes.subarray(at)]);
    case 4: {
      const inserted = pick(random, [
        '"',
        "\\",
        "{",
        "]",
        ",",
        "\0",
        "\u2028",
        "\ufeff",
        '\\u0000"',
        "\\ud800",
        "__proto__",
      ]);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at)]);
    }
    default: {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed.writeUInt8(random(256), Math.min(at, changed.length - 1));
      return changed;
    }
  }
}
