import type { HistoryEvidence } from "@stile/risk/evidence";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PathOrigin } from "../../ports/visitor/visit-memory.ts";
import { compareBehaviour } from "./compare-behaviour.ts";
import { compareClasses, type SubmittedVisit } from "./compare-classes.ts";
import { comparePaths, originOf } from "./compare-paths.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "visitMemory" | "waveMemory">;

/** How a visitor's actions compare with those of other networks. */
export type RecalledMoves = {
  readonly evidence: Pick<
    HistoryEvidence,
    "nearestPathDistance" | "networksNearPaths" | "isBehaviourRepeated"
  >;
  /**
   * Lets visits that are scored meanwhile see this one. Call the returned function once it is
   * remembered, or will not be.
   */
  readonly addPending: () => () => void;
  /** Remembers this visit for later ones; to be called once its challenge is spent. */
  readonly remember: () => void;
};

/** The evidence of earlier visits to the site about this one. */
export type RecalledVisit = Omit<RecalledMoves, "evidence"> & {
  readonly evidence: RecalledMoves["evidence"] & Pick<HistoryEvidence, "surge">;
  /** Whether the site's owner currently refuses visits like this one. */
  readonly isRefused: boolean;
};

function addAllPending(...parts: readonly Pick<RecalledMoves, "addPending">[]): () => void {
  const releases = parts.map((part) => part.addPending());
  return () => {
    for (const release of releases) release();
  };
}

/** Compares a visitor's actions with those of other networks on the site within a day. */
export function recallMoves(
  ports: Pick<Ports, "cryptography" | "visitMemory">,
  siteKey: string,
  observations: Observations,
  origin: PathOrigin,
): RecalledMoves {
  const paths = comparePaths(ports, siteKey, observations, origin);
  const behaviour = compareBehaviour(ports, siteKey, observations.behaviour, origin);
  return {
    evidence: {
      nearestPathDistance: paths.nearestPathDistance,
      networksNearPaths: paths.networksNearPaths,
      isBehaviourRepeated: behaviour.isRepeated,
    },
    addPending: () => addAllPending(paths, behaviour),
    remember: () => {
      paths.record();
      behaviour.record();
    },
  };
}

/**
 * Compares a visit with those of other networks on the site within a day: their paths, and their
 * whole behaviour.
 */
export function recallVisit(ports: Ports, visit: SubmittedVisit): RecalledVisit {
  const { siteKey, challenge, visitor, observations } = visit;
  // A visitor who hides their network is in the one that calls the service: otherwise they would
  // all share one.
  const address = visitor.bindingAddress ?? visitor.address;
  const origin = originOf(ports.cryptography, challenge, address, ports.clock.nowMs());
  const moves = recallMoves(ports, siteKey, observations, origin);
  const classes = compareClasses(ports, visit, origin);
  return {
    evidence: { ...moves.evidence, surge: classes.surge },
    isRefused: classes.isRefused,
    addPending: () => addAllPending(moves, classes),
    remember: () => {
      moves.remember();
      classes.record();
    },
  };
}
