import type { Connections } from "./database.ts";

/** Which run of the database this node knows, and how it learns of another. */
export type Generations = {
  /** The run that service keys were last loaded in; null before any. A batch of another one spends nothing. */
  readonly known: () => string | null;
  /**
   * Looks whether the database is still the one that wrote before. If another engine did, what was spent there last may be missing
   * here, and every service key is retired in one transaction (decisions 0018 and 0036); nodes that run or look beside it change
   * nothing. `load` is to read the service keys anew; only then may anything be spent again.
   */
  readonly follow: (load: () => Promise<void>) => Promise<"continued" | "retired">;
};

type Row = { readonly generation: string | null };
type EngineRow = { readonly engine: string; readonly last: string | null };

async function readGeneration(calls: Connections): Promise<string | null> {
  const { rows } = await calls.read<Row>("SELECT generation_1() AS generation");
  return rows[0]?.generation ?? null;
}

/** Takes the engine as it is for the one that writes from now on; answers whether any key was retired for it. */
function adoptEngine(calls: Connections): Promise<boolean> {
  return calls.transaction(async (query) => {
    await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
    const { rows } = await query<EngineRow>("SELECT engine_1() AS engine, (SELECT engine FROM generations) AS last");
    const [{ engine, last } = { engine: "", last: null }] = rows;
    if (last === engine) return false;
    await query(
      `INSERT INTO generations (id, engine) VALUES (1, $1)
        ON CONFLICT (id) DO UPDATE SET engine = excluded.engine, number = generations.number + 1`,
      [engine],
    );
    if (last === null) return false;
    const { count } = await query("UPDATE service_keys SET is_retired = TRUE WHERE NOT is_retired");
    return count > 0;
  });
}

/** Nothing is known yet. */
export function createGenerations(calls: Connections): Generations {
  let known: string | null = null;
  return {
    known: () => known,
    follow: async (load) => {
      const current = await readGeneration(calls);
      if (current !== null && current === known) return "continued";
      const hasRetired = current === null && (await adoptEngine(calls));
      // Read before the keys: if it changes meanwhile, what was loaded counts for the earlier one.
      const next = await readGeneration(calls);
      await load();
      known = next;
      return hasRetired ? "retired" : "continued";
    },
  };
}
