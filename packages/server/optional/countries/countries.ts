import { ok } from "../../diagnosis/diagnosis.ts";
import type { RequestStep } from "../../sockets/request-step.ts";

/**
 * Counts visitors by country, with the file of STILE_COUNTRY_DATABASE (D14, client address; D17,
 * settings).
 */
export const countries: RequestStep = {
  open: async ({ config, log }) => {
    if (config.countryDatabase === undefined) return undefined;
    const { openCountryDatabase } = await import("./country-database.ts");
    const { countryOf, refresh } = await openCountryDatabase(config.countryDatabase, () => {
      log.warn(
        "the file of STILE_COUNTRY_DATABASE is damaged; countries are not counted until it is replaced",
      );
    });
    return {
      sources: { countryOf },
      refresh: { name: "refresh the country database", everyMs: 3_600_000, run: refresh },
    };
  },
  check: async ({ countryDatabase }) => {
    if (countryDatabase === undefined)
      return [ok("Countries are not counted (STILE_COUNTRY_DATABASE is not set)")];
    const { openCountryDatabase } = await import("./country-database.ts");
    const { title } = await openCountryDatabase(countryDatabase);
    return [ok(`Countries are counted with ${countryDatabase}, ${title()}`)];
  },
};
