import type { Finding } from "@stile/protocol/dashboard-api";
import { WEIGHTS_VERSION } from "@stile/risk/weights";
import { COMMAND_LINE } from "../command-line.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { ok } from "../diagnosis/diagnosis.ts";
import { readFlagWeights, type WeightsInForce } from "../risk/flag-weights-file.ts";
import { NETWORK_KINDS } from "../risk/network-kinds.ts";
import { openNetworkLists } from "../risk/network-list-files.ts";

/** Reports the data that visits are scored by: the lists of networks and the weights of flags. */
export function checkRisk(directory: DataDirectory): Finding[] {
  const lists = openNetworkLists(directory);
  const sizes = NETWORK_KINDS.map((kind) => `${kind} ${lists.sizeOf(kind)}`).join(", ");
  const weights = readFlagWeights(directory);
  const table = `the table, version ${WEIGHTS_VERSION} (${weights.hash})`;
  const findings = {
    table: ok(`Flags are weighted by ${table}`),
    own: ok(`Flags are weighted by your own weights (${weights.hash})`),
    outdated: {
      level: "warn",
      text: `Your own weights were trained for other flags and are ignored; flags are weighted by ${table}.`,
      fix: `Run "${COMMAND_LINE} risk train" again.`,
    },
  } as const satisfies Record<WeightsInForce["kind"], Finding>;
  const listed = ok(`Networks listed: ${sizes} (${COMMAND_LINE} risk import FILE --kind KIND)`);
  return [listed, findings[weights.kind]];
}
