import { ok } from "../../diagnosis/diagnosis.ts";
import type { RequestStep } from "../../sockets/request-step.ts";

/**
 * Recognizes bots by the signatures of their requests, with the file of STILE_SIGNED_AGENTS (D9,
 * submission).
 */
export const signedBots: RequestStep = {
  open: async ({ config, clock, log }) => {
    const { signedAgents: path, baseUrl } = config;
    // The settings are refused if the file is named without a base URL.
    if (path === undefined || baseUrl === undefined) return undefined;
    const { createAgentReader } = await import("./agent-reader.ts");
    const { openSignedAgents } = await import("./agents-file.ts");
    const { keys, names, refresh } = openSignedAgents(path);
    return {
      sources: { agentOf: createAgentReader({ keys, baseUrl, clock, log }) },
      refresh: {
        name: "refresh the signed bots",
        everyMs: 30_000,
        run: async () => refresh(),
      },
      agentNames: names,
    };
  },
  check: async ({ signedAgents: path }) => {
    if (path === undefined)
      return [ok("No bot's signature counts (STILE_SIGNED_AGENTS is not set)")];
    const { openSignedAgents } = await import("./agents-file.ts");
    const names = openSignedAgents(path).names().join(", ");
    return [ok(`Signatures count for ${names || "no bot"}, by ${path}`)];
  },
};
