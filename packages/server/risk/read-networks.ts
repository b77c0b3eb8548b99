import { type Network, parseNetwork } from "@stile/core/domain/visitor/network-list";

/** Something in a list that is not a network: its place and text. */
export type ListProblem = { readonly where: string; readonly text: string };

/** The content of a list: its networks, and everything that is not a network. */
export type ListReading = {
  readonly networks: readonly Network[];
  readonly problems: readonly ListProblem[];
};

/** The networks of an AS number, such as `13335`; empty if unknown. */
export type NetworksOfAs = (asNumber: string) => readonly Network[];

/** Names that publishers use for a network in the entries of their JSON. */
const ENTRY_NAMES = ["ip_prefix", "ipv6_prefix", "ipv4Prefix", "ipv6Prefix", "cidr", "prefix"];
/**
 * Names of arrays with such entries, as in the files of AWS, Google, Bing, OpenAI, Apple and
 * others.
 */
const ARRAY_NAMES = ["prefixes", "ipv6_prefixes"];
const AS_NUMBER = /^AS(\d{1,10})$/i;
const SHOWN_CHARACTERS = 60;

const shown = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)) ?? "nothing";

function collect(
  entries: readonly { readonly where: string; readonly said: unknown }[],
  networksOfAs: NetworksOfAs | undefined,
): ListReading {
  const networks: Network[] = [];
  const problems: ListProblem[] = [];
  for (const { where, said } of entries) {
    const text = typeof said === "string" ? said.trim() : "";
    const asNumber = AS_NUMBER.exec(text)?.[1];
    const network = parseNetwork(text);
    const found = asNumber === undefined ? network && [network] : networksOfAs?.(asNumber);
    if (found === undefined || found.length === 0)
      problems.push({ where, text: shown(said).slice(0, SHOWN_CHARACTERS) });
    else for (const one of found) networks.push(one);
  }
  return { networks, problems };
}

function entryOf(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const fields = entry as Record<string, unknown>;
  const name = ENTRY_NAMES.find((candidate) => Object.hasOwn(fields, candidate));
  return name === undefined ? entry : fields[name];
}

function readJsonList(text: string, networksOfAs: NetworksOfAs | undefined): ListReading {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return { networks: [], problems: [{ where: "the file", text: (error as Error).message }] };
  }
  const fields = document as Readonly<Record<string, unknown>>;
  const arrays = ARRAY_NAMES.filter((name) => Array.isArray(fields[name]));
  if (arrays.length === 0)
    return { networks: [], problems: [{ where: "the file", text: 'no array "prefixes"' }] };
  const entries = arrays.flatMap((name) =>
    (fields[name] as unknown[]).map((entry, at) => ({
      where: `${name}[${at}]`,
      said: entryOf(entry),
    })),
  );
  return collect(entries, networksOfAs);
}

function readLines(text: string, networksOfAs: NetworksOfAs | undefined): ListReading {
  const lines = text.split(/\r?\n/).map((line, at) => ({
    where: `line ${at + 1}`,
    said: line.replace(/#.*$/, "").trim(),
  }));
  return collect(
    lines.filter(({ said }) => said !== ""),
    networksOfAs,
  );
}

/**
 * Reads a list of networks. Either each line has a CIDR, an address, a range `first-last` or an AS
 * number (if `networksOfAs` knows it), and `#` begins a comment. Or it is a publisher's JSON with
 * an array `prefixes`.
 */
export function readNetworks(text: string, networksOfAs?: NetworksOfAs): ListReading {
  const plain = text.replace(/^\uFEFF/, "");
  return /^\s*\{/.test(plain) ? readJsonList(plain, networksOfAs) : readLines(plain, networksOfAs);
}

/**
 * Reads networks by AS number from a table in the usual form. Each line is a range: first address,
 * last address, AS number, and further columns, separated by tabs. Other lines are skipped, because
 * a missing network is reported when it is looked up.
 */
export function readAsTable(text: string): NetworksOfAs {
  const networks = new Map<string, Network[]>();
  for (const line of text.split(/\r?\n/)) {
    const [first, last, asNumber] = line.split("\t");
    const network =
      asNumber === undefined || asNumber === "0" ? undefined : parseNetwork(`${first}-${last}`);
    if (asNumber === undefined || network === undefined) continue;
    const known = networks.get(asNumber);
    if (known === undefined) networks.set(asNumber, [network]);
    else known.push(network);
  }
  return (asNumber) => networks.get(String(Number(asNumber))) ?? [];
}
