import type { Limited } from "../../domain/rate-window.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { IssuedToken } from "../token/issue-token.ts";
import { browserScope } from "../visitor/browser-scope.ts";
import type { CorrectSolution } from "./check-work.ts";
import { type IssuedChallenge, issueWithinBudget } from "./issue-within-budget.ts";
import type { DecidedSolution } from "./record-solution.ts";

type Ports = Parameters<typeof issueWithinBudget>[0] & Pick<ServicePorts, "visitorMemory">;

/** For how long a stepped-up browser gets only stepped-up challenges (D9, submission). */
const STEP_UP_MS = 600_000;

/** A further challenge, for a press or at a higher price, or the limit that prevented it. */
export type FurtherChallenge =
  | { readonly kind: "step_up" | "price"; readonly issued: IssuedChallenge }
  | Limited;

/** Answer to a submission (D9, submission). The browser learns neither score nor flags. */
export type SubmissionAnswer =
  | IssuedToken
  | FurtherChallenge
  /** `contact` is the setting of the site, unparsed. */
  | { readonly kind: "blocked"; readonly contact: string }
  /** Wrong, expired, another visitor's or used: the widget fetches a new challenge. */
  | { readonly kind: "retry" }
  | { readonly kind: "invalid_site_key" }
  /** `isTest`: test keys don't work there (D19, test keys). */
  | {
      readonly kind: "domain_mismatch";
      readonly host: string | null | undefined;
      readonly isTest?: true;
    }
  | { readonly kind: "site_disabled" };

/**
 * Demands that this browser's next challenges are stepped up. If the visitor was merely not seen,
 * there is no risk, so neighbours with the same browser need no step-up then.
 */
export function demandStepUp(
  ports: Pick<ServicePorts, "cryptography" | "visitorMemory">,
  { site, submission }: CorrectSolution,
  { isWorkDone, paysForPress, nowMs }: DecidedSolution,
): void {
  if (isWorkDone || paysForPress) return;
  const browser = browserScope(ports.cryptography, submission.visitor);
  ports.visitorMemory.demandStepUp(site.siteKey, browser, nowMs + STEP_UP_MS);
}

/** Issues the further challenge that the decision requires (D9, submission). */
export async function askAgain(
  ports: Ports,
  { site, submission }: CorrectSolution,
  decided: DecidedSolution & { readonly outcome: "step_up" | "price" },
): Promise<FurtherChallenge> {
  const { outcome } = decided;
  const issuing = await issueWithinBudget(ports, {
    site,
    stage: () => (outcome === "price" ? "priced" : "stepped_up"),
    actionName: submission.actionName,
    visitor: submission.visitor,
    client: decided.client,
    batch: submission.batch,
    fallback: decided.fallback,
    isWorkDone: decided.isWorkDone,
    paysForPress: decided.paysForPress,
  });
  return issuing.kind === "issued" ? { kind: outcome, issued: issuing.issued } : issuing;
}
