import { open, stat } from "node:fs/promises";
import { type CountryCode, parseCountryCode } from "@stile/core/domain/visitor/country-code";
import { formatIpAddress, type IpAddress } from "@stile/core/domain/visitor/ip-address";
import { type CountryResponse, Reader } from "mmdb-lib";
import { OperatorProblem } from "../../faults/operator-problem.ts";

/**
 * A problem with the file of STILE_COUNTRY_DATABASE: its message is a sentence that says what to
 * do.
 */
export class CountryDatabaseProblem extends OperatorProblem {
  override readonly name = "CountryDatabaseProblem";
}

/** Finds the country of an address in the operator's file (D14, client address; D17, settings). */
export type CountryDatabase = {
  /** The file's description of itself, such as "GeoLite2-Country of 2026-05-01". */
  title(): string;
  countryOf(address: IpAddress): CountryCode | undefined;
  /**
   * Reads the file again if it changed. If that fails, it throws and keeps the previous content.
   */
  refresh(): Promise<void>;
};

type CountryReader = Reader<CountryResponse>;
/** `tree` is undefined once a look-up has shown that it is damaged. */
type DatabaseContent = {
  readonly tree: CountryReader | undefined;
  readonly title: string;
  readonly changedAtMs: number;
};

const FORMAT_VERSION = 2;
/** Zero bytes between the tree and the data that its leaves point to. */
const SEPARATOR_BYTES = 16;

function isSound({ metadata }: CountryReader, fileBytes: number): boolean {
  const { binaryFormatMajorVersion, ipVersion, searchTreeSize } = metadata;
  const isKnown =
    binaryFormatMajorVersion === FORMAT_VERSION && (ipVersion === 4 || ipVersion === 6);
  return isKnown && searchTreeSize + SEPARATOR_BYTES < fileBytes;
}

function readTree(bytes: Buffer): Pick<DatabaseContent, "tree" | "title"> | undefined {
  try {
    const tree: CountryReader = new Reader(bytes);
    if (!isSound(tree, bytes.length)) return undefined;
    return {
      tree,
      title: `${tree.metadata.databaseType} of ${tree.metadata.buildEpoch.toISOString().slice(0, 10)}`,
    };
  } catch {
    return undefined;
  }
}

function unreadable(path: string, cause: unknown): CountryDatabaseProblem {
  const text = `STILE_COUNTRY_DATABASE names ${path}, which can't be read. Check the path and its permissions, or unset it.`;
  return new CountryDatabaseProblem(text, { cause });
}

async function load(path: string): Promise<DatabaseContent> {
  const file = await open(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  try {
    // Read before the content, so that a write in between is noticed at the next look.
    const { mtimeMs } = await file.stat();
    const bytes = await file.readFile().catch((cause: unknown) => {
      throw unreadable(path, cause);
    });
    const content = readTree(bytes);
    if (content !== undefined) return { ...content, changedAtMs: mtimeMs };
    throw new CountryDatabaseProblem(
      `STILE_COUNTRY_DATABASE names ${path}, which is not a complete MaxMind database (.mmdb). Download it again and unpack it, or unset it.`,
    );
  } finally {
    await file.close();
  }
}

/** The code in a record, at the usual providers' places. All other fields are ignored. */
function codeIn(record: unknown): CountryCode | undefined {
  const { country, country_code: flat } = (record ?? {}) as {
    country?: { iso_code?: unknown };
    country_code?: unknown;
  };
  return parseCountryCode(country?.iso_code) ?? parseCountryCode(flat) ?? parseCountryCode(country);
}

function lookUp(tree: CountryReader, address: IpAddress): CountryCode | undefined {
  // A tree for IPv4 only would treat the first 32 bits of an IPv6 address as an IPv4 address.
  if (address.family === 6 && tree.metadata.ipVersion === 4) return undefined;
  return codeIn(tree.get(formatIpAddress(address)));
}

/**
 * Opens the file and keeps it in memory. If a later look-up shows that it is damaged, it is not
 * used until it is replaced, and `onDamage` is called. Damage must never make a visitor fail or
 * wait.
 */
export async function openCountryDatabase(
  path: string,
  onDamage: () => void = () => {},
): Promise<CountryDatabase> {
  let held = await load(path);
  return {
    title: () => held.title,
    countryOf: (address) => {
      if (held.tree === undefined) return undefined;
      try {
        return lookUp(held.tree, address);
      } catch {
        held = { ...held, tree: undefined };
        onDamage();
        return undefined;
      }
    },
    refresh: async () => {
      const { mtimeMs } = await stat(path).catch((cause: unknown) => {
        throw unreadable(path, cause);
      });
      if (mtimeMs !== held.changedAtMs) held = await load(path);
    },
  };
}
