import type { Clock } from "@stile/core/ports/clock";
import type { Finding } from "@stile/protocol/dashboard-api";
import type { Config } from "../config/config.ts";
import type { VisitorSources } from "../http/visitor/visitor.ts";
import type { Job } from "../jobs/jobs.ts";
import type { Logger } from "../telemetry/log.ts";

/** The parts that a step may use. */
export type RequestStepParts = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
};

/** A step in use: what it adds to the reader of visitors, and how it stays up to date. */
export type OpenRequestStep = {
  readonly sources: Pick<VisitorSources, "countryOf" | "agentOf">;
  /** Reads the operator's file again if it changed. */
  readonly refresh: Job;
  /** The names that `agentOf` may return, for the dashboard. */
  readonly agentNames?: () => readonly string[];
};

/**
 * An optional part that reads something about visitors from their requests, with a file of the
 * operator.
 */
export type RequestStep = {
  /** Opens the step; undefined if no setting names its file. Throws OperatorProblem. */
  open(parts: RequestStepParts): Promise<OpenRequestStep | undefined>;
  /** The findings that `doctor` reports about the file. Throws OperatorProblem. */
  check(config: Config): Promise<Finding[]>;
};
