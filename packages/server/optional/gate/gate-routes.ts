import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { isHostAllowed } from "@stile/core/domain/site/host-name";
import type { Site } from "@stile/core/domain/site/site";
import { formatIpAddress } from "@stile/core/domain/visitor/ip-address";
import { authenticateSecret } from "@stile/core/services/site/authenticate-secret";
import { redeemToken } from "@stile/core/use-cases/token/redeem-token";
import { type Answer, notFound, type RequestContext } from "../../http/answer/answer.ts";
import type { HttpRoute } from "../../http/http-route.ts";
import { pageStyle } from "../../http/pages/page-style.ts";
import type { ApiPorts } from "../../http/v1/api-ports.ts";
import type { RouteSet } from "../../sockets/route-set.ts";
import { GATE_SCRIPT, gatePage, gatePolicy } from "./gate-page.ts";
import { isPassValid, makePass } from "./gate-pass.ts";
import {
  askedPath,
  type ProtectedPlace,
  passCookie,
  passesOf,
  pathInQuery,
  placeOf,
  readGateForm,
} from "./gate-request.ts";

/** The ports, the secret key of the site that the gate belongs to, and how long a pass is good. */
type Gate = {
  readonly ports: ApiPorts;
  readonly secretKey: string;
  readonly lifeSeconds: number;
  readonly base: () => string;
};

/** A visitor at a host that the gate protects. */
type AtGate = { readonly site: Site; readonly place: ProtectedPlace };

const EMPTY = { "Content-Type": "text/plain; charset=utf-8" };

/** Finds the site by the operator's secret key; undefined if the visitor is at none of its hosts. */
async function arrive(
  { ports, secretKey }: Gate,
  request: IncomingMessage,
): Promise<AtGate | undefined> {
  const place = placeOf(request, ports.visitors);
  if (place === undefined) return undefined;
  // The caller is the operator's own setting, and no address can guess keys here.
  const authentication = await authenticateSecret(ports, { secretKey, address: undefined });
  const site = authentication.kind === "site" ? authentication.site : undefined;
  const isOpen = site?.isEnabled && isHostAllowed(place.host, site.domains);
  return isOpen ? { site, place } : undefined;
}

const holderOf = ({ ports }: Gate, request: IncomingMessage, { site, place }: AtGate) => ({
  siteKey: site.siteKey,
  host: place.host,
  address: ports.visitors.addressOf(request),
});

/**
 * GET /gate/check: 204 for a visitor with a pass. Otherwise 401, or with `?redirect=1` the way to
 * the page.
 */
async function check(gate: Gate, request: IncomingMessage): Promise<Answer> {
  const at = await arrive(gate, request);
  if (at !== undefined) {
    const holder = holderOf(gate, request, at);
    const isValid = (pass: string): boolean =>
      isPassValid(gate.ports, pass, holder, gate.lifeSeconds);
    if (passesOf(request).some(isValid)) return { status: 204, body: undefined };
  }
  if (!/\?redirect=1$/.test(request.url ?? ""))
    return { status: 401, body: "", headers: EMPTY, isUnlogged: true };
  const headers = { Location: `/gate?to=${askedPath(request)}` };
  return { status: 302, body: undefined, headers };
}

function show({ base }: Gate, { site, place }: AtGate, path: string, hasFailed: boolean): Answer {
  const page = { base: base(), siteKey: site.siteKey, host: place.host, path, hasFailed };
  return {
    status: hasFailed ? 403 : 200,
    body: gatePage(page).markup,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": gatePolicy(base()),
      "X-Frame-Options": "DENY",
      "X-Robots-Tag": "noindex",
    },
  };
}

/** POST /gate: redeems the token as a customer's server would, and returns to the protected host. */
async function pass(gate: Gate, request: IncomingMessage, at: AtGate): Promise<Answer> {
  const form = await readGateForm(request);
  const { token, path = "/" } = form ?? {};
  const { ports, secretKey, lifeSeconds } = gate;
  const holder = holderOf(gate, request, at);
  const fields = {
    token,
    remoteIp: holder.address && formatIpAddress(holder.address),
    userAgent: request.headers["user-agent"],
    siteKey: undefined,
    idempotencyKey: undefined,
  };
  const answer = await redeemToken(
    ports,
    { secretKey, address: undefined },
    { kind: "received", read: () => ({ kind: "fields", fields }) },
  );
  const verdict = answer.kind === "verified" ? answer.verdict : undefined;
  // A token earned at another of the site's hosts is for that host.
  if (verdict?.recommendation !== "allow" || verdict.hostname !== holder.host)
    return show(gate, at, path, true);
  const cookie = passCookie(makePass(ports, holder), at.place, lifeSeconds);
  return { status: 303, body: undefined, headers: { Location: path, "Set-Cookie": cookie } };
}

async function gatePages(
  gate: Gate,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  const at = await arrive(gate, request);
  if (at === undefined) return notFound(context);
  if (request.method === "POST") return await pass(gate, request, at);
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead ? show(gate, at, pathInQuery(request.url ?? ""), false) : notFound(context);
}

/**
 * Forward auth for a proxy in front of an application that can't be changed; none without
 * STILE_GATE_SECRET_KEY.
 */
export const gateRoutes: RouteSet = ({ api, config, listeningUrl }) => {
  const { gate: settings } = config;
  if (settings === undefined) return [];
  const gate: Gate = {
    ports: api,
    secretKey: settings.secretKey,
    lifeSeconds: settings.hours * 3600,
    base: () => config.baseUrl ?? listeningUrl(),
  };
  const script = {
    status: 200,
    body: GATE_SCRIPT,
    headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" },
  };
  const style = pageStyle(join(import.meta.dirname, "gate.css"));
  const get = (path: string, handle: HttpRoute["handle"]): HttpRoute => ({
    path,
    method: "GET",
    handle,
  });
  return [
    get("/gate/check", (request) => check(gate, request)),
    get("/gate/gate.js", () => script),
    get("/gate/gate.css", () => style),
    {
      path: "/gate",
      method: "ALL",
      handle: (request, context) => gatePages(gate, request, context),
    },
  ];
};
