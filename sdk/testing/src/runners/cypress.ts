import { type ReasonCode, startStile, tokenFor } from "../index.ts";

/** The part of `on` in Cypress's `setupNodeEvents` that is used here. */
type On = {
  (event: "after:run", work: () => Promise<void>): void;
  (event: "task", tasks: { stileTokenFor: (reason: ReasonCode | null) => Promise<string> }): void;
};

/**
 * For `setupNodeEvents` of Cypress, which returns its result: starts a service, puts its `url`,
 * `siteKey` and `secretKey` into `Cypress.env("stile")`, and adds the task `stileTokenFor`.
 */
export async function useStile<Config extends { env: Record<string, unknown> }>(
  on: On,
  config: Config,
): Promise<Config> {
  const { stop, ...stile } = await startStile();
  on("after:run", stop);
  on("task", { stileTokenFor: (reason) => tokenFor(stile.url, reason ?? undefined) });
  config.env.stile = stile;
  return config;
}
