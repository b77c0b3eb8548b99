import { tellFault } from "../languages/tell-fault.ts";

/** Whether an address that a policy refused is the service's, below `base`; some browsers name the origin alone. */
export const isOfService = (refused: string, base: string): boolean =>
  /^https?:/.test(refused) && (refused.startsWith(`${base}/`) || `${base}/`.startsWith(`${refused}/`));

/**
 * Notes from now on what the page's Content-Security-Policy refuses of the service at `base`, and tells the page's owner. What it answers says
 * whether that was so under a directive: `script-src`, `connect-src` or `frame-src`.
 */
export function watchPolicy(base: () => string): (directive: string) => boolean {
  const refused = new Set<string>();
  document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective, disposition }) => {
    // What a policy only reports is not refused.
    if (disposition === "report" || !isOfService(blockedURI, base())) return;
    const directive = effectiveDirective.replace("-elem", "");
    refused.add(directive);
    tellFault("csp_blocked", directive);
  });
  return (directive) => refused.has(directive);
}
