import type { SiteSettings } from "@stile/core/domain/site/site";
import { addSite, changeSite, type OperatorSite } from "./operator-site.ts";
import { type RunningService, startService } from "./service.ts";

/** Half the work, for tests that are not about its price. */
const EASY = { difficultyOffset: -1 } as const;

/** A service for many visits from one network, whose demo site is easy. */
export async function startEasyService(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const service = await startService({ STILE_LIMIT_CHALLENGE: "1000", ...environment });
  await changeSite(service, EASY);
  return service;
}

/** Adds an easy site next to a running service. */
export function addEasySite(
  { dataDirectory }: Pick<RunningService, "dataDirectory">,
  settings: Partial<SiteSettings> & Pick<SiteSettings, "name">,
): Promise<OperatorSite> {
  return addSite(dataDirectory, { ...EASY, ...settings });
}
