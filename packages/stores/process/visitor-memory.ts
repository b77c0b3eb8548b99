import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { VisitorMemory } from "@stile/core/ports/visitor/visitor-memory";

/** An expiry time for each browser. The browser that was renewed longest ago is evicted. */
function createMemory(maxEntries: number, onEvicted?: (key: string) => void) {
  const untilMsOf = createBoundedMap<string, number>(maxEntries, onEvicted);
  return {
    record: (key: string, untilMs: number): void => {
      untilMsOf.set(key, Math.max(untilMsOf.get(key) ?? 0, untilMs));
    },
    forget: untilMsOf.delete,
    holds: (key: string, nowMs: number): boolean => nowMs < (untilMsOf.get(key) ?? 0),
  };
}

/**
 * The most agents kept per network (/24 or /48). A network with more is shared by many visitors, or
 * a program is drawing attention to itself.
 */
const MOST_OF_NETWORK = 64;

/** The network of an agent: the agent's key without its last word. */
const networkOf = (key: string): string => key.slice(0, key.lastIndexOf(" "));

/**
 * Expiry times of agents, whose keys are their network, a space and their name. It keeps at most
 * MOST_OF_NETWORK agents of a network, so that an attacker who invents user agents evicts only
 * agents of the same network.
 */
function createAgentMemory(maxEntries: number) {
  const agentsOf = new Map<string, Set<string>>();
  const memory = createMemory(maxEntries, (key) => {
    const network = networkOf(key);
    const agents = agentsOf.get(network);
    agents?.delete(key);
    if (agents?.size === 0) agentsOf.delete(network);
  });
  return {
    record: (key: string, untilMs: number): void => {
      const network = networkOf(key);
      const agents = agentsOf.get(network) ?? new Set();
      agents.delete(key);
      agents.add(key);
      agentsOf.set(network, agents);
      const [oldest = key] = agents;
      if (agents.size > MOST_OF_NETWORK) {
        agents.delete(oldest);
        memory.forget(oldest);
      }
      memory.record(key, untilMs);
    },
    holds: memory.holds,
  };
}

/**
 * This process's memory of browsers: at most `maxEntries` of each kind, each at most about 400
 * bytes.
 */
export function createVisitorMemory({
  maxEntries,
}: {
  readonly maxEntries: number;
}): VisitorMemory {
  const stepUps = createMemory(maxEntries);
  const redeemed = createAgentMemory(maxEntries);
  return {
    demandStepUp: (siteKey, browser, untilMs) => stepUps.record(`${siteKey} ${browser}`, untilMs),
    mustStepUp: (siteKey, browser, nowMs) => stepUps.holds(`${siteKey} ${browser}`, nowMs),
    recordRedeemed: (payer, agent, untilMs) => redeemed.record(`${payer} ${agent}`, untilMs),
    hasRedeemed: (payer, agent, nowMs) => redeemed.holds(`${payer} ${agent}`, nowMs),
  };
}
