import { COMMAND_LINE } from "../command-line.ts";
import type { DemoKeys } from "../data-directory/data-directory.ts";
import { linkUrl } from "../http/dashboard/account/link-url.ts";

/** The facts in the greeting for the operator. */
export type Greeted = {
  /** The address it listens on. */
  readonly url: string;
  /** Where the operator opens the dashboard; no slash at the end. */
  readonly operatorUrl: string;
  readonly metricsUrl: string | undefined;
  /** Token of a link that makes the owner; undefined once there is one. */
  readonly setupToken: string | undefined;
  readonly demoKeys: DemoKeys | undefined;
  readonly isDemoOn: boolean;
  /**
   * Whether only a person reads it. A log keeps its lines, so it gets neither the secret nor the
   * link.
   */
  readonly isTerminal: boolean;
};

/**
 * The text that a start prints. On a terminal it includes the owner's link and the demo site's keys
 * as long as there is no owner. So the operator sees them even if the very first start failed after
 * making them. Elsewhere it names the command that prints them.
 */
export function writeGreeting(greeted: Greeted): string {
  const { url, operatorUrl, metricsUrl, setupToken, demoKeys, isDemoOn, isTerminal } = greeted;
  const lines = [`Stile listens on ${url}`];
  lines.push(
    setupToken === undefined || !isTerminal
      ? `  Dashboard   ${operatorUrl}/dashboard`
      : `  Dashboard   ${linkUrl(operatorUrl, setupToken)}  (works once, for 15 minutes)`,
  );
  if (isDemoOn && demoKeys) lines.push(`  Demo page   ${operatorUrl}/demo`);
  if (metricsUrl !== undefined) lines.push(`  Metrics     ${metricsUrl}`);
  if (setupToken !== undefined && !isTerminal) {
    lines.push(
      `  There is no owner yet. To get a link for the owner and the keys of the first site, run: ${COMMAND_LINE} init`,
    );
  } else if (setupToken !== undefined && demoKeys) {
    lines.push("  Keys of the first site, for localhost:");
    lines.push(`  Site key    ${demoKeys.siteKey}`);
    lines.push(`  Secret key  ${demoKeys.secretKey}`);
  }
  return lines.join("\n");
}
