import type { Challenge } from "@stile/pow/challenge";
import { bindingPrefix, providerPrefix } from "../../domain/visitor/address-prefixes.ts";
import type { IpAddress } from "../../domain/visitor/ip-address.ts";
import { finish, type HashKey, hashBytes, mix } from "../../domain/visitor/keyed-hash.ts";
import { LEAST_NETWORKS } from "../../domain/visitor/surge.ts";
import { CLASS_KINDS, digestClasses } from "../../domain/visitor/visit-classes.ts";
import { describeProperty, propertiesOf } from "../../domain/visitor/visit-properties.ts";
import type { Observations, Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PathOrigin } from "../../ports/visitor/visit-memory.ts";
import type { Surge } from "../../ports/visitor/wave-memory.ts";

type Ports = Pick<ServicePorts, "cryptography" | "waveMemory">;

/** How a visit compares with the usual visits of its site. */
export type ComparedClasses = {
  /** The class of the visit that surges, if any (`fleet_surge`). */
  readonly surge: Surge | undefined;
  /** Whether the site's owner currently refuses such visits. */
  readonly isRefused: boolean;
  /**
   * Counts this visit for those that are scored meanwhile, until the returned function is called.
   */
  readonly addPending: () => () => void;
  /** Counts it; called once its challenge is spent. */
  readonly record: () => void;
};

/** A visit as submitted with a solution. */
export type SubmittedVisit = {
  readonly siteKey: string;
  readonly challenge: Challenge;
  readonly visitor: Visitor;
  readonly observations: Observations;
};

const LABEL = new Uint8Array(1);

/** The key derived last. It changes with the service key, every 30 days. */
const derived = new WeakMap<Cryptography, { readonly keyId: number; readonly key: HashKey }>();

/**
 * The key of classes, derived from the service key: with a key of the day, all classes would be new
 * at midnight.
 */
function hashKeyOf(cryptography: Cryptography, keyId: number): HashKey {
  const known = derived.get(cryptography);
  if (known?.keyId === keyId) return known.key;
  const bytes =
    cryptography.keyedDigest({ keyId, purpose: "classes", day: 0 }, LABEL) ?? new Uint8Array(16);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = Uint32Array.of(
    view.getUint32(0),
    view.getUint32(4),
    view.getUint32(8),
    view.getUint32(12),
  );
  derived.set(cryptography, { keyId, key });
  return key;
}

/**
 * The networks of one IPv6 /32 count as this many: half of the fewest that surge. An attacker with
 * all of it has any number of networks, and could make the class of others look suspicious.
 */
const MOST_OF_PROVIDER = LEAST_NETWORKS / 2;

/**
 * Networks are counted under so few numbers that no number reveals whose it is. So they need not
 * change with the day; otherwise seven networks would be fourteen around midnight.
 */
const NETWORK_NUMBERS = 4096;

/**
 * The number of the address's network. A visitor who hides their network is in the one that their
 * challenge names.
 */
function countedNetwork(address: IpAddress | undefined, named: number, key: HashKey): number {
  if (address === undefined) return named % NETWORK_NUMBERS;
  const network = finish(hashBytes(bindingPrefix(address), key));
  const provider = providerPrefix(address);
  const counted =
    provider === undefined
      ? network
      : finish(mix(hashBytes(provider, key), network % MOST_OF_PROVIDER));
  return counted % NETWORK_NUMBERS;
}

/**
 * Checks whether more visits than usual on the site look or act alike (`fleet_surge`). Visits that
 * withheld signals are scored for that, and belong to no class; those that were asked for a click
 * are not counted twice.
 */
export function compareClasses(
  { cryptography, waveMemory }: Ports,
  submitted: SubmittedVisit,
  { networks, nowMs }: PathOrigin,
): ComparedClasses {
  const { siteKey, visitor } = submitted;
  const { environment, behaviour } = submitted.observations;
  if (environment === "withheld" || behaviour === "withheld") {
    return { surge: undefined, isRefused: false, addPending: () => () => {}, record: () => {} };
  }
  const properties = propertiesOf({
    userAgent: visitor.userAgent,
    environment,
    behaviour,
    difficulty: submitted.challenge.difficulty,
  });
  const era = cryptography.currentKeyId();
  const key = hashKeyOf(cryptography, era);
  const network = countedNetwork(
    visitor.bindingAddress ?? visitor.address,
    networks.at(-1) ?? 0,
    key,
  );
  const visit = { era, network, ...digestClasses(properties, key) };
  const { surge, isRefused } = waveMemory.find(siteKey, visit, nowMs);
  return {
    surge,
    isRefused,
    addPending: () => waveMemory.addPending(siteKey, visit),
    record: () => {
      waveMemory.record(siteKey, visit, nowMs);
      if (surge === undefined) return;
      const shared = CLASS_KINDS[surge.kind] ?? [];
      waveMemory.describe(
        siteKey,
        surge.waveId,
        shared.map((property) => ({ property, value: describeProperty(property, properties) })),
      );
    },
  };
}
