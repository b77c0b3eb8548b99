import type { Store } from "@stile/core/ports/store";
import type { Finding } from "@stile/protocol/dashboard-api";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { findDemoKeys } from "../lifecycle/first-start.ts";
import { openOperatorPorts } from "./operator-ports.ts";

/**
 * Warns if no site has the demo's keys, for example after a secret was revoked. The demo then stays
 * off, and `init` prints no keys.
 */
export async function checkDemoKeys(store: Store, directory: DataDirectory): Promise<Finding[]> {
  const hasKeys = directory.readDemoKeys() !== undefined;
  if (!hasKeys || (await findDemoKeys(await openOperatorPorts(store), directory)) !== undefined)
    return [];
  const text = `No site of this database has the keys in ${directory.demoFile}, so the demo page stays off.`;
  return [
    { level: "warn", text, fix: "Restore the file that belongs to this database, or remove it." },
  ];
}
