import type { Clock } from "@stile/core/ports/clock";
import type { Config } from "../config/config.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { createAgentReader } from "../http/signed-agents/agent-reader.ts";
import { openSignedAgents, type SignedAgents } from "../http/signed-agents/agents-file.ts";
import { openCountryDatabase } from "../http/visitor/country-database.ts";
import { createVisitorReader, type VisitorReader } from "../http/visitor/visitor.ts";
import type { Logger } from "../telemetry/log.ts";

type VisitorParts = {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly clock: Clock;
  readonly log: Logger;
};

/** Reads visitors, and keeps the operator's files about them up to date, if there are any. */
export type ComposedVisitors = {
  readonly visitors: VisitorReader;
  readonly refreshCountries: () => Promise<void>;
  /** The bots whose signatures count; undefined if the operator names none. */
  readonly signedAgents: SignedAgents | undefined;
};

async function openCountries({ config, log }: VisitorParts) {
  if (config.countryDatabase === undefined) return undefined;
  return await openCountryDatabase(config.countryDatabase, () => {
    log.warn(
      "the file of STILE_COUNTRY_DATABASE is damaged; countries are not counted until it is replaced",
    );
  });
}

/**
 * The reader of visitors under the operator's settings. Throws CountryDatabaseProblem and
 * SignedAgentsProblem.
 */
export async function composeVisitors(parts: VisitorParts): Promise<ComposedVisitors> {
  const { config, directory, clock, log } = parts;
  const { trustedProxies, baseUrl, tlsFingerprintHeader: fingerprintHeader } = config;
  const onHidden = (): void => {
    log.warn(
      "a private peer sends X-Forwarded-For but is not in STILE_TRUSTED_PROXIES; visitors can't be told apart",
    );
    directory.recordUndeclaredProxy({
      seenAtMs: clock.nowMs(),
      trustedProxies: trustedProxies.rules,
    });
  };
  const countries = await openCountries(parts);
  const signedAgents =
    config.signedAgents === undefined ? undefined : openSignedAgents(config.signedAgents);
  const agentOf =
    signedAgents && baseUrl
      ? createAgentReader({ keys: signedAgents.keys, baseUrl, clock, log })
      : undefined;
  const countryOf = countries?.countryOf;
  return {
    visitors: createVisitorReader(trustedProxies, {
      onHidden,
      countryOf,
      fingerprintHeader,
      agentOf,
    }),
    refreshCountries: countries?.refresh ?? (async () => {}),
    signedAgents,
  };
}
