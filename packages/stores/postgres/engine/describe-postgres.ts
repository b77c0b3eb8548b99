import type { Durability, StoreDescription } from "@stile/core/ports/store";
import type { Connections } from "./database.ts";

type Settings = Readonly<
  Record<"version" | "fsync" | "synchronousCommit" | "fullPageWrites" | "synchronousStandbyNames", string>
>;

function durabilityOf({ fsync, fullPageWrites, synchronousCommit }: Settings): Durability {
  if (fsync !== "on" || fullPageWrites !== "on") return "best-effort";
  // What was answered may not have left the engine's memory: of this service nothing is lost, of the engine the last moments are.
  return synchronousCommit === "off" ? "crash-safe" : "strict";
}

/** What the engine is really set to, for this user and database. */
export async function describePostgres(calls: Connections): Promise<StoreDescription> {
  const { rows } = await calls.read<Settings>(`SELECT current_setting('server_version') AS version,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_standby_names') AS "synchronousStandbyNames"`);
  const [settings] = rows;
  if (settings === undefined) throw new Error("the engine says nothing of itself");
  const { version, fsync, synchronousCommit, fullPageWrites, synchronousStandbyNames } = settings;
  const standby = synchronousStandbyNames === "" ? "none" : synchronousStandbyNames;
  return {
    engine: `PostgreSQL ${version}`,
    durability: durabilityOf(settings),
    detail:
      `fsync=${fsync}, synchronous_commit=${synchronousCommit}, full_page_writes=${fullPageWrites}, ` +
      `synchronous_standby_names=${standby}`,
  };
}
