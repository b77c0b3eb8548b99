import { JSON_DEPTH_LIMIT } from "@stile/protocol/limits";

/**
 * The JSON value of an untrusted text, or a sentence that says why it is refused. `too_much`: it is
 * too deep, too long or has forbidden names, JSON or not. Any visitor who fills in a form can make
 * its server send that (D1, status and body).
 */
export type JsonReading =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "too_much"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string };

type JsonRefusal = Exclude<JsonReading, { readonly kind: "json" }>;

const QUOTE = 34;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** The state of the guard while it reads a text. */
type Scan = {
  readonly text: string;
  /**
   * How many more characters outside of texts, and escapes inside, are allowed. Below zero there
   * were too many.
   */
  left: number;
  /** Position of the next backslash ahead, or Infinity. */
  escape: number;
};

function findEscape(text: string, from: number): number {
  const at = text.indexOf("\\", from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** Position of the quote that ends the string opened at `start`, or -1. */
function endOfString(scan: Scan, start: number): number {
  const { text } = scan;
  if (scan.escape < start) scan.escape = findEscape(text, start);
  let end = text.indexOf('"', start + 1);
  while (end > scan.escape) {
    const next = scan.escape + 2;
    if (end < next) end = text.indexOf('"', next);
    scan.escape = findEscape(text, next);
    scan.left -= 1;
    if (scan.left < 0) return -1;
  }
  return end;
}

/**
 * Whether a colon follows the string that ends there, after no more white space than is allowed.
 */
function isKeyEnd({ text, left }: Scan, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 32 && at - end <= left) at++;
  return text.charCodeAt(at) === COLON;
}

/**
 * The key as JSON.parse will read it, because escapes can spell a forbidden or repeated name
 * differently.
 */
function decodeKey(text: string, start: number, end: number): string | undefined {
  const raw = text.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

const refused = (message: string): JsonRefusal => ({ kind: "refused", message });
const tooMuch = (message: string): JsonRefusal => ({ kind: "too_much", message });

const NO_JSON = refused("The body is not JSON.");
const TOO_MANY = tooMuch(
  "The body has too many fields, values, spaces or escapes for this endpoint.",
);

/**
 * Why the text must not be parsed: too deep, a repeated key, a key that names a prototype, or more
 * than `marks` characters outside of texts and escapes inside (D11, errors). Each of those
 * characters may be a value or a key, which cost a hundred times as much as a character of a text.
 */
function findDanger(text: string, marks: number): JsonRefusal | undefined {
  const levels: (Set<string> | undefined)[] = [];
  const scan: Scan = { text, left: marks, escape: findEscape(text, 0) };
  for (let at = 0; at < text.length; at++) {
    scan.left -= 1;
    if (scan.left < 0) return TOO_MANY;
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (levels.length === JSON_DEPTH_LIMIT)
        return tooMuch(`The body is nested deeper than ${JSON_DEPTH_LIMIT} levels.`);
      levels.push(code === OPEN_BRACE ? new Set() : undefined);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) levels.pop();
    else if (code === QUOTE) {
      const end = endOfString(scan, at);
      if (end < 0) return scan.left < 0 ? TOO_MANY : NO_JSON;
      const keys = levels.at(-1);
      if (keys !== undefined && isKeyEnd(scan, end)) {
        const key = decodeKey(text, at, end);
        if (key === undefined) return NO_JSON;
        if (PROTOTYPE_NAMES.has(key))
          return tooMuch("The body names a prototype; leave that key out.");
        if (keys.has(key))
          return refused(`The body has the key ${JSON.stringify(key.slice(0, 40))} twice.`);
        keys.add(key);
      }
      at = end;
    }
  }
  return undefined;
}

/**
 * Parses JSON that is neither deep nor ambiguous, with at most `marks` characters outside of its
 * texts or escaped (D11, errors).
 */
export function readJson(text: string, marks: number): JsonReading {
  const danger = findDanger(text, marks);
  if (danger !== undefined) return danger;
  try {
    return { kind: "json", value: JSON.parse(text) as unknown };
  } catch {
    return NO_JSON;
  }
}
