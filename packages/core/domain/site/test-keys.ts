/**
 * Pairs of keys for tests of pages and servers (D19, test keys). Everybody knows them. So a service
 * that strangers can reach treats them as unknown, unless its operator names the hosts of tests: a
 * server that kept a test secret key would accept every bot.
 */

import { secretKeyChecksum } from "@stile/protocol/key-formats";
import { REASON_CODES, type ReasonCode } from "@stile/protocol/reason-codes";
import { bareAddress, parseIpAddress } from "../visitor/ip-address.ts";
import type { Visitor } from "../visitor/visitor.ts";
import { isHostAllowed } from "./host-name.ts";

/** The reason why each pair's tokens are refused; undefined if they pass. */
const BEHAVIOURS = {
  pass: undefined,
  fail: "invalid_signature",
  press: undefined,
  expired: "token_expired",
  used: "token_already_used",
  timeout: "internal_error",
} as const satisfies Record<string, ReasonCode | undefined>;

/** What a pair always does; the names are part of its keys. */
export type TestBehaviour = keyof typeof BEHAVIOURS;

/** A site key and a secret key for tests. No store has a site for them. */
export type TestKeys = {
  readonly behaviour: TestBehaviour;
  readonly siteKey: string;
  readonly secretKey: string;
  readonly reasonCode: ReasonCode | undefined;
};

/** Where test keys work. */
export type TestPlace = {
  /** The hosts of pages; `private`: localhost and private hosts, for visitors of this machine. */
  readonly hosts: readonly string[] | "private";
  /** Resolves after longer than any caller waits for an answer. */
  readonly outwait: () => Promise<void>;
};

const SITE_KEY_BODY = 22;
const SECRET_KEY_BODY = 43;

function createTestKeys(behaviour: TestBehaviour): TestKeys {
  const name = `TEST${behaviour}`;
  const secret = `sk_${name.padEnd(SECRET_KEY_BODY, "0")}`;
  return {
    behaviour,
    siteKey: `pk_${name.padEnd(SITE_KEY_BODY, "0")}`,
    secretKey: secret + secretKeyChecksum(secret),
    reasonCode: BEHAVIOURS[behaviour],
  };
}

/** All pairs. */
export const TEST_KEYS: readonly TestKeys[] = (Object.keys(BEHAVIOURS) as TestBehaviour[]).map(
  createTestKeys,
);

/** A pair in use, at a place where test keys work. */
export type TestUse = { readonly place: TestPlace; readonly keys: TestKeys };

/** The pair with that key; undefined for any other key, and where test keys don't work. */
function findUse(
  place: TestPlace | undefined,
  kind: "siteKey" | "secretKey",
  key: string | undefined,
): TestUse | undefined {
  const keys = TEST_KEYS.find((pair) => pair[kind] === key);
  return place && keys && { place, keys };
}

/** The pair of a test site key; undefined for any other key, and where test keys don't work. */
export function findTestSite(place: TestPlace | undefined, siteKey: string): TestUse | undefined {
  return findUse(place, "siteKey", siteKey);
}

/** The pair of a test secret key; undefined for any other key, and where test keys don't work. */
export function findTestSecret(
  place: TestPlace | undefined,
  secretKey: string | undefined,
): TestUse | undefined {
  return findUse(place, "secretKey", secretKey);
}

/** Whether the host is a loopback, private or link-local address. */
function isPrivateAddress(host: string): boolean {
  const address = parseIpAddress(bareAddress(host));
  const [a = 0, b = 0] = address?.bytes ?? [];
  if (address?.family === 4) {
    return (
      a === 127 ||
      a === 10 ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 169 && b === 254)
    );
  }
  return address?.family === 6 && ((a & 0xfe) === 0xfc || (a === 0xfe && (b & 0xc0) === 0x80));
}

/** Whether the host can't be public, by its name (RFC 6761) or as an address. */
function isPrivateHost(host: string): boolean {
  return isHostAllowed(host, ["localhost", "test"]) || isPrivateAddress(host);
}

/** Whether test keys work on pages of that host. */
export function isTestHost({ hosts }: TestPlace, host: string): boolean {
  return hosts === "private" ? isPrivateHost(host) : isHostAllowed(host, hosts);
}

/**
 * Whether a visitor of that host may use a test site key. Without named hosts, a proxy in front of
 * the service means that strangers can reach it, and they write any host into their requests.
 */
export function isTestVisitor(
  place: TestPlace,
  host: string,
  { wire }: Pick<Visitor, "wire">,
): boolean {
  const isForwarded = place.hosts === "private" && wire?.isForwarded !== false;
  return !isForwarded && isTestHost(place, host);
}

/**
 * Why a test token is refused: what the secret key always does, else what the token's site key
 * does, else what the token itself asks for: a reason code as its `cdata`.
 */
export function findTestReason(
  secret: TestKeys,
  site: TestKeys,
  cdata: string | undefined,
): ReasonCode | undefined {
  const asked = cdata !== undefined && Object.hasOwn(REASON_CODES, cdata);
  return secret.reasonCode ?? site.reasonCode ?? (asked ? (cdata as ReasonCode) : undefined);
}
