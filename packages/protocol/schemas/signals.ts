import { z } from "zod";
import {
  type BehaviourSignals,
  type EnvironmentSignals,
  POINTER_KINDS,
  POINTER_TYPES,
  type PointerSample,
  SIGNALS_VERSION,
  type ToggleSample,
} from "../signals.ts";

const text = (max: number) => z.string().max(max);
const finite = z.number().min(-1e9).max(1e9);
const time = z.number().min(0).max(1e9);

type Bounds = { readonly min: number; readonly max: number; readonly isWhole?: true };
const TIME: Bounds = { min: 0, max: 1e9 };
const PLACE: Bounds = { min: -1e9, max: 1e9 };
const BIT: Bounds = { min: 0, max: 1, isWhole: true };
const upTo = (max: number): Bounds => ({ min: 0, max, isWhole: true });

function isWithin(value: unknown, bounds: Bounds | undefined): boolean {
  if (typeof value !== "number" || bounds === undefined) return false;
  return (
    value >= bounds.min &&
    value <= bounds.max &&
    (bounds.isWhole !== true || Number.isInteger(value))
  );
}

/**
 * A list of number rows that are within the bounds of their columns; the first `required` columns
 * must be present. A visit has hundreds of rows, and checking them in one loop costs a fortieth of
 * what a schema for each row costs.
 */
function rows<Row extends readonly unknown[]>(
  max: number,
  required: number,
  columns: readonly Bounds[],
) {
  const isRow = (row: unknown): boolean => {
    if (!Array.isArray(row) || row.length < required || row.length > columns.length) return false;
    for (let at = 0; at < row.length; at++) if (!isWithin(row[at], columns[at])) return false;
    return true;
  };
  return z.custom<readonly Row[]>(
    (value) => Array.isArray(value) && value.length <= max && value.every(isRow),
  );
}

const toggles = rows<ToggleSample>(512, 2, [TIME, BIT]);
const browser = z.object({
  userAgent: text(1024),
  platform: text(128),
  languages: z.array(text(64)).max(32),
  webdriver: z.boolean().nullable(),
  cores: z.number().int().min(1).max(4096).nullable(),
});

/**
 * Parses the untrusted JSON of the environment string; anything that does not fit counts as
 * withheld (D9, submission).
 */
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

const pointer = rows<PointerSample>(1024, 7, [
  TIME,
  PLACE,
  PLACE,
  upTo(POINTER_KINDS.length - 1),
  upTo(POINTER_TYPES.length - 1),
  { min: 0, max: 1 },
  BIT,
  PLACE,
  PLACE,
  upTo(65_535),
]);

/**
 * Parses the untrusted JSON of the behaviour string; anything that does not fit counts as withheld
 * (D9, submission).
 */
export const behaviourSignalsSchema: z.ZodType<BehaviourSignals> = z.object({
  v: z.literal(SIGNALS_VERSION),
  durationMs: time,
  solveMs: time.nullable(),
  pointer,
  keys: toggles,
  focus: toggles,
  visibility: toggles,
  scroll: toggles,
  box: z.tuple([finite, finite, finite, finite]).nullable(),
  callers: z.array(text(128)).max(16),
});
