import { z } from "zod";
import { type BehaviourSignals, type EnvironmentSignals, SIGNALS_VERSION } from "../signals.ts";

const text = (max: number) => z.string().max(max);
const finite = z.number().min(-1e9).max(1e9);
const time = z.number().min(0).max(1e9);
const bit = z.union([z.literal(0), z.literal(1)]);
const toggles = z.array(z.tuple([time, bit])).max(512);
const browser = z.object({
  userAgent: text(1024),
  platform: text(128),
  languages: z.array(text(64)).max(32),
  webdriver: z.boolean().nullable(),
  cores: z.number().int().min(1).max(4096).nullable(),
});

/** Untrusted JSON of the environment string to `EnvironmentSignals`; anything else counts as withheld (D9). */
export const environmentSignalsSchema: z.ZodType<EnvironmentSignals> = browser.extend({
  v: z.literal(SIGNALS_VERSION),
  vendor: text(128),
  memory: z.number().min(0).max(4096).nullable(),
  touchPoints: z.number().int().min(0).max(256),
  screen: z.tuple([finite, finite, finite, finite, finite]),
  viewport: z.tuple([finite, finite, finite, finite]),
  pixelRatio: z.number().min(0).max(64),
  pageScale: z.number().min(0).max(1000).nullable(),
  isFramed: z.boolean(),
  isSecure: z.boolean(),
  timezoneOffset: z.number().min(-1440).max(1440),
  timezone: text(64).nullable(),
  media: z.array(text(64)).max(64),
  clientHints: z
    .object({
      brands: z.array(z.tuple([text(128), text(32)])).max(16),
      mobile: z.boolean(),
      platform: text(64),
    })
    .nullable(),
  driverGlobals: z.array(text(128)).max(32),
  chrome: z.array(text(64)).max(32).nullable(),
  permission: z.tuple([text(16), text(16)]).nullable(),
  natives: z.array(z.tuple([text(64), text(128)])).max(32),
  blank: browser.nullable(),
  frame: browser.nullable(),
  worker: browser.nullable(),
  graphics: z.tuple([text(256), text(256)]).nullable(),
});

const sample = z.tuple([
  time,
  finite,
  finite,
  z.int().min(0).max(4),
  z.int().min(0).max(3),
  z.number().min(0).max(1),
  bit,
  finite.optional(),
  finite.optional(),
  z.int().min(0).max(65_535).optional(),
]);

/** Untrusted JSON of the behaviour string to `BehaviourSignals`; anything else counts as withheld (D9). */
export const behaviourSignalsSchema: z.ZodType<BehaviourSignals> = z.object({
  v: z.literal(SIGNALS_VERSION),
  durationMs: time,
  solveMs: time.nullable(),
  pointer: z.array(sample).max(1024),
  keys: toggles,
  focus: toggles,
  visibility: toggles,
  scroll: toggles,
  box: z.tuple([finite, finite, finite, finite]).nullable(),
  callers: z.array(text(128)).max(16),
});
