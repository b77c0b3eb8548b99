import { JSON_DEPTH_LIMIT } from "@stile/protocol/limits";

/** Untrusted text to a JSON value, or a sentence that says why it is refused. */
export type JsonReading =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "refused"; readonly message: string };

const QUOTE = 34;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** Position of the quote that ends the string opened at `start`, or -1. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

function isKeyEnd(text: string, end: number): boolean {
  let at = end + 1;
  while (text.charCodeAt(at) <= 32) at++;
  return text.charCodeAt(at) === COLON;
}

/** The key as JSON.parse will see it; escapes could otherwise spell a forbidden or repeated name in another way. */
function decodeKey(text: string, start: number, end: number): string | undefined {
  const raw = text.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

/** Why the text must not be parsed: too deep, a repeated key, or a key that names a prototype (D11). */
function findDanger(text: string): string | undefined {
  const levels: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (levels.length === JSON_DEPTH_LIMIT) return `The body is nested deeper than ${JSON_DEPTH_LIMIT} levels.`;
      levels.push(code === OPEN_BRACE ? new Set() : undefined);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) levels.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return "The body is not JSON.";
      const keys = levels.at(-1);
      if (keys !== undefined && isKeyEnd(text, end)) {
        const key = decodeKey(text, at, end);
        if (key === undefined) return "The body is not JSON.";
        if (PROTOTYPE_NAMES.has(key)) return "The body names a prototype; leave that key out.";
        if (keys.has(key)) return `The body has the key ${JSON.stringify(key.slice(0, 40))} twice.`;
        keys.add(key);
      }
      at = end;
    }
  }
  return undefined;
}

/** Parses JSON that is neither deep nor ambiguous (D11). */
export function readJson(text: string): JsonReading {
  const danger = findDanger(text);
  if (danger !== undefined) return { kind: "refused", message: danger };
  try {
    return { kind: "json", value: JSON.parse(text) as unknown };
  } catch {
    return { kind: "refused", message: "The body is not JSON." };
  }
}
