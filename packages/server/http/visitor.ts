import type { IncomingMessage } from "node:http";
import { BlockList, type Socket } from "node:net";
import { type ClientAddress, parseClientAddress } from "@stile/core/domain/visitor/client-address";
import type { CountryCode } from "@stile/core/domain/visitor/country-code";
import type { Visitor } from "@stile/core/domain/visitor/visitor";
import { isRiskHeader } from "@stile/protocol/headers";
import { TEXT_LIMITS } from "@stile/protocol/limits";

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
] as const) {
  PRIVATE.addSubnet(net, bits, "ipv4");
}
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

/** What proxies add to what they hand on. */
const FORWARDED = ["x-forwarded-for", "forwarded", "via", "x-real-ip"];

const IPV4_MAPPED = "::ffff:";

function isListed(list: BlockList, address: string): boolean {
  return list.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

/** An entry of X-Forwarded-For without the port that some proxies add. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]+)\](:\d+)?$/.exec(entry);
  if (bracketed) return bracketed[1] ?? "";
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(entry) ? entry.slice(0, entry.indexOf(":")) : entry;
}

/** The other end of a connection: known for as long as that stands. */
type Peer = {
  readonly address: ClientAddress | undefined;
  readonly isTrusted: boolean;
  readonly isPrivate: boolean;
};

/**
 * The first address from the right that is no trusted proxy, starting at the peer (D14). An entry that is no address
 * ends the search at the proxy that wrote it: whoever stands behind is unknown.
 */
function findClient(peer: Peer, forwardedFor: string | undefined, trusted: BlockList): ClientAddress | undefined {
  let client = peer.address;
  let isProxy = peer.isTrusted;
  let rest = forwardedFor ?? "";
  while (isProxy) {
    const comma = rest.lastIndexOf(",");
    const entry = withoutPort(rest.slice(comma + 1).trim());
    const address = parseClientAddress(entry);
    if (address === undefined) break;
    client = address;
    isProxy = isListed(trusted, entry);
    rest = rest.slice(0, Math.max(0, comma));
  }
  return client;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Reads who stands before the service from connections and headers, under the operator's trusted proxies. */
export type VisitorReader = {
  /** The client's address for limits (D14). */
  addressOf(request: IncomingMessage): ClientAddress | undefined;
  /** All that risk and binding may know of the visitor (D5, D7). */
  read(request: IncomingMessage): Visitor;
};

/** What else a reader may ask. */
export type VisitorSources = {
  /** Called the first time that a private peer forwards for others without being declared. */
  readonly onHidden?: () => void;
  /** Where an address is, if it can be known. */
  readonly countryOf?: ((address: ClientAddress) => CountryCode | undefined) | undefined;
  /** In lower case, the header in which trusted proxies tell the visitor's TLS fingerprint. */
  readonly fingerprintHeader?: string | undefined;
  /** Who signed a request; the signature is spent by that. */
  readonly agentOf?: ((request: IncomingMessage) => string | undefined) | undefined;
};

/** A reader for the given trusted proxies; without any, the peer is the client. */
export function createVisitorReader(trusted: BlockList, sources: VisitorSources = {}): VisitorReader {
  const { onHidden, countryOf, fingerprintHeader, agentOf } = sources;
  const hasProxies = trusted.rules.length > 0;
  let wasHidden = false;
  const peers = new WeakMap<Socket, Peer>();

  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const remote = socket.remoteAddress?.replace(/%.*$/, "") ?? "";
    const text = remote.startsWith(IPV4_MAPPED) ? remote.slice(IPV4_MAPPED.length) : remote;
    const address = parseClientAddress(text);
    const isKnown = address !== undefined;
    const isTrusted = isKnown && isListed(trusted, text);
    const peer = { address, isTrusted, isPrivate: isKnown && isListed(PRIVATE, text) };
    peers.set(socket, peer);
    return peer;
  };

  const addressOf = (request: IncomingMessage): ClientAddress | undefined => {
    const peer = peerOf(request.socket);
    if (!hasProxies || peer.address === undefined) return peer.address;
    return findClient(peer, headerText(request.headers["x-forwarded-for"]), trusted);
  };

  /** A private peer that forwards for others but was not declared hides who the visitor is (D5). */
  const isHidden = (request: IncomingMessage): boolean => {
    const peer = peerOf(request.socket);
    if (request.headers["x-forwarded-for"] === undefined || !peer.isPrivate || peer.isTrusted) return false;
    if (!wasHidden) onHidden?.();
    wasHidden = true;
    return true;
  };

  const wireOf = ({ rawHeaders, headers, socket }: IncomingMessage): Visitor["wire"] => {
    const told = fingerprintHeader === undefined ? undefined : headerText(headers[fingerprintHeader]);
    return {
      headerNames: rawHeaders.filter((_, at) => at % 2 === 0),
      isForwarded: FORWARDED.some((name) => headers[name] !== undefined),
      // Anybody else could tell us any.
      tlsFingerprint: told !== undefined && peerOf(socket).isTrusted ? told : undefined,
    };
  };

  return {
    addressOf,
    read: (request) => {
      const address = addressOf(request);
      const riskHeaders: Record<string, string> = {};
      const { headers } = request;
      for (const name in headers) {
        if (isRiskHeader(name)) riskHeaders[name] = headerText(headers[name]) ?? "";
      }
      const bindingAddress = isHidden(request) ? undefined : address;
      let agent: { readonly name: string | undefined } | undefined;
      return {
        address,
        bindingAddress,
        // Looked up where it is counted, after the work: asking for challenges costs no look-up.
        get country() {
          return bindingAddress && countryOf?.(bindingAddress);
        },
        get signedAgent() {
          agent ??= { name: agentOf?.(request) };
          return agent.name;
        },
        userAgent: (headers["user-agent"] ?? "").slice(0, TEXT_LIMITS.userAgent),
        riskHeaders,
        // Looked at once the work holds, as the country is.
        get wire() {
          return wireOf(request);
        },
      };
    },
  };
}
