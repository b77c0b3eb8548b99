import type { Connections, Query } from "./database.ts";

/**
 * Names the engine that writes: its cluster, the branch of its history, and the database. All three are the same for every node
 * and across restarts; a copy, a restored backup, or a standby that took over differs in one.
 */
async function readEngine(query: Query): Promise<string> {
  const { rows } = await query<{
    engine: string;
  }>(`SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
    (SELECT timeline_id FROM pg_control_checkpoint()),
    (SELECT oid FROM pg_database WHERE datname = current_database())) AS engine`);
  return rows[0]?.engine ?? "";
}

/**
 * Begins the run of a node: if another engine wrote to the database before, what was spent there last may be missing here, and
 * every service key is retired in the same transaction (decisions 0018 and 0036). Nodes that start or run beside it change nothing.
 */
export function beginGeneration(calls: Connections): Promise<"continued" | "retired"> {
  return calls.transaction(async (query) => {
    await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
    // A timeline is named by the last checkpoint, and a standby that took over has made none yet.
    const engine = await readEngine(query);
    const { rows } = await query<{ engine: string }>("SELECT engine FROM generations");
    const [last] = rows;
    await query(
      "INSERT INTO generations (id, engine) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET engine = excluded.engine",
      [engine],
    );
    if (last === undefined || last.engine === engine) return "continued";
    const { count } = await query("UPDATE service_keys SET is_retired = TRUE WHERE NOT is_retired");
    return count > 0 ? "retired" : "continued";
  });
}
