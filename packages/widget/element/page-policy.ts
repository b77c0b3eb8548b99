import { reportFault } from "../languages/report-fault.ts";

/**
 * Whether an address that a policy refused belongs to the service at `base`; some browsers name
 * only the origin.
 */
export const isOfService = (refused: string, base: string): boolean =>
  /^https?:/.test(refused) &&
  (refused.startsWith(`${base}/`) || `${base}/`.startsWith(`${refused}/`));

/**
 * From now on records what the page's Content-Security-Policy refuses of the service at `base`, and
 * logs it for the page's owner. The returned function says whether anything was refused under a
 * directive: `script-src`, `connect-src` or `frame-src`.
 */
export function watchPolicy(base: () => string): (directive: string) => boolean {
  const refused = new Set<string>();
  document.addEventListener(
    "securitypolicyviolation",
    ({ blockedURI, effectiveDirective, disposition }) => {
      // A policy that only reports refuses nothing.
      if (disposition === "report" || !isOfService(blockedURI, base())) return;
      const directive = effectiveDirective.replace("-elem", "");
      refused.add(directive);
      reportFault(base(), "csp_blocked", directive);
    },
  );
  return (directive) => refused.has(directive);
}
