import type { Config } from "../config.ts";
import { openDataDirectory } from "../data-directory.ts";
import { initialize, offerSetup } from "../first-start.ts";
import { linkUrl } from "../http/dashboard/link-url.ts";
import { operatorAddress } from "../operator-address.ts";
import { hasInstallation, openOperatorPorts, openOperatorStore } from "./operator-ports.ts";

/**
 * Makes the first account and site unless they exist, and prints the demo site's keys (D16), with a new link for the owner
 * until the account has a member.
 */
export async function init(
  config: Config,
  options: { readonly json?: boolean; readonly new?: boolean },
): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  hasInstallation(config, directory, options.new ?? false);
  const store = await openOperatorStore(config, directory, options.new);
  const make = async () => {
    const ports = await openOperatorPorts(store);
    return { ...(await initialize(ports, directory, config.baseUrl)), setupToken: await offerSetup(ports) };
  };
  const { isFirst, demoKeys, setupToken } = await store.alone(make).finally(() => store.close());
  if (demoKeys === undefined) {
    process.stderr.write(`stile: ${config.dataDirectory} has accounts, but no demo site whose secret is known.\n`);
    return 1;
  }
  const address = directory.servedAt() ?? operatorAddress(config, config.port);
  const setupUrl = setupToken === undefined ? null : linkUrl(address, setupToken);
  if (options.json) {
    const wire = { site_key: demoKeys.siteKey, secret_key: demoKeys.secretKey, setup_url: setupUrl };
    process.stdout.write(`${JSON.stringify(wire)}\n`);
    return 0;
  }
  process.stdout.write(isFirst ? "Made the first account and the demo site.\n" : "The store is already initialized.\n");
  process.stdout.write(`Site key    ${demoKeys.siteKey}\nSecret key  ${demoKeys.secretKey}\n`);
  if (setupUrl !== null) process.stdout.write(`Dashboard   ${setupUrl}  (works once, for 15 minutes)\n`);
  return 0;
}
