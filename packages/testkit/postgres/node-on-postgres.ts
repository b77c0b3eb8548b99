import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { composeService, type Service } from "@stile/server/compose/compose";
import { createLog } from "@stile/server/telemetry/log";
import { mintToken } from "../minting/mint-tokens.ts";
import { configOf } from "../service/config-of.ts";
import { redeem } from "../service/redeem.ts";

/** A listening service in this process, and the calls that a customer of its demo site makes. */
export type ListeningNode = {
  readonly service: Service;
  readonly baseUrl: string;
  /** Makes tokens with the node's own keys. */
  readonly mint: (count: number) => string[];
  /** The node's answer to each: `verified`, or its reason. */
  readonly redeemAll: (tokens: readonly string[]) => Promise<string[]>;
};

let allFolders: string | undefined;

/**
 * A folder that is removed when the process ends: nodes that stop after a test still write there.
 */
export function temporaryFolder(): string {
  if (allFolders === undefined) {
    const made = mkdtempSync(join(tmpdir(), "stile-nodes-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    allFolders = made;
  }
  return mkdtempSync(join(allFolders, "node-"));
}

/**
 * Starts a node with these settings (D17, settings), on a free port; it stops after the test if it
 * was not stopped before.
 */
export async function startListeningNode(
  context: TestContext,
  settings: Readonly<Record<string, string>>,
): Promise<ListeningNode> {
  const service = await composeService(
    configOf({ STILE_PORT: "0", ...settings }),
    createLog("silent"),
  );
  context.after(() => service.stop());
  const { url: baseUrl } = await service.listen();
  const demoKeys = () =>
    service.firstStart.demoKeys ??
    assert.fail("only the node that created the installation has its keys");
  const redeemOne = async (token: string): Promise<string> => {
    const { body } = await redeem({ baseUrl, secretKey: demoKeys().secretKey }, token);
    return body.data.verified === true ? "verified" : String(body.reasonCode);
  };
  return {
    service,
    baseUrl,
    mint: (count) =>
      Array.from({ length: count }, () =>
        mintToken(service.api.cryptography, demoKeys().siteKey, {}),
      ),
    redeemAll: (tokens) => Promise.all(tokens.map(redeemOne)),
  };
}
