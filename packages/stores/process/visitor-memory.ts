import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { VisitorMemory } from "@stile/core/ports/visitor/visitor-memory";

/**
 * Until when something holds of each browser, in the order of renewal; the one unrenewed for
 * longest makes room.
 */
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
 * Agents held per network (/24, /48): more are people who share it, or a program that draws
 * attention to itself.
 */
const MOST_OF_NETWORK = 64;

/** The network of an agent: the agent's key without its last word. */
const networkOf = (key: string): string => key.slice(0, key.lastIndexOf(" "));

/**
 * The same for agents, whose keys begin with their network and a space. At most MOST_OF_NETWORK of
 * each are held, so that nobody becomes many by making up user agents; they only push out their
 * neighbours.
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
 * What this process remembers of browsers: at most `maxEntries` of each kind, about 400 bytes each
 * at most.
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
