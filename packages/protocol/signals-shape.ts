import {
  type BehaviourSignals,
  type BrowserFacts,
  type EnvironmentSignals,
  POINTER_KINDS,
  POINTER_TYPES,
  SIGNALS_VERSION,
} from "./signals.ts";

// Checks by hand what `schemas/signals.ts` describes: it runs for each submission, and takes a
// tenth of the time. A test compares the two.

type SignalRecord = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const FAR = 1e9;

const isObject = (value: unknown): value is SignalRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isBoolean: Check = (value) => typeof value === "boolean";
const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && value >= least && value <= most;
const isWhole = (value: unknown, least: number, most: number): boolean =>
  isWithin(value, least, most) && Number.isInteger(value);
const isTime: Check = (value) => isWithin(value, 0, FAR);
const isPlace: Check = (value) => isWithin(value, -FAR, FAR);
const isText = (value: unknown, most: number): boolean =>
  typeof value === "string" && value.length <= most;

function isListOf(value: unknown, most: number, isOne: Check): boolean {
  if (!Array.isArray(value) || value.length > most) return false;
  for (let at = 0; at < value.length; at++) if (!isOne(value[at])) return false;
  return true;
}

const isTextOf64: Check = (value) => isText(value, 64);
const isTextOf128: Check = (value) => isText(value, 128);

/** Whether the value is a list of exactly `count` coordinates. */
const arePlaces = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && isListOf(value, count, isPlace);

/** Whether the value is a list of exactly two texts. */
const isPair = (value: unknown, mostOfFirst: number, mostOfSecond: number): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  isText(value[0], mostOfFirst) &&
  isText(value[1], mostOfSecond);

const isBrand: Check = (value) => isPair(value, 128, 32);
const isNative: Check = (value) => isPair(value, 64, 128);

const areFacts = (value: SignalRecord): boolean =>
  isText(value.userAgent, 1024) &&
  isText(value.platform, 128) &&
  isListOf(value.languages, 32, isTextOf64) &&
  (value.webdriver === null || isBoolean(value.webdriver)) &&
  (value.cores === null || isWhole(value.cores, 1, 4096));

const isBrowserOrNone = (value: unknown): value is BrowserFacts | null =>
  value === null || (isObject(value) && areFacts(value));

const areHintsOrNone: Check = (value) =>
  value === null ||
  (isObject(value) &&
    isListOf(value.brands, 16, isBrand) &&
    isBoolean(value.mobile) &&
    isTextOf64(value.platform));

const areSizes = (value: SignalRecord): boolean =>
  arePlaces(value.screen, 5) &&
  arePlaces(value.viewport, 4) &&
  isWithin(value.pixelRatio, 0, 64) &&
  (value.pageScale === null || isWithin(value.pageScale, 0, 1000));

/**
 * Whether the untrusted JSON of the environment string has the right shape; extra fields pass and
 * are dropped (D9, submission).
 */
export const isEnvironmentSignals = (value: unknown): value is EnvironmentSignals =>
  isObject(value) &&
  value.v === SIGNALS_VERSION &&
  areFacts(value) &&
  isTextOf128(value.vendor) &&
  (value.memory === null || isWithin(value.memory, 0, 4096)) &&
  isWhole(value.touchPoints, 0, 256) &&
  areSizes(value) &&
  isBoolean(value.isFramed) &&
  isBoolean(value.isSecure) &&
  isWithin(value.timezoneOffset, -1440, 1440) &&
  (value.timezone === null || isTextOf64(value.timezone)) &&
  isListOf(value.media, 64, isTextOf64) &&
  areHintsOrNone(value.clientHints) &&
  isListOf(value.driverGlobals, 32, isTextOf128) &&
  (value.chrome === null || isListOf(value.chrome, 32, isTextOf64)) &&
  (value.permission === null || isPair(value.permission, 16, 16)) &&
  isListOf(value.natives, 32, isNative) &&
  isBrowserOrNone(value.blank) &&
  isBrowserOrNone(value.frame) &&
  isBrowserOrNone(value.worker) &&
  (value.graphics === null || isPair(value.graphics, 256, 256));

const isToggle: Check = (row) =>
  Array.isArray(row) && row.length === 2 && isTime(row[0]) && (row[1] === 0 || row[1] === 1);

const isPointer: Check = (row) =>
  Array.isArray(row) &&
  row.length >= 7 &&
  row.length <= 10 &&
  isTime(row[0]) &&
  isPlace(row[1]) &&
  isPlace(row[2]) &&
  isWhole(row[3], 0, POINTER_KINDS.length - 1) &&
  isWhole(row[4], 0, POINTER_TYPES.length - 1) &&
  isWithin(row[5], 0, 1) &&
  (row[6] === 0 || row[6] === 1) &&
  (row.length < 8 || isPlace(row[7])) &&
  (row.length < 9 || isPlace(row[8])) &&
  (row.length < 10 || isWhole(row[9], 0, 65_535));

/**
 * Whether the untrusted JSON of the behaviour string has the right shape; extra fields pass and are
 * dropped (D9, submission).
 */
export const isBehaviourSignals = (value: unknown): value is BehaviourSignals =>
  isObject(value) &&
  value.v === SIGNALS_VERSION &&
  isTime(value.durationMs) &&
  (value.solveMs === null || isTime(value.solveMs)) &&
  isListOf(value.pointer, 1024, isPointer) &&
  isListOf(value.keys, 512, isToggle) &&
  isListOf(value.focus, 512, isToggle) &&
  isListOf(value.visibility, 512, isToggle) &&
  isListOf(value.scroll, 512, isToggle) &&
  (value.box === null || arePlaces(value.box, 4)) &&
  isListOf(value.callers, 16, isTextOf128);
