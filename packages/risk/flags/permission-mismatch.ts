import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { parseUserAgent } from "../user-agent.ts";

/**
 * Chromium reports that notifications are denied, and through another API that the visitor was not
 * asked: the headless shell. Frames and insecure pages are not scored, because the two differ
 * there.
 */
export const permissionMismatch = {
  name: "permission_mismatch",
  group: "environment",
  label: "The browser contradicts itself about a permission.",
  weight: 1.2,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    if (environment === undefined || environment.permission === null) return false;
    if (environment.isFramed || !environment.isSecure) return false;
    const { shown, asked } = environment.permission;
    return (
      parseUserAgent(environment.userAgent).engine === "chromium" &&
      shown === "denied" &&
      asked === "prompt"
    );
  },
} satisfies FlagRow;
