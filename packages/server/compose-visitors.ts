import type { Clock } from "@stile/core/ports/clock";
import type { Config } from "./config.ts";
import type { DataDirectory } from "./data-directory.ts";
import { openCountryDatabase } from "./http/country-database.ts";
import { createVisitorReader, type VisitorReader } from "./http/visitor.ts";
import type { Logger } from "./telemetry/log.ts";

type VisitorParts = {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly clock: Clock;
  readonly log: Logger;
};

/** Who visitors are, and the job that keeps the operator's database of countries, if there is one, up to date. */
export type ComposedVisitors = { readonly visitors: VisitorReader; readonly refreshCountries: () => Promise<void> };

/** The reader of visitors under the operator's settings; throws CountryDatabaseProblem. */
export async function composeVisitors({ config, directory, clock, log }: VisitorParts): Promise<ComposedVisitors> {
  const { trustedProxies, countryDatabase } = config;
  const recordHidden = (): void => {
    log.warn("a private peer sends X-Forwarded-For but is not in STILE_TRUSTED_PROXIES; visitors can't be told apart");
    directory.recordUndeclaredProxy({ seenAtMs: clock.nowMs(), trustedProxies: trustedProxies.rules });
  };
  if (countryDatabase === undefined) {
    return { visitors: createVisitorReader(trustedProxies, recordHidden), refreshCountries: async () => {} };
  }
  const countries = await openCountryDatabase(countryDatabase, () => {
    log.warn("the file of STILE_COUNTRY_DATABASE is damaged; countries are not counted until it is replaced");
  });
  const visitors = createVisitorReader(trustedProxies, recordHidden, countries.countryOf);
  return { visitors, refreshCountries: countries.refresh };
}
