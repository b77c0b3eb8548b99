import { existsSync, readdirSync } from "node:fs";
import { COMMAND_LINE } from "../command-line.ts";
import type { Config } from "../config/config.ts";
import { operatorAddress } from "../config/operator-address.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { linkUrl } from "../http/dashboard/account/link-url.ts";
import { initialize, offerSetup } from "../lifecycle/first-start.ts";
import { fail } from "./fail.ts";
import { hasInstallation, openOperatorPorts, openOperatorStore } from "./operator-ports.ts";

/** Whether the folder is empty or missing. Locks that other commands left do not count. */
const isEmpty = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).every((name) => name.endsWith(".lock"));

/**
 * Creates the first account and site unless they exist, and prints the demo site's keys (D16,
 * operator). While the account has no member, it also prints a new link for the owner.
 */
export async function init(
  config: Config,
  options: { readonly json?: boolean; readonly new?: boolean },
): Promise<number> {
  if (!config.isPlaceNamed && options.new !== true && isEmpty(config.dataDirectory)) {
    return fail(
      `There is no ${config.dataDirectory}, and neither STILE_DATA_DIR nor STILE_DATABASE_URL is set. If your service is already running, run this in the folder where it was started, or with its settings. To create a new installation here, run: ${COMMAND_LINE} init --new`,
    );
  }
  const directory = openDataDirectory(config.dataDirectory);
  hasInstallation(config, directory, options.new ?? false);
  const store = await openOperatorStore(config, directory, options.new);
  const make = async () => {
    const ports = await openOperatorPorts(store);
    return {
      ...(await initialize(ports, directory, config.baseUrl)),
      setupToken: await offerSetup(ports),
    };
  };
  const { isFirst, demoKeys, setupToken } = await store.alone(make).finally(() => store.close());
  const address = directory.servedAt() ?? operatorAddress(config, config.port);
  const setupUrl = setupToken === undefined ? null : linkUrl(address, setupToken);
  const { siteKey = null, secretKey = null } = demoKeys ?? {};
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ site_key: siteKey, secret_key: secretKey, setup_url: setupUrl })}\n`,
    );
  } else {
    const made = isFirst
      ? "Created the first account and the demo site."
      : "The store is already initialized.";
    process.stdout.write(`${made}\n`);
    if (demoKeys !== undefined)
      process.stdout.write(`Site key    ${siteKey}\nSecret key  ${secretKey}\n`);
    if (setupUrl !== null)
      process.stdout.write(`Dashboard   ${setupUrl}  (works once, for 15 minutes)\n`);
  }
  if (demoKeys !== undefined) return 0;
  return fail(
    `${config.dataDirectory} has no valid keys for a first site. Create a site in the dashboard, or rotate a site's secret key there, and it shows the keys.`,
  );
}
