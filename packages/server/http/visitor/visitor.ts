import type { IncomingMessage } from "node:http";
import type { BlockList } from "node:net";
import type { CountryCode } from "@stile/core/domain/visitor/country-code";
import type { IpAddress } from "@stile/core/domain/visitor/ip-address";
import type { Visitor } from "@stile/core/domain/visitor/visitor";
import { isRiskHeader } from "@stile/protocol/headers";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { createProxyChain, headerText } from "./trusted-proxies.ts";

/** What proxies add to what they hand on. */
const FORWARDED = ["x-forwarded-for", "forwarded", "via", "x-real-ip"];

/** Reads who stands before the service from connections and headers, under the operator's trusted proxies. */
export type VisitorReader = {
  /** The client's address for limits (D14). */
  addressOf(request: IncomingMessage): IpAddress | undefined;
  /** All that risk and binding may know of the visitor (D5, D7). */
  read(request: IncomingMessage): Visitor;
};

/** What else a reader may ask. */
export type VisitorSources = {
  /** Called the first time that a private peer forwards for others without being declared. */
  readonly onHidden?: () => void;
  /** Where an address is, if it can be known. */
  readonly countryOf?: ((address: IpAddress) => CountryCode | undefined) | undefined;
  /** In lower case, the header in which trusted proxies tell the visitor's TLS fingerprint. */
  readonly fingerprintHeader?: string | undefined;
  /** Who signed a request; the signature is spent by that. */
  readonly agentOf?: ((request: IncomingMessage) => string | undefined) | undefined;
};

/** A reader for the given trusted proxies; without any, the peer is the client. */
export function createVisitorReader(trusted: BlockList, sources: VisitorSources = {}): VisitorReader {
  const { onHidden, countryOf, fingerprintHeader, agentOf } = sources;
  const { addressOf, peerOf } = createProxyChain(trusted);
  let wasHidden = false;
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
