import { OPERATOR } from "@stile/core/domain/account/audit";
import { parseHostName } from "@stile/core/domain/site/host-name";
import { hasLiveSecret } from "@stile/core/domain/site/site";
import type { ServicePorts } from "@stile/core/ports/service-ports";
import { makeSetupLink } from "@stile/core/use-cases/account/link/make-setup-link";
import { createSite } from "@stile/core/use-cases/site/create-site";
import { encodeBase64url } from "@stile/pow/base64url";
import type { DataDirectory, DemoKeys } from "../data-directory/data-directory.ts";

/** Hosts on which the demo page may be opened, in addition to that of STILE_BASE_URL. */
const DEMO_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

const ACCOUNT_ID_BYTES = 9;

/** The result of a start or of `init`. */
export type FirstStart = {
  /** Whether this call made the first account and site. */
  readonly isFirst: boolean;
  /** The demo site's keys; undefined if the data directory has none that the store accepts. */
  readonly demoKeys: DemoKeys | undefined;
};

async function makeAccount(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">,
): Promise<string> {
  const accountId = `acc_${Buffer.from(ports.cryptography.randomBytes(ACCOUNT_ID_BYTES)).toString("hex")}`;
  const createdAtMs = ports.clock.nowMs();
  const limits = { challengePerMinute: null, totalPerMinute: null };
  await ports.sites.insertAccount({ accountId, name: "Default", createdAtMs, ...limits });
  return accountId;
}

/**
 * The demo's keys if the store accepts them. It may not, because the store may belong to another
 * installation, the secret may be revoked, or the site deleted.
 */
export async function findDemoKeys(
  { clock, cryptography, sites }: Pick<ServicePorts, "clock" | "cryptography" | "sites">,
  directory: DataDirectory,
): Promise<DemoKeys | undefined> {
  const keys = directory.readDemoKeys();
  if (keys === undefined) return undefined;
  const digest = encodeBase64url(cryptography.digest(keys.secretKey));
  const site = await sites.findSiteBySecret(digest);
  return site?.siteKey === keys.siteKey && hasLiveSecret(site, digest, clock.nowMs())
    ? keys
    : undefined;
}

/** Creates the first account and site unless another process has just done so. */
async function makeFirst(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">,
  directory: DataDirectory,
  baseUrl: string | undefined,
): Promise<FirstStart> {
  const [first] = await ports.sites.listAccounts();
  const sites = first === undefined ? [] : await ports.sites.listSites(first.accountId);
  // A crash between the two writes below leaves an account without a site and without demo keys.
  if (first !== undefined && (sites.length > 0 || directory.readDemoKeys() !== undefined))
    return { isFirst: false, demoKeys: await findDemoKeys(ports, directory) };
  const accountId = first?.accountId ?? (await makeAccount(ports));
  const ownHost = baseUrl === undefined ? undefined : parseHostName(new URL(baseUrl).hostname);
  const domains = ownHost === undefined ? DEMO_HOSTS : [...DEMO_HOSTS, ownHost];
  const created = await createSite(
    ports,
    { accountId, actor: OPERATOR },
    { name: "Demo", domains },
  );
  if (created.kind !== "created")
    throw new Error(`the demo site could not be made: ${created.kind}`);
  const madeKeys = { siteKey: created.site.siteKey, secretKey: created.secretKey };
  directory.writeDemoKeys(madeKeys);
  return { isFirst: true, demoKeys: madeKeys };
}

/**
 * In an empty store: creates the first account and a first site, the demo, whose secret goes to the
 * data directory (D16, operator). A server and the command line may do this at the same time. Then
 * one of them creates the site, and both know its keys.
 */
export function initialize(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory">,
  directory: DataDirectory,
  baseUrl: string | undefined,
): Promise<FirstStart> {
  return directory.alone(() => makeFirst(ports, directory, baseUrl));
}

/**
 * Token of a link that makes the account's first member, its owner, within 15 minutes (D16,
 * operator); undefined once the account has a member. A newer link replaces an older one.
 */
export async function offerSetup(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "sites" | "directory" | "members" | "links">,
): Promise<string | undefined> {
  const [account] = await ports.sites.listAccounts();
  if (account === undefined) return undefined;
  return (await makeSetupLink(ports, account.accountId))?.token;
}
