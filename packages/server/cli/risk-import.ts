import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import type { NetworkKind } from "../risk/network-kinds.ts";
import { writeNetworkList } from "../risk/network-list-files.ts";
import { readAsTable, readNetworks } from "../risk/read-networks.ts";
import { fail } from "./fail.ts";

/** How many faulty lines of a list are shown. */
const SHOWN_PROBLEMS = 20;

const NAMES: Readonly<Record<NetworkKind, string>> = {
  datacenter: "data centres",
  tor: "Tor exits",
};

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Replaces a list of networks. If any entry of the new list is not a network, the old list stays.
 */
export function importNetworks(
  config: Config,
  file: string,
  { kind, asTable }: { readonly kind: NetworkKind; readonly asTable: string | undefined },
): number {
  const text = readText(file);
  if (text === undefined) return fail(`${file} can't be read.`);
  const tableText = asTable === undefined ? undefined : readText(asTable);
  if (asTable !== undefined && tableText === undefined) return fail(`${asTable} can't be read.`);
  const { networks, problems } = readNetworks(
    text,
    tableText === undefined ? undefined : readAsTable(tableText),
  );
  if (problems.length > 0) {
    const listed = problems
      .slice(0, SHOWN_PROBLEMS)
      .map((it) => `${file}, ${it.where}: "${it.text}" is not a network`);
    const more = problems.length - listed.length;
    const hasAsNumber =
      asTable === undefined && problems.some(({ text: said }) => /^AS\d/i.test(said));
    const hint = hasAsNumber ? ["AS numbers need a table of their networks: --as-table FILE."] : [];
    return fail(
      ...listed,
      ...(more > 0 ? [`and ${more} more.`] : []),
      ...hint,
      "Nothing was changed.",
    );
  }
  if (networks.length === 0) return fail(`${file} contains no networks. Nothing was changed.`);
  const directory = openDataDirectory(config.dataDirectory);
  const size = writeNetworkList(directory, kind, { networks, source: file, nowMs: Date.now() });
  process.stdout.write(
    `Read ${networks.length} networks of ${NAMES[kind]}; ${size} after merging those that overlap.\n`,
  );
  process.stdout.write("A running server uses the list within a minute.\n");
  return 0;
}
