import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { VisitorMemory } from "@stile/core/ports/visitor/visitor-memory";

/** Moments until which something holds of a browser, in the order of renewal; the longest unrenewed makes room. */
function createMemory(maxEntries: number) {
  const untilMsOf = createBoundedMap<string, number>(maxEntries);
  return {
    record: (owner: string, client: string, untilMs: number): void => {
      const key = `${owner} ${client}`;
      untilMsOf.set(key, Math.max(untilMsOf.get(key) ?? 0, untilMs));
    },
    forget: (owner: string, client: string): void => {
      untilMsOf.delete(`${owner} ${client}`);
    },
    holds: (owner: string, client: string, nowMs: number): boolean =>
      nowMs < (untilMsOf.get(`${owner} ${client}`) ?? 0),
  };
}

/** Agents of one network (/24, /48) that are held: more are people who share it, or a program that makes itself known. */
const MOST_OF_NETWORK = 64;

/**
 * The same of agents, whose names begin with their network's and a space: at most MOST_OF_NETWORK of each, so that nobody becomes
 * many by user agents that they make up, and pushes out only their neighbours.
 */
function createAgentMemory(maxEntries: number) {
  const memory = createMemory(maxEntries);
  const agentsOf = createBoundedMap<string, Set<string>>(maxEntries);
  return {
    record: (owner: string, agent: string, untilMs: number): void => {
      const network = `${owner} ${agent.split(" ", 1)[0]}`;
      const agents = agentsOf.get(network) ?? new Set();
      agents.delete(agent);
      agents.add(agent);
      agentsOf.set(network, agents);
      const [oldest = agent] = agents;
      if (agents.size > MOST_OF_NETWORK) {
        agents.delete(oldest);
        memory.forget(owner, oldest);
      }
      memory.record(owner, agent, untilMs);
    },
    holds: memory.holds,
  };
}

/** What this process remembers of browsers: at most `maxEntries` of each kind, about 200 bytes each. */
export function createVisitorMemory({ maxEntries }: { readonly maxEntries: number }): VisitorMemory {
  const stepUps = createMemory(maxEntries);
  const redeemed = createAgentMemory(maxEntries);
  return {
    demandStepUp: stepUps.record,
    mustStepUp: stepUps.holds,
    recordRedeemed: redeemed.record,
    hasRedeemed: redeemed.holds,
  };
}
