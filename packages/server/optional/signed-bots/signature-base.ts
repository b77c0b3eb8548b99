import type { IncomingHttpHeaders } from "node:http";
import {
  type BareItem,
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  serializeInnerList,
  serializeItem,
} from "structured-headers";

/** The parts that a signature may cover: the request as its client sent it. */
export type SignedRequest = {
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Scheme, host and port by which clients reach the service; never taken from a header. */
  readonly origin: URL;
};

/**
 * The members of Signature-Agent. Throws, as the library does, if it is not a dictionary. Only some
 * signatures need it.
 */
export type AgentMembers = () => Dictionary;

/** The components that a signature covers, and its parameters. */
export type Coverage = {
  readonly components: readonly Item[];
  readonly parameters: ReadonlyMap<string, BareItem>;
  readonly list: InnerList;
};

const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const MAX_COMPONENTS = 16;

const nameOf = ([value]: Item): string => (typeof value === "string" ? value : "");

/**
 * The coverage of a member of Signature-Input; undefined if it is invalid or covers more than any
 * signer needs.
 */
export function toCoverage(member: Item | InnerList | undefined): Coverage | undefined {
  if (member === undefined || !isInnerList(member) || member[0].length > MAX_COMPONENTS)
    return undefined;
  return { components: member[0], parameters: member[1], list: member };
}

/** The header of that name, joined as RFC 9421 2.1 says; undefined if it was not sent. */
export function fieldOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value.map((part) => part.trim()).join(", ") : value?.trim();
}

/** A component of the request itself (RFC 9421 2.2); undefined if it is unknown here. */
function derivedValue(name: string, { method, target, origin }: SignedRequest): string | undefined {
  const queryAt = target.indexOf("?");
  switch (name) {
    case "@authority":
      return origin.host;
    case "@scheme":
      return origin.protocol.slice(0, -1);
    case "@method":
      return method;
    case "@target-uri":
      return `${origin.origin}${target}`;
    case "@request-target":
      return target;
    case "@path":
      return queryAt === -1 ? target : target.slice(0, queryAt);
    case "@query":
      return queryAt === -1 ? "?" : target.slice(queryAt);
    default:
      return undefined;
  }
}

/**
 * The member of Signature-Agent with that key; members with parameters are not accepted (draft,
 * Signature-Agent).
 */
function agentMember(key: BareItem | undefined, agents: AgentMembers): string | undefined {
  if (typeof key !== "string") return undefined;
  const member = agents().get(key);
  if (member === undefined || isInnerList(member)) return undefined;
  return typeof member[0] === "string" && member[1].size === 0 ? serializeItem(member) : undefined;
}

function componentValue(
  component: Item,
  request: SignedRequest,
  agents: AgentMembers,
): string | undefined {
  const name = nameOf(component);
  const [, parameters] = component;
  if (name === "signature-agent" && parameters.size === 1)
    return agentMember(parameters.get("key"), agents);
  // All other parameters change what is signed in ways that are not supported here.
  if (parameters.size > 0) return undefined;
  if (name.startsWith("@")) return derivedValue(name, request);
  return FIELD_NAME.test(name) ? fieldOf(request.headers, name) : undefined;
}

/** Whether the signature covers at least this service's address and the signer's identity. */
export function coversEnough({ components }: Coverage): boolean {
  const isBoundHere = components.some(
    (component) =>
      ["@authority", "@target-uri"].includes(nameOf(component)) && component[1].size === 0,
  );
  return isBoundHere && components.some((component) => nameOf(component) === "signature-agent");
}

/**
 * The text that was signed (RFC 9421 2.5), a byte per character. Undefined if part of it is
 * missing, repeated or unknown. Throws, as the library does, if a field is not a structured field.
 */
export function signatureBase(
  coverage: Coverage,
  request: SignedRequest,
  agents: AgentMembers,
): string | undefined {
  const lines = new Map<string, string>();
  for (const component of coverage.components) {
    const identifier = serializeItem(component);
    const value = componentValue(component, request, agents);
    if (value === undefined || lines.has(identifier)) return undefined;
    lines.set(identifier, value);
  }
  lines.set('"@signature-params"', serializeInnerList(coverage.list));
  return [...lines].map(([identifier, value]) => `${identifier}: ${value}`).join("\n");
}
