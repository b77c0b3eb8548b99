import type { DemoKeys } from "../data-directory/data-directory.ts";
import { linkUrl } from "../http/dashboard/account/link-url.ts";

/** What a start tells its operator of. */
export type Greeted = {
  /** Where it listens. */
  readonly url: string;
  /** Where its operator opens the dashboard; no slash at the end. */
  readonly operatorUrl: string;
  readonly metricsUrl: string | undefined;
  /** Of a link that makes the owner; undefined once there is one. */
  readonly setupToken: string | undefined;
  readonly demoKeys: DemoKeys | undefined;
  readonly isDemoOn: boolean;
};

/**
 * What a start prints. The keys of the demo site are in it for as long as there is no owner, so that they are read though
 * the first start of all failed after it had made them.
 */
export function writeGreeting({ url, operatorUrl, metricsUrl, setupToken, demoKeys, isDemoOn }: Greeted): string {
  const lines = [`Stile listens on ${url}`];
  lines.push(
    setupToken === undefined
      ? `  Dashboard   ${operatorUrl}/dashboard`
      : `  Dashboard   ${linkUrl(operatorUrl, setupToken)}  (works once, for 15 minutes)`,
  );
  if (isDemoOn && demoKeys) lines.push(`  Demo page   ${operatorUrl}/demo`);
  if (metricsUrl !== undefined) lines.push(`  Metrics     ${metricsUrl}`);
  if (setupToken !== undefined && demoKeys) {
    lines.push("  A first site is there, for localhost:");
    lines.push(`  Site key    ${demoKeys.siteKey}`);
    lines.push(`  Secret key  ${demoKeys.secretKey}`);
  }
  return lines.join("\n");
}
