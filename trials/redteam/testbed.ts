import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Decision, isDecision } from "@stile/core/domain/statistics/decision";
import { redeemAsCustomer } from "@stile/demo/pages/redeem-as-customer";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { startService } from "@stile/testkit/service/service";
import { resolveTool } from "./install.ts";
import { formPage, NEXT_PAGE, PAGE_SCRIPT, type Report } from "./page.ts";
import { type Overheard, openProxy, urlsOf } from "./proxy.ts";
import { createSession, type Session, type SessionRecord } from "./session.ts";

/**
 * The service in a separate process, a shop that uses it, and the service's record of each visit.
 */
export type Testbed = {
  readonly siteKey: string;
  /** A visit from an address that nobody else has. */
  readonly openSession: () => Session;
  /** Passes a token to the form's server without using the form. */
  readonly redeem: (
    session: Session,
    token: string,
    userAgent: string | undefined,
  ) => Promise<void>;
  /** The last submission of a visit. */
  readonly overheard: (session: Session) => Overheard | undefined;
  /** The service's complaints so far. */
  readonly complaints: () => string;
  /**
   * The service's decisions about the visit so far, oldest first; the log is written once a second.
   */
  readonly decisionsOf: (session: Session) => Promise<readonly Decision[]>;
};

/** Far above a run's needs: limits are not measured here. */
const LIMITS = ["VERIFY", "SCORE", "CHALLENGE"].map(
  (name) => [`STILE_LIMIT_${name}`, "1000000"] as const,
);

/** More decisions than one tool's visits produce. */
const RECENT_DECISIONS = 500;

/** A separate /24 for each visit, in the networks reserved for benchmarks (RFC 2544). */
const addressOf = (visit: number): string =>
  `198.${18 + (visit >> 8)}.${visit & 255}.${10 + (visit % 200)}`;

const readBotd = (): Buffer =>
  readFileSync(resolveTool("@fingerprintjs/botd").replace(/cjs\.js$/, "esm.js"));

/** Starts everything; it ends with `started`. */
export async function openTestbed(started: AsyncDisposableStack): Promise<Testbed> {
  const service = await startService({
    STILE_TRUSTED_PROXIES: "127.0.0.1",
    STILE_LOG_LEVEL: "error",
    ...Object.fromEntries(LIMITS),
  });
  started.defer(service.dispose);
  const store = await openSqliteStore({ file: join(service.dataDirectory, "stile.sqlite") });
  started.defer(store.close);

  /** Plays the form's server: passes the token to the service, as any customer's server does. */
  const redeem: Testbed["redeem"] = async ({ address }, token, userAgent) => {
    const request = { token, remoteip: address, user_agent: userAgent };
    await redeemAsCustomer(service.baseUrl, service.secretKey, request);
  };
  const visits = new Map<string, SessionRecord>();
  const answer = async (
    name: string,
    incoming: IncomingMessage,
    out: ServerResponse,
  ): Promise<void> => {
    const visit = visits.get(name);
    const path = `${incoming.method} ${incoming.url}`;
    const send = (type: string, body: string | Buffer): void =>
      void out.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    if (visit === undefined) return void out.writeHead(404).end();
    if (path === "GET /")
      return send("text/html", formPage(service.siteKey, name, urlsOf(proxy.port, name).service));
    if (path === "GET /page.js") return send("text/javascript", PAGE_SCRIPT);
    if (path === "GET /botd.js") return send("text/javascript", readBotd());
    if (path === "POST /report") {
      visit.hear(JSON.parse(await text(incoming)) as Report);
      return send("text/plain", "");
    }
    if (path !== "POST /sign-in") return void out.writeHead(404).end();
    const token = new URLSearchParams(await text(incoming)).get("stile-response") ?? "";
    await redeem(visit, token, incoming.headers["user-agent"]);
    return send("text/html", NEXT_PAGE);
  };
  const proxy = await openProxy(service.port, {
    answer,
    addressOf: (name) => visits.get(name)?.address,
  });
  started.defer(() => {
    proxy.server.close();
    proxy.server.closeAllConnections();
  });

  return {
    siteKey: service.siteKey,
    openSession: () => {
      const name = `v${visits.size}`;
      const { shop, raw: rawUrl } = urlsOf(proxy.port, name);
      const identity = { name, address: addressOf(visits.size), url: `${shop}/`, rawUrl };
      const visit = createSession({ ...identity, isWidgetFirst: visits.size % 2 === 1 });
      visits.set(name, visit);
      return visit;
    },
    redeem,
    complaints: service.log,
    overheard: ({ name }) => proxy.overheard(name),
    decisionsOf: async ({ name }) => {
      const recent = await store.decisions.list({
        siteKey: service.siteKey,
        limit: RECENT_DECISIONS,
      });
      return recent
        .filter((entry): entry is Decision => isDecision(entry) && entry.action === name)
        .reverse();
    },
  };
}
