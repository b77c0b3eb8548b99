/**
 * An IP address: 4 or 16 bytes in network order. `::1` and IPv4-mapped IPv6 count as IPv4 (D5,
 * binding).
 */
export type IpAddress = { readonly family: 4 | 6; readonly bytes: Uint8Array };

const LONGEST_ADDRESS = 45;

const DOT = 46;
const ZERO = 48;

/** Works on character codes because every redemption that names an address calls it. */
function parseIpv4(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(4);
  let part = 0;
  let digits = 0;
  let value = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? DOT : text.charCodeAt(at);
    if (code === DOT) {
      if (digits === 0 || part > 3) return undefined;
      bytes[part++] = value;
      digits = 0;
      value = 0;
      continue;
    }
    const digit = code - ZERO;
    const hasLeadingZero = digits > 0 && value === 0;
    if (digit < 0 || digit > 9 || hasLeadingZero) return undefined;
    value = value * 10 + digit;
    digits++;
    if (value > 255) return undefined;
  }
  return part === 4 ? bytes : undefined;
}

/**
 * The 16-bit groups on one side of `::`. The address may end in dotted IPv4, which counts as two
 * groups.
 */
function parseGroups(text: string, isLastSide: boolean): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (isLastSide && index === parts.length - 1 && part.includes(".")) {
      const tail = parseIpv4(part);
      if (tail === undefined) return undefined;
      groups.push(((tail[0] ?? 0) << 8) | (tail[1] ?? 0), ((tail[2] ?? 0) << 8) | (tail[3] ?? 0));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

/** The eight 16-bit groups of an IPv6 address without brackets or zone, or undefined. */
export function parseIpv6Groups(text: string): readonly number[] | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  const sides = text.split("::");
  if (sides.length > 2) return undefined;
  const head = parseGroups(sides[0] ?? "", sides.length === 1);
  const tail = parseGroups(sides[1] ?? "", true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (sides.length === 2 ? missing < 1 : missing !== 0) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/**
 * Parses an IPv4 or IPv6 address, or returns undefined. Zone ids, ports and brackets are not
 * allowed.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  if (!text.includes(":")) {
    const bytes = parseIpv4(text);
    return bytes && { family: 4, bytes };
  }
  const groups = parseIpv6Groups(text);
  if (groups === undefined) return undefined;
  const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));
  const isHighZero = bytes.subarray(0, 10).every((byte) => byte === 0);
  if (isHighZero && bytes[10] === 255 && bytes[11] === 255)
    return { family: 4, bytes: bytes.slice(12) };
  const isLoopback =
    isHighZero && bytes.subarray(10, 15).every((byte) => byte === 0) && bytes[15] === 1;
  return isLoopback ? { family: 4, bytes: Uint8Array.of(127, 0, 0, 1) } : { family: 6, bytes };
}

/** An entry that a proxy writes is never longer: an address with brackets, a zone and a port. */
const LONGEST_ENTRY = 100;

/**
 * The address in an entry as proxies write it, without spaces, brackets, port and zone:
 * `[2001:db8::1%eth0]:443` becomes `2001:db8::1`. The result need not be an address.
 */
export function bareAddress(entry: string): string {
  const text = entry.trim();
  if (text.length > LONGEST_ENTRY) return text;
  const bracketed = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  return (bracketed ?? withPort ?? text).replace(/%[^%]*$/, "");
}

/**
 * The address that a customer's server names: alone, or the first one of a list, each as proxies
 * write it (D5, binding). Undefined if there is none.
 */
export function parseNamedAddress(text: string): IpAddress | undefined {
  const comma = text.indexOf(",");
  return (
    parseIpAddress(text) ?? parseIpAddress(bareAddress(comma < 0 ? text : text.slice(0, comma)))
  );
}

/** The text of an address: dotted for IPv4, eight groups for IPv6. */
export function formatIpAddress({ family, bytes }: IpAddress): string {
  if (family === 4) return bytes.join(".");
  const groups = Array.from(
    { length: 8 },
    (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0),
  );
  return groups.map((group) => group.toString(16)).join(":");
}
