import type { Finding } from "@stile/protocol/dashboard-api";
import type { PostgresFinding } from "@stile/stores/postgres/engine/inspect-postgres";
import { describeMissing } from "@stile/stores/postgres/own-tables";
import { POSTGRES_MIGRATIONS } from "@stile/stores/postgres/schema/postgres-schema";
import { COMMAND_LINE } from "../command-line.ts";
import { ok } from "../diagnosis/diagnosis.ts";

/**
 * The finding for tables in PostgreSQL that are not of this version, by their migrations; undefined
 * if they are.
 */
export function checkTables({
  step,
  leastKnown,
  missing,
}: Pick<PostgresFinding, "step" | "leastKnown" | "missing">): Finding | undefined {
  const known = POSTGRES_MIGRATIONS.length;
  const lost = describeMissing(missing);
  if (lost !== undefined) {
    const fix = `Stop every node, and restore a backup: ${COMMAND_LINE} restore FILE --replace`;
    return { level: "fail", text: `${lost}, which it had.`, fix };
  }
  if (step === known) return undefined;
  if (step === 0) return ok("There are no tables yet; the first start creates them");
  const text = `The tables are at step ${step}, and this version of Stile knows ${known}.`;
  if (step < known) {
    const fix = `The next start of a node upgrades them. Before that, run: ${COMMAND_LINE} backup FILE`;
    return { level: "warn", text, fix };
  }
  if (leastKnown <= known) {
    return {
      level: "warn",
      text: `${text} It runs on them.`,
      fix: "Continue the upgrade, or undo it at every node.",
    };
  }
  return { level: "fail", text, fix: "Run the version that wrote them, or a later one." };
}
