import type { Challenge } from "@stile/pow/challenge";
import type { HashKey } from "../../domain/visitor/keyed-hash.ts";
import { CLASS_KINDS, digestClasses } from "../../domain/visitor/visit-classes.ts";
import { describeProperty, propertiesOf } from "../../domain/visitor/visit-properties.ts";
import type { Observations, Visitor } from "../../domain/visitor/visitor.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PathOrigin } from "../../ports/visitor/visit-memory.ts";
import type { Surge } from "../../ports/visitor/wave-memory.ts";

type Ports = Pick<ServicePorts, "cryptography" | "waveMemory">;

/** A visit held against what is usual on its site. */
export type ComparedClasses = {
  /** What it has in common with more visits than it should (`fleet_surge`). */
  readonly surge: Surge | undefined;
  /** Whether the site's owner refuses such visits at this moment. */
  readonly isRefused: boolean;
  /** Counts it; called once its challenge is spent. */
  readonly record: () => void;
};

/** Whose visit. */
export type ClassesQuestion = {
  readonly siteKey: string;
  readonly challenge: Challenge;
  readonly visitor: Visitor;
  readonly observations: Observations;
};

const LABEL = new Uint8Array(1);

/** What was derived last: it changes with the service key, every 30 days. */
const derived = new WeakMap<Cryptography, { readonly keyId: number; readonly key: HashKey }>();

/** The key of the classes, of the service key itself: it must not change with the day, or everything would be new at midnight. */
function hashKeyOf(cryptography: Cryptography, keyId: number): HashKey {
  const known = derived.get(cryptography);
  if (known?.keyId === keyId) return known.key;
  const bytes = cryptography.keyedDigest({ keyId, purpose: "classes", day: 0 }, LABEL) ?? new Uint8Array(16);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const key = Uint32Array.of(view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12));
  derived.set(cryptography, { keyId, key });
  return key;
}

/**
 * Tells whether more visits than usual on the site look or act alike (`fleet_surge`). Who withheld what they are asked to tell is
 * judged for that, and belongs to no class; nor does who was asked for a click count twice.
 */
export function compareClasses(
  { cryptography, waveMemory }: Ports,
  { siteKey, challenge, visitor, observations }: ClassesQuestion,
  { networks, nowMs }: PathOrigin,
): ComparedClasses {
  const { environment, behaviour } = observations;
  if (environment === "withheld" || behaviour === "withheld") {
    return { surge: undefined, isRefused: false, record: () => {} };
  }
  const { userAgent } = visitor;
  const properties = propertiesOf({ userAgent, environment, behaviour, difficulty: challenge.difficulty });
  const era = cryptography.currentKeyId();
  const visit = { era, network: networks.at(-1) ?? 0, ...digestClasses(properties, hashKeyOf(cryptography, era)) };
  const { surge, isRefused } = waveMemory.find(siteKey, visit, nowMs);
  return {
    surge,
    isRefused,
    record: () => {
      waveMemory.record(siteKey, visit, nowMs);
      if (surge === undefined) return;
      const shared = CLASS_KINDS[surge.kind] ?? [];
      waveMemory.name(
        siteKey,
        surge.waveId,
        shared.map((property) => ({ property, value: describeProperty(property, properties) })),
      );
    },
  };
}
