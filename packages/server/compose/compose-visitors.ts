import type { DataDirectory } from "../data-directory/data-directory.ts";
import {
  createVisitorReader,
  type VisitorReader,
  type VisitorSources,
} from "../http/visitor/visitor.ts";
import { countries } from "../optional/countries/countries.ts";
import { signedBots } from "../optional/signed-bots/signed-bots.ts";
import type { OpenRequestStep, RequestStep, RequestStepParts } from "../sockets/request-step.ts";

/** The optional parts that read requests. A part without a line here is off. */
const STEPS: readonly RequestStep[] = [countries, signedBots];

/** The reader of visitors, and the optional steps that it runs. */
export type ComposedVisitors = {
  readonly visitors: VisitorReader;
  readonly steps: readonly OpenRequestStep[];
};

async function openSteps(parts: RequestStepParts): Promise<readonly OpenRequestStep[]> {
  const opened: OpenRequestStep[] = [];
  for (const step of STEPS) {
    const open = await step.open(parts);
    if (open !== undefined) opened.push(open);
  }
  return opened;
}

/** The reader of visitors under the operator's settings. Throws OperatorProblem. */
export async function composeVisitors(
  parts: RequestStepParts & { readonly directory: DataDirectory },
): Promise<ComposedVisitors> {
  const { config, directory, clock, log } = parts;
  const { trustedProxies, tlsFingerprintHeader: fingerprintHeader } = config;
  const onHidden = (): void => {
    log.warn(
      "a private peer sends X-Forwarded-For but is not in STILE_TRUSTED_PROXIES; visitors can't be told apart",
    );
    directory.recordUndeclaredProxy({
      seenAtMs: clock.nowMs(),
      trustedProxies: trustedProxies.rules,
    });
  };
  const steps = await openSteps(parts);
  const sources: VisitorSources = { onHidden, fingerprintHeader };
  for (const step of steps) Object.assign(sources, step.sources);
  return { visitors: createVisitorReader(trustedProxies, sources), steps };
}
