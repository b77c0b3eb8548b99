import type { Durability, StoreDescription } from "@stile/core/ports/store";
import type { Finding } from "@stile/protocol/dashboard-api";
import type { Query } from "./database.ts";
import { findClocks } from "./postgres-clocks.ts";

const NAMES = [
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "synchronous_standby_names",
] as const;
type EngineSettingName = (typeof NAMES)[number];
/** A setting's value for this session, and where it was set, as `pg_settings` names it. */
type Setting = { readonly value: string; readonly source: string };
type EngineSettings = Readonly<Record<EngineSettingName, Setting>>;
type DatabaseIdentity = {
  readonly version: string;
  readonly user: string;
  readonly database: string;
};

function durabilityOf({ fsync, full_page_writes, synchronous_commit }: EngineSettings): Durability {
  if (fsync.value !== "on" || full_page_writes.value !== "on") return "best-effort";
  // Acknowledged writes may still be in the engine's memory. If the engine crashes, the last
  // moments are lost; if the service crashes, nothing is.
  return synchronous_commit.value === "off" ? "crash-safe" : "strict";
}

/** The instruction to turn a setting on, depending on where it was turned off. */
function fixOf(
  name: EngineSettingName,
  source: string,
  { user, database }: DatabaseIdentity,
): string {
  const psql = (sql: string): string =>
    `Run as a superuser, and restart the nodes: psql -c '${sql}'`;
  switch (source) {
    case "database":
      return psql(`ALTER DATABASE "${database}" RESET ${name}`);
    case "user":
      return psql(`ALTER ROLE "${user}" RESET ${name}`);
    case "database user":
      return psql(`ALTER ROLE "${user}" IN DATABASE "${database}" RESET ${name}`);
    case "client":
      return `Take ${name} out of STILE_DATABASE_URL (or PGOPTIONS), and restart the nodes.`;
    case "command line":
      return `Take ${name} off the command line that starts PostgreSQL, and restart it.`;
    default:
      return `Run as a superuser: psql -c 'ALTER SYSTEM SET ${name} = on' -c 'SELECT pg_reload_conf()'`;
  }
}

/** The writes that may be lost if a setting is not `on`. */
const COSTS: Readonly<Record<Exclude<EngineSettingName, "synchronous_standby_names">, string>> = {
  fsync: "a machine that loses its power can lose the whole database",
  full_page_writes: "a machine that loses its power can leave pages torn",
  synchronous_commit:
    "an engine that dies forgets its last moments, and a token spent in them counts again",
};

/** How much of what is committed the standbys have, if one takes over. */
function findStandbys(
  settings: EngineSettings,
  place: DatabaseIdentity,
  isConfirmed: boolean,
): readonly Finding[] {
  const { synchronous_commit: commit, synchronous_standby_names: standbys } = settings;
  if (standbys.value === "") {
    const text =
      "No standby confirms what is committed (synchronous_standby_names is empty): what only a lost disk held is gone";
    return [{ level: "ok", text }];
  }
  // Another finding already reports that it is off.
  if (commit.value === "off") return [];
  if (commit.value === "local" || commit.value === "remote_write") {
    const lack =
      commit.value === "remote_write" ? "waits for their memory only" : "does not wait for them";
    const text = `Standbys are named (${standbys.value}), but synchronous_commit is ${commit.value} and ${lack}: one that takes over may lack what was spent.`;
    return [{ level: "warn", text, fix: fixOf("synchronous_commit", commit.source, place) }];
  }
  if (isConfirmed) {
    const text = `Standbys confirm what is committed (${standbys.value}): if one of those that did takes over, nothing that was answered is gone`;
    return [{ level: "ok", text }];
  }
  const text = `Every commit waits for a standby (${standbys.value}), and none is connected: redemptions and submissions get a 503.`;
  const fix = `Start the standby. To continue without it, run as a superuser: psql -c "ALTER SYSTEM SET synchronous_standby_names = ''" -c 'SELECT pg_reload_conf()'`;
  return [{ level: "warn", text, fix }];
}

function findSettings(settings: EngineSettings, place: DatabaseIdentity): readonly Finding[] {
  return (["fsync", "full_page_writes", "synchronous_commit"] as const)
    .filter((name) => settings[name].value === "off")
    .map((name) => ({
      level: "warn",
      text: `${name} is off: ${COSTS[name]}.`,
      fix: fixOf(name, settings[name].source, place),
    }));
}

/** The engine's actual settings for this user and database, and what to fix in them. */
export async function describePostgres(read: Query): Promise<StoreDescription> {
  const { rows } = await read<{
    readonly place: DatabaseIdentity;
    readonly settings: EngineSettings;
    readonly isConfirmed: boolean;
  }>(
    `SELECT json_build_object('version', current_setting('server_version'), 'user', current_user,
        'database', current_database()) AS place,
      (SELECT json_object_agg(name, json_build_object('value', setting, 'source', source)) FROM pg_settings
        WHERE name = ANY($1)) AS settings,
      -- Without the rights of pg_monitor, only how many are connected.
      (SELECT count(*) > 0 AND bool_or(sync_state IN ('sync', 'quorum')) IS NOT FALSE FROM pg_stat_replication) AS "isConfirmed"`,
    [NAMES],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL did not answer the query for its settings");
  const { place, settings, isConfirmed } = row;
  const named = NAMES.map((name) => `${name}=${settings[name].value || "none"}`);
  return {
    engine: `PostgreSQL ${place.version}`,
    durability: durabilityOf(settings),
    detail: named.join(", "),
    findings: [
      ...findSettings(settings, place),
      ...findStandbys(settings, place, isConfirmed),
      ...(await findClocks(read)),
    ],
  };
}
