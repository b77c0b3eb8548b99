import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPERATOR } from "@stile/core/domain/account/audit";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { composeService } from "@stile/server/compose/compose";
import { readConfig } from "@stile/server/config/config";
import { createLog } from "@stile/server/telemetry/log";
import { openProxy, urlsOf } from "./proxy.ts";

/**
 * A service under its default limits. Its clock can be moved ahead, so that an hour takes no longer
 * than its events.
 */
export type LimitedService = {
  readonly siteKey: string;
  /** The service's own address, and the key by which tokens are redeemed there. */
  readonly baseUrl: string;
  readonly secretKey: string;
  /**
   * The base URL at which a caller counts as a visitor from that address in that network, a /24.
   */
  readonly seenFrom: (network: number, host: number) => string;
  readonly addressOf: (network: number, host: number) => string;
  /** Its current time. */
  readonly nowMs: () => number;
  /** Moves its clock ahead to that moment, unless it is past it. */
  readonly skipTo: (ms: number) => void;
  /** Stops its clock, which otherwise continues while callers are slow; or lets it continue. */
  readonly holdClock: (isHeld: boolean) => void;
};

const DAY_MS = 86_400_000;
/**
 * Noon: no hour that begins there runs into another day, whose key would give networks new digests.
 */
const NOON_MS = DAY_MS / 2;

/** In the networks reserved for benchmarks (RFC 2544). */
const addressOf = (network: number, host: number): string => `198.18.${network}.${host}`;

/** The address that a visit's name encodes. */
function readName(name: string): string | undefined {
  const [, network, host] = /^n(\d+)h(\d+)$/.exec(name) ?? [];
  return network === undefined || host === undefined
    ? undefined
    : addressOf(Number(network), Number(host));
}

/**
 * Starts it in this process, with a site in `managed` and a proxy in front of it; it ends with
 * `started`.
 */
export async function startLimited(started: AsyncDisposableStack): Promise<LimitedService> {
  const directory = mkdtempSync(join(tmpdir(), "stile-redteam-"));
  started.defer(() => rmSync(directory, { recursive: true, force: true }));
  const reading = readConfig({
    STILE_DATA_DIR: directory,
    STILE_PORT: "0",
    STILE_TRUSTED_PROXIES: "127.0.0.1",
  });
  if (reading.kind !== "config")
    throw new Error("the service does not start with its default settings");
  const tomorrowMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  let aheadMs = tomorrowMs + NOON_MS - Date.now();
  let heldMs: number | undefined;
  const nowMs = (): number => Math.floor((heldMs ?? Date.now()) + aheadMs);
  const service = await composeService(reading.config, createLog("error"), { clock: { nowMs } });
  started.defer(async () => {
    service.server.closeAllConnections();
    await service.stop();
  });
  const { url: baseUrl } = await service.listen();
  const [account] = await service.store.sites.listAccounts();
  if (account === undefined) throw new Error("the service has no account");
  const proposed = { name: "One network", domains: ["localhost"], mode: "managed" } as const;
  const created = await createSite(
    service.sitePorts,
    { accountId: account.accountId, actor: OPERATOR },
    proposed,
  );
  if (created.kind !== "created") throw new Error(`the site was not created: ${created.kind}`);
  const proxy = await openProxy(Number(new URL(baseUrl).port), {
    answer: async (_name, _request, response) => void response.writeHead(404).end(),
    addressOf: readName,
  });
  started.defer(() => {
    proxy.server.close();
    proxy.server.closeAllConnections();
  });
  return {
    siteKey: created.site.siteKey,
    baseUrl,
    secretKey: created.secretKey,
    seenFrom: (network, host) => urlsOf(proxy.port, `n${network}h${host}`).raw,
    addressOf,
    nowMs,
    skipTo: (ms) => {
      aheadMs += Math.max(0, ms - nowMs());
    },
    holdClock: (isHeld) => {
      heldMs = isHeld ? Date.now() : undefined;
    },
  };
}
