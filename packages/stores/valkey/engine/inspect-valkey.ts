import type { Redis } from "ioredis";
import { describeForLimits, describeValkey, type ValkeyDescription } from "./describe-valkey.ts";
import { explainOpening } from "./explain-opening.ts";
import { readValkeyAddress } from "./valkey-address.ts";
import { connect, DEADLINE_MS, readClientSettings, type ValkeyPlan } from "./valkey-client.ts";
import { GENERATION_KEY } from "./valkey-keys.ts";
import type { Wanted } from "./valkey-settings.ts";

/** How the connected engine is set, and which of that should be fixed. */
export async function describeConnected(
  client: Redis,
  { address, nowMs, replicas: wantedReplicas, holds }: ValkeyPlan,
  readSettings = () => readClientSettings(client, holds),
): Promise<ValkeyDescription> {
  if (holds === "limits") return describeForLimits(await readSettings(), address);
  const fence = Number((await client.hget(GENERATION_KEY, "fence")) ?? 0);
  return describeValkey(await readSettings(), address, { fenceAheadMs: fence - nowMs(), wantedReplicas });
}

/** Inspects the engine at the address without changing it. Rejects with ValkeyProblem if it can't be reached. */
export async function inspectValkey(
  url: string,
  wanted: Wanted = { holds: "all", replicas: 0 },
): Promise<ValkeyDescription> {
  const plan = { ...wanted, address: readValkeyAddress(url), nowMs: Date.now, deadlineMs: DEADLINE_MS };
  try {
    return await connect(plan, async (client) => {
      const description = await describeConnected(client, plan);
      client.disconnect();
      return description;
    });
  } catch (fault) {
    throw explainOpening(fault, plan);
  }
}
