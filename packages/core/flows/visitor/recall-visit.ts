import type { Challenge } from "@stile/pow/challenge";
import type { HistoryEvidence } from "@stile/risk/assess";
import type { Observations, Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { compareBehaviour } from "./compare-behaviour.ts";
import { compareClasses } from "./compare-classes.ts";
import { comparePaths, originOf } from "./compare-paths.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "visitMemory" | "waveMemory">;

/** A visit as submitted with a solution. */
export type HandedInVisit = {
  readonly siteKey: string;
  readonly challenge: Challenge;
  readonly visitor: Visitor;
  readonly observations: Observations;
};

/** What earlier visits to the site say about this one. */
export type RecalledVisit = {
  readonly evidence: Pick<
    HistoryEvidence,
    "nearestPathDistance" | "networksNearPaths" | "isBehaviourRepeated" | "surge"
  >;
  /** Whether the site's owner refuses visits like this one at this moment. */
  readonly isRefused: boolean;
  /** Lets visits judged meanwhile see this one. Call the returned function once it is remembered, or is not to be. */
  readonly hold: () => () => void;
  /** Remembers this visit for later ones; to be called once its challenge is spent. */
  readonly remember: () => void;
};

/** Compares a visit with what other networks did on the site within a day: their paths, and their whole behaviour. */
export function recallVisit(ports: Ports, visit: HandedInVisit): RecalledVisit {
  const { siteKey, challenge, visitor, observations } = visit;
  const origin = originOf(ports.cryptography, challenge, visitor, ports.clock.nowMs());
  const paths = comparePaths(ports, siteKey, observations, origin);
  const behaviour = compareBehaviour(ports, siteKey, observations.behaviour, origin);
  const classes = compareClasses(ports, visit, origin);
  return {
    evidence: {
      nearestPathDistance: paths.nearestPathDistance,
      networksNearPaths: paths.networksNearPaths,
      isBehaviourRepeated: behaviour.isRepeated,
      surge: classes.surge,
    },
    isRefused: classes.isRefused,
    hold: () => {
      const releases = [paths.hold(), behaviour.hold(), classes.hold()];
      return () => {
        for (const release of releases) release();
      };
    },
    remember: () => {
      paths.record();
      behaviour.record();
      classes.record();
    },
  };
}
