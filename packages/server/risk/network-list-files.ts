import { statSync } from "node:fs";
import {
  createNetworkList,
  formatNetwork,
  mergeNetworks,
  type Network,
  type NetworkList,
} from "@stile/core/domain/visitor/network-list";
import type { NetworkLists } from "@stile/core/ports/visitor/network-lists";
import type { DataDirectory, RiskFile } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";
import type { NetworkKind } from "./network-kinds.ts";
import { readNetworks } from "./read-networks.ts";

const FILES = {
  datacenter: "networks-datacenter.txt",
  tor: "networks-tor.txt",
} as const satisfies Record<NetworkKind, RiskFile>;

/** The operator's lists in the data directory. */
export type NetworkListFiles = NetworkLists & {
  /**
   * Reads changed files again. Throws DataDirectoryProblem for a damaged one, and keeps its old
   * list.
   */
  readonly refresh: () => void;
  readonly sizeOf: (kind: NetworkKind) => number;
};

function readList(directory: DataDirectory, kind: NetworkKind): NetworkList {
  const { networks, problems } = readNetworks(directory.readRiskFile(FILES[kind]) ?? "");
  const [problem] = problems;
  if (problem === undefined) return createNetworkList(networks);
  const file = directory.riskFile(FILES[kind]);
  throw new DataDirectoryProblem(
    `${file}, ${problem.where}: "${problem.text}" is not a network. Import the list again, or remove the file.`,
  );
}

/** Identifies the version of a file. Every import makes a new file. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Opens the lists. Throws DataDirectoryProblem if one is damaged. */
export function openNetworkLists(directory: DataDirectory): NetworkListFiles {
  const open = (kind: NetworkKind) => ({ stamp: "", list: createNetworkList([]), kind });
  const lists = { datacenter: open("datacenter"), tor: open("tor") };
  const refreshOne = (held: (typeof lists)[NetworkKind]): void => {
    const stamp = stampOf(directory.riskFile(FILES[held.kind]));
    if (stamp === held.stamp) return;
    held.list = readList(directory, held.kind);
    held.stamp = stamp;
  };
  const refresh = (): void => {
    try {
      refreshOne(lists.datacenter);
    } finally {
      // Even if the other list is damaged, this one is refreshed.
      refreshOne(lists.tor);
    }
  };
  refresh();
  return {
    refresh,
    sizeOf: (kind) => lists[kind].list.size,
    find: (address) => ({
      isDatacenter: lists.datacenter.list.has(address),
      isTor: lists.tor.list.has(address),
    }),
  };
}

/** Replaces a list; returns how many separate networks it holds. */
export function writeNetworkList(
  directory: DataDirectory,
  kind: NetworkKind,
  {
    networks,
    source,
    nowMs,
  }: { readonly networks: readonly Network[]; readonly source: string; readonly nowMs: number },
): number {
  const merged = mergeNetworks(networks);
  const origin = `# ${merged.length} networks, imported ${new Date(nowMs).toISOString()} from ${JSON.stringify(source)}`;
  directory.writeRiskFile(FILES[kind], `${[origin, ...merged.map(formatNetwork)].join("\n")}\n`);
  return merged.length;
}
