import type { Finding } from "@stile/protocol/dashboard-api";
import type { Config } from "../config/config.ts";
import { ok } from "../diagnosis/diagnosis.ts";

/** What `doctor` reports about the country database. Throws CountryDatabaseProblem. */
export async function checkCountries({ countryDatabase }: Config): Promise<Finding[]> {
  if (countryDatabase === undefined)
    return [ok("Countries are not counted (STILE_COUNTRY_DATABASE is not set)")];
  const { openCountryDatabase } = await import("../http/visitor/country-database.ts");
  const { title } = await openCountryDatabase(countryDatabase);
  return [ok(`Countries are counted with ${countryDatabase}, ${title()}`)];
}

/**
 * What `doctor` reports about the file of bots whose signatures count. Throws SignedAgentsProblem.
 */
export async function checkSignedAgents({ signedAgents }: Config): Promise<Finding[]> {
  if (signedAgents === undefined)
    return [ok("No bot's signature counts (STILE_SIGNED_AGENTS is not set)")];
  const { openSignedAgents } = await import("../http/signed-agents/agents-file.ts");
  const names = openSignedAgents(signedAgents).names().join(", ");
  return [ok(`Signatures count for ${names || "no bot"}, by ${signedAgents}`)];
}
