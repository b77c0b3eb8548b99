import { join } from "node:path";
import { parseClientAddress } from "@stile/core/domain/client-address";
import { digestAddress, digestUserAgent } from "@stile/core/flows/steps/binding-digests";
import { keyReference } from "@stile/core/flows/steps/key-references";
import { createTokenHeader, sealToken } from "@stile/core/flows/steps/token-sealing";
import { openSqliteStore } from "@stile/stores/sqlite/store";
import { createKeyRing } from "../packages/server/cryptography/key-ring.ts";
import { createNodeCryptography } from "../packages/server/cryptography/node-cryptography.ts";
import { refreshKeyRing } from "../packages/server/cryptography/service-keys.ts";
import { openDataDirectory } from "../packages/server/data-directory.ts";

/** What a minted token says; the address and user agent are those it is bound to. */
export type MintRequest = {
  readonly dataDirectory: string;
  readonly siteKey: string;
  readonly count: number;
  readonly lifeSeconds?: number;
  readonly address?: string;
  readonly userAgent?: string;
};

const clock = { nowMs: () => Date.now() };

/** Tokens made with the service's own keys and codec, where earning each by work would take minutes. */
export async function mintTokens(request: MintRequest): Promise<string[]> {
  const directory = openDataDirectory(request.dataDirectory);
  const store = await openSqliteStore({ file: join(request.dataDirectory, "stile.sqlite") });
  const ring = createKeyRing();
  await refreshKeyRing(ring, store.serviceKeys, directory.masterKey(), clock.nowMs());
  await store.close();
  const cryptography = createNodeCryptography(ring, clock);
  return Array.from({ length: request.count }, () => {
    const nowMs = clock.nowMs();
    const header = createTokenHeader(cryptography, nowMs);
    const key = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
    const address = request.address === undefined ? undefined : parseClientAddress(request.address);
    return sealToken(cryptography, header, {
      siteKey: request.siteKey,
      mode: "managed",
      expiresAtSeconds: header.issuedAtSeconds + (request.lifeSeconds ?? 300),
      challengeAtMs: nowMs,
      score: 0.05,
      ...digestAddress(cryptography, key, address),
      userAgentDigest: digestUserAgent(cryptography, key, request.userAgent ?? ""),
      actionName: undefined,
      cdata: undefined,
      hostname: "localhost",
    });
  });
}
