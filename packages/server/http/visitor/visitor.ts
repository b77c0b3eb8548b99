import type { IncomingMessage } from "node:http";
import type { BlockList, Socket } from "node:net";
import type { CountryCode } from "@stile/core/domain/visitor/country-code";
import type { IpAddress } from "@stile/core/domain/visitor/ip-address";
import type { Visitor } from "@stile/core/domain/visitor/visitor";
import { isRiskHeader } from "@stile/protocol/headers";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { createProxyChain, headerText } from "./trusted-proxies.ts";

/** Headers that proxies add. */
const FORWARDED = ["x-forwarded-for", "forwarded", "via", "x-real-ip"];

/** Reads the visitor from connections and headers, behind the operator's trusted proxies. */
export type VisitorReader = {
  /** The client's address for limits (D14, client address). */
  addressOf(request: IncomingMessage): IpAddress | undefined;
  /** Whether a trusted proxy is at the other end of the connection. */
  isFromProxy(socket: Socket): boolean;
  /**
   * All facts about the visitor that the risk model and the binding may use (D5, binding; D7, score
   * request).
   */
  read(request: IncomingMessage): Visitor;
};

/** Other sources that a reader may use. */
export type VisitorSources = {
  /** Called the first time that an undeclared private peer forwards for others. */
  readonly onHidden?: () => void;
  /** The country of an address, if known. */
  readonly countryOf?: ((address: IpAddress) => CountryCode | undefined) | undefined;
  /** The header (in lower case) in which trusted proxies pass on the visitor's TLS fingerprint. */
  readonly fingerprintHeader?: string | undefined;
  /** The name of the bot that signed a request. The call spends the signature. */
  readonly agentOf?: ((request: IncomingMessage) => string | undefined) | undefined;
};

/** A reader for these trusted proxies. If there are none, the peer is the client. */
export function createVisitorReader(
  trusted: BlockList,
  sources: VisitorSources = {},
): VisitorReader {
  const { onHidden, countryOf, fingerprintHeader, agentOf } = sources;
  const { addressOf, peerOf } = createProxyChain(trusted);
  let wasHidden = false;
  /**
   * Whether an undeclared private peer forwards for others, and so hides the visitor (D5, binding).
   */
  const isHidden = (request: IncomingMessage): boolean => {
    const peer = peerOf(request.socket);
    if (request.headers["x-forwarded-for"] === undefined || !peer.isPrivate || peer.isTrusted)
      return false;
    if (!wasHidden) onHidden?.();
    wasHidden = true;
    return true;
  };

  const wireOf = ({ rawHeaders, headers, socket }: IncomingMessage): Visitor["wire"] => {
    const fingerprint =
      fingerprintHeader === undefined ? undefined : headerText(headers[fingerprintHeader]);
    return {
      headerNames: rawHeaders.filter((_, at) => at % 2 === 0),
      isForwarded: FORWARDED.some((name) => headers[name] !== undefined),
      // Only a trusted proxy is believed.
      tlsFingerprint:
        fingerprint !== undefined && peerOf(socket).isTrusted ? fingerprint : undefined,
    };
  };

  return {
    addressOf,
    isFromProxy: (socket) => peerOf(socket).isTrusted,
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
        // A getter, because it is only needed after the work is checked. Requests for challenges
        // need no look-up.
        get country() {
          return bindingAddress && countryOf?.(bindingAddress);
        },
        get signedAgent() {
          agent ??= { name: agentOf?.(request) };
          return agent.name;
        },
        userAgent: (headers["user-agent"] ?? "").slice(0, TEXT_LIMITS.userAgent),
        riskHeaders,
        // A getter for the same reason.
        get wire() {
          return wireOf(request);
        },
      };
    },
  };
}
