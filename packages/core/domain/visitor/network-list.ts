import { formatIpAddress, type IpAddress, parseIpAddress } from "./ip-address.ts";

/**
 * A range of addresses of one family, ends included, as 32-bit words in network order (IPv4 one,
 * IPv6 four).
 */
export type Network = {
  readonly family: 4 | 6;
  readonly first: Uint32Array;
  readonly last: Uint32Array;
};

/** Tells whether an address lies in one of many networks, well within a microsecond. */
export type NetworkList = {
  /** How many separate ranges there are. */
  readonly size: number;
  readonly has: (address: IpAddress) => boolean;
};

/** Prefixes shorter than these contain too many people: a list with one is a mistake. */
const SHORTEST_PREFIX = { 4: 8, 6: 16 } as const;

const wordsOf = ({ family }: Pick<IpAddress, "family">): number => (family === 4 ? 1 : 4);

function toWords({ bytes }: IpAddress): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i));
}

/** Compares an address with the one that starts at `at` in `others`. */
function compare(address: Uint32Array, others: Uint32Array, at = 0): number {
  for (let i = 0; i < address.length; i++) {
    const difference = (address[i] ?? 0) - (others[at + i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The network of an address and a prefix length; bits beyond the prefix are ignored. */
function toNetwork(address: IpAddress, prefix: number): Network {
  const first = toWords(address);
  const last = Uint32Array.from(first);
  for (let i = 0; i < first.length; i++) {
    const kept = Math.min(32, Math.max(0, prefix - 32 * i));
    const host = 2 ** (32 - kept) - 1;
    first[i] = (first[i] ?? 0) & ~host;
    last[i] = (last[i] ?? 0) | host;
  }
  return { family: address.family, first, last };
}

function parseRange(from: string, to: string): Network | undefined {
  const [start, end] = [parseIpAddress(from), parseIpAddress(to)];
  if (start === undefined || end === undefined || start.family !== end.family) return undefined;
  const [first, last] = [toWords(start), toWords(end)];
  const isTooWide = (last[0] ?? 0) - (first[0] ?? 0) >= 2 ** (32 - SHORTEST_PREFIX[start.family]);
  if (isTooWide || compare(first, last) > 0) return undefined;
  return { family: start.family, first, last };
}

/**
 * Parses a CIDR, a single address or a range `first-last`. Undefined for anything else, and for a
 * network larger than a /8 (IPv4) or a /16 (IPv6).
 */
export function parseNetwork(text: string): Network | undefined {
  const [from = "", to, ...rest] = text.split("-");
  if (rest.length > 0) return undefined;
  if (to !== undefined) return parseRange(from.trim(), to.trim());
  const [base = "", bits, ...more] = text.split("/");
  const address = parseIpAddress(base);
  if (address === undefined || more.length > 0) return undefined;
  const longest = 32 * wordsOf(address);
  const isPrefix = bits === undefined || /^\d{1,3}$/.test(bits);
  const prefix = bits === undefined ? longest : Number(bits);
  // IPv4 written as IPv6 becomes IPv4, but its prefix would still count IPv6 bits.
  const isMapped = address.family === 4 && base.includes(":") && bits !== undefined;
  if (!isPrefix || isMapped || prefix > longest || prefix < SHORTEST_PREFIX[address.family])
    return undefined;
  return toNetwork(address, prefix);
}

/** Sorts networks of one family and joins those that overlap. */
function merge(networks: readonly Network[]): Network[] {
  const sorted = networks.toSorted((a, b) => compare(a.first, b.first));
  const merged: Network[] = [];
  for (const network of sorted) {
    const before = merged.at(-1);
    if (before === undefined || compare(network.first, before.last) > 0) merged.push(network);
    else if (compare(network.last, before.last) > 0)
      merged.splice(-1, 1, { ...before, last: network.last });
  }
  return merged;
}

type Table = { readonly firsts: Uint32Array; readonly lasts: Uint32Array; readonly size: number };

function toTable(networks: readonly Network[], width: number): Table {
  const firsts = new Uint32Array(networks.length * width);
  const lasts = new Uint32Array(networks.length * width);
  for (const [at, { first, last }] of networks.entries()) {
    firsts.set(first, at * width);
    lasts.set(last, at * width);
  }
  return { firsts, lasts, size: networks.length };
}

function isWithin({ firsts, lasts, size }: Table, words: Uint32Array): boolean {
  const width = words.length;
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(words, firsts, middle * width) >= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && compare(words, lasts, (low - 1) * width) <= 0;
}

/** The networks in the order of addresses, IPv4 first, with overlapping ones joined. */
export function mergeNetworks(networks: readonly Network[]): readonly Network[] {
  return ([4, 6] as const).flatMap((wanted) =>
    merge(networks.filter(({ family }) => family === wanted)),
  );
}

/** A network list; the order of the networks and their overlaps do not matter. */
export function createNetworkList(networks: readonly Network[]): NetworkList {
  const merged = mergeNetworks(networks);
  const tables = {
    4: toTable(
      merged.filter(({ family }) => family === 4),
      1,
    ),
    6: toTable(
      merged.filter(({ family }) => family === 6),
      4,
    ),
  };
  return {
    size: merged.length,
    has: (address) => isWithin(tables[address.family], toWords(address)),
  };
}

function formatWords(family: 4 | 6, words: Uint32Array): string {
  const bytes = Uint8Array.from(
    { length: words.length * 4 },
    (_, i) => (words[i >> 2] ?? 0) >>> (24 - 8 * (i & 3)),
  );
  return formatIpAddress({ family, bytes });
}

/** The text that `parseNetwork` reads back: `first-last`, or a single address. */
export function formatNetwork({ family, first, last }: Network): string {
  const [from, to] = [formatWords(family, first), formatWords(family, last)];
  return from === to ? from : `${from}-${to}`;
}
