import type { IncomingMessage } from "node:http";
import { BlockList, type Socket } from "node:net";
import { bareAddress, type IpAddress, parseIpAddress } from "@stile/core/domain/visitor/ip-address";

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  // Shared address space (RFC 6598), used by pods in clusters, overlay networks and carriers.
  ["100.64.0.0", 10],
] as const) {
  PRIVATE.addSubnet(net, bits, "ipv4");
}
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

const IPV4_MAPPED = "::ffff:";

function isListed(list: BlockList, address: string): boolean {
  return list.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

/** A header as one text, whether it came once or several times. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The other end of a connection, remembered as long as the connection lasts. */
export type Peer = {
  readonly address: IpAddress | undefined;
  readonly isTrusted: boolean;
  readonly isPrivate: boolean;
};

/**
 * The first address from the right that is not a trusted proxy, starting at the peer (D14, client
 * address). If an entry is not an address, the search ends at the proxy that wrote it, and the
 * client behind that proxy is unknown.
 */
function findClient(
  peer: Peer,
  forwardedFor: string | undefined,
  trusted: BlockList,
): IpAddress | undefined {
  let client = peer.address;
  let isProxy = peer.isTrusted;
  let rest = forwardedFor ?? "";
  while (isProxy) {
    const comma = rest.lastIndexOf(",");
    const entry = bareAddress(rest.slice(comma + 1));
    const address = parseIpAddress(entry);
    if (address === undefined) break;
    client = address;
    isProxy = isListed(trusted, entry);
    rest = rest.slice(0, Math.max(0, comma));
  }
  return client;
}

/** Finds the client behind the operator's trusted proxies (D14, client address). */
export type ProxyChain = {
  peerOf(socket: Socket): Peer;
  /** The address of the client; undefined if the peer has none. */
  addressOf(request: IncomingMessage): IpAddress | undefined;
};

/** A chain of these proxies. If there are none, the peer is the client. */
export function createProxyChain(trusted: BlockList): ProxyChain {
  const hasProxies = trusted.rules.length > 0;
  const peers = new WeakMap<Socket, Peer>();

  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const remote = socket.remoteAddress?.replace(/%.*$/, "") ?? "";
    const text = remote.startsWith(IPV4_MAPPED) ? remote.slice(IPV4_MAPPED.length) : remote;
    const address = parseIpAddress(text);
    const isKnown = address !== undefined;
    const isTrusted = isKnown && isListed(trusted, text);
    const peer = { address, isTrusted, isPrivate: isKnown && isListed(PRIVATE, text) };
    peers.set(socket, peer);
    return peer;
  };

  const addressOf = (request: IncomingMessage): IpAddress | undefined => {
    const peer = peerOf(request.socket);
    if (!hasProxies || peer.address === undefined) return peer.address;
    return findClient(peer, headerText(request.headers["x-forwarded-for"]), trusted);
  };

  return { peerOf, addressOf };
}
