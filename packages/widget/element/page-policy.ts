import { reportFault } from "../languages/report-fault.ts";

/**
 * Whether an address that a policy refused belongs to the service at `base`; some browsers name
 * only the origin.
 */
export const isOfService = (refused: string, base: string): boolean =>
  /^https?:/.test(refused) &&
  (refused.startsWith(`${base}/`) || `${base}/`.startsWith(`${refused}/`));

/**
 * From now on records the service's addresses at `base` that the page's Content-Security-Policy
 * refuses, and logs them for the page's owner. The returned function reports whether anything was
 * refused under a directive: `script-src`, `connect-src` or `frame-src`.
 */
export function watchPolicy(base: () => string): (directive: string) => boolean {
  const refused = new Set<string>();
  document.addEventListener(
    "securitypolicyviolation",
    ({ blockedURI, effectiveDirective, disposition }) => {
      // A report-only policy refuses nothing.
      if (disposition === "report" || !isOfService(blockedURI, base())) return;
      const directive = effectiveDirective.replace("-elem", "");
      refused.add(directive);
      reportFault(base(), "csp_blocked", directive);
    },
  );
  return (directive) => refused.has(directive);
}
