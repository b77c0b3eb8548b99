import type { DeviceClass } from "@stile/protocol/dashboard-statistics";
import { assess } from "@stile/risk/assess";
import { isKeySeen } from "@stile/risk/witness";
import type { SolutionFindings } from "../../domain/challenge/decide-solution.ts";
import { clickOf, isLetThrough } from "../../domain/challenge/decide-submission.ts";
import { solveMsOf } from "../../domain/statistics/solve-times.ts";
import { deviceClassOf } from "../../domain/visitor/device-class.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { networksOf } from "../visitor/changed-network.ts";
import { clientScope } from "../visitor/client-scope.ts";
import { type RecalledVisit, recallVisit } from "../visitor/recall-visit.ts";
import type { CorrectSolution } from "./check-work.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { decideStanding } from "./terms/fallback-terms.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "siteLoad"
  | "tokenUsage"
  | "localLimiter"
  | "networkLists"
  | "visitMemory"
  | "waveMemory"
>;

/** A correct solution with all findings about its visitor. */
export type AssessedSolution = SolutionFindings &
  Pick<RecalledVisit, "addPending" | "remember"> & {
    /** The client's name in this process's counters. */
    readonly client: string;
    readonly device: DeviceClass;
    /** The trusted bot that signed the submission, if any. */
    readonly signedAgent: string | undefined;
    readonly solveMs: number;
    readonly nowMs: number;
  };

/**
 * Scores the visitor of a correct solution by the observations, the network's history and earlier
 * visits. The result does not contain the observations: they are large, and many submissions wait
 * for the store at a time.
 */
export function assessSolution(ports: Ports, solution: CorrectSolution): AssessedSolution {
  const { cryptography } = ports;
  const { site, submission, hasMoved } = solution;
  const { challenge } = solution.open;
  const { visitor } = submission;
  const nowMs = ports.clock.nowMs();
  const observations = submission.observe();
  const visit = { siteKey: site.siteKey, challenge, visitor, observations };
  const recalled = recallVisit(ports, visit);
  const client = clientScope(cryptography, visitor.address);
  const networks = networksOf(cryptography, { challenge, visitor, hasMoved }, client, nowMs);
  const standing = decideStanding(ports, { challenge, networks, nowMs });
  const found = { observations, recalled: recalled.evidence, standing, client, nowMs };
  const evidence = gatherEvidence(ports, solution, found);
  const { behaviour } = observations;
  return {
    stage: challenge.stage,
    assessment: assess(evidence, ports.settings.flagWeights),
    click: clickOf(challenge.interaction, behaviour),
    isKeySeen: behaviour !== "withheld" && isKeySeen(behaviour, evidence.solve),
    standing,
    isRefused: recalled.isRefused,
    isExempt: isLetThrough(site, visitor),
    addPending: recalled.addPending,
    remember: recalled.remember,
    client,
    device: deviceClassOf(visitor.userAgent, visitor.riskHeaders),
    signedAgent: visitor.signedAgent,
    solveMs: solveMsOf(behaviour, nowMs - challenge.issuedAtMs),
    nowMs,
  };
}
