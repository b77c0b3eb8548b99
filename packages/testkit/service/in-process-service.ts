import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPERATOR } from "@stile/core/domain/account/audit";
import type { Clock } from "@stile/core/ports/clock";
import { createSite } from "@stile/core/use-cases/site/create-site";
import type { AlgorithmNumber } from "@stile/pow/algorithms/table";
import { composeService, type Service } from "@stile/server/compose/compose";
import { readConfig } from "@stile/server/config/config";
import { createLog } from "@stile/server/telemetry/log";
import { callApi } from "../contract/call.ts";
import { type EasyChallenge, mintEasyChallenge } from "../minting/easy-challenges.ts";

/** A site of the service under test, with its secret in plain text. */
export type SiteWithSecret = { readonly siteKey: string; readonly secretKey: string };

/** The composed service, listening in this process, so that a test can set its clock. */
export type InProcessService = {
  readonly baseUrl: string;
  readonly dataDirectory: string;
  readonly service: Service;
  /** The service's current time, milliseconds since the epoch. */
  nowMs: number;
  /**
   * Creates a site for `localhost` on which every correct solution earns a token, with any signals
   * (D9, submission).
   */
  readonly makeSite: (name: string) => Promise<SiteWithSecret>;
  readonly dispose: () => Promise<void>;
};

/**
 * Starts it on a free port and an empty data directory, behind a trusted local proxy; by `nowMs` or
 * the given clock.
 */
export async function startInProcess(given?: Clock): Promise<InProcessService> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "stile-e2e-"));
  const reading = readConfig({
    STILE_DATA_DIR: dataDirectory,
    STILE_PORT: "0",
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_LIMIT_VERIFY: "1000000",
    STILE_LIMIT_CHALLENGE: "1000000",
  });
  assert.ok(reading.kind === "config");
  const clock = given ?? { nowMs: () => own.nowMs };
  const own = { nowMs: Date.now() };
  const started =
    given === undefined
      ? own
      : {
          get nowMs() {
            return given.nowMs();
          },
        };
  const service = await composeService(reading.config, createLog("error"), {
    clock,
    puzzleBase: 256,
  });
  const { url: baseUrl } = await service.listen();
  return Object.assign(started, {
    baseUrl,
    dataDirectory,
    service,
    makeSite: async (name: string): Promise<SiteWithSecret> => {
      const [account] = await service.store.sites.listAccounts();
      assert.ok(account !== undefined);
      const proposed = { name, domains: ["localhost"], mode: "non_interactive" } as const;
      const created = await createSite(
        service.sitePorts,
        { accountId: account.accountId, actor: OPERATOR },
        proposed,
      );
      assert.ok(created.kind === "created");
      return { siteKey: created.site.siteKey, secretKey: created.secretKey };
    },
    dispose: async () => {
      service.server.closeAllConnections();
      await service.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  });
}

/** The visitor for whom challenges are made, unless a test says otherwise. */
export const VISITOR = { userAgent: "Visitor/1", address: "198.51.100.7" } as const;

/** A challenge of the service for the visitor, quick to solve. */
export function makeChallenge(
  { service, nowMs }: InProcessService,
  { siteKey }: SiteWithSecret,
  algorithm?: AlgorithmNumber,
): EasyChallenge {
  const { cryptography } = service.api;
  return mintEasyChallenge({
    cryptography,
    siteKey,
    ...VISITOR,
    nowMs,
    ...(algorithm && { algorithm }),
  });
}

/** A browser's submission (D9, submission), and its address. */
export type SubmittedSolution = {
  readonly challenge: string;
  readonly solution: string;
  readonly environment?: Uint8Array;
  readonly action?: string;
  readonly visitor?: { readonly userAgent: string; readonly address: string };
};

/**
 * POST /api/v1/verify; returns the token, or undefined if the service issued none. Fails on every
 * status but 200.
 */
export async function handIn(
  target: InProcessService,
  site: SiteWithSecret,
  handedIn: SubmittedSolution,
): Promise<string | undefined> {
  const {
    challenge,
    solution,
    environment = new Uint8Array(0),
    action,
    visitor = VISITOR,
  } = handedIn;
  const { status, body } = await callApi(target.baseUrl, {
    path: "/api/v1/verify",
    headers: {
      origin: "http://localhost",
      "user-agent": visitor.userAgent,
      "x-forwarded-for": visitor.address,
    },
    body: {
      site_key: site.siteKey,
      challenge,
      solution,
      signals: { environment: Buffer.from(environment).toString("base64url") },
      action,
    },
  });
  assert.equal(status, 200);
  const data = body.data as {
    readonly verified: boolean;
    readonly token?: string;
    readonly next?: string;
  };
  assert.equal(data.verified, data.token !== undefined);
  if (!data.verified) assert.equal(data.next, "retry");
  return data.token;
}

/** POST /api/v1/token/verify; returns "verified" or the reason code. */
export async function redeemAt(
  target: InProcessService,
  site: SiteWithSecret,
  token: string,
): Promise<string> {
  const { status, body } = await callApi(target.baseUrl, {
    path: "/api/v1/token/verify",
    headers: { authorization: `Bearer ${site.secretKey}` },
    body: { token },
  });
  assert.equal(status, 200);
  return body.data.verified === true ? "verified" : (body.reasonCode ?? "no reason");
}
