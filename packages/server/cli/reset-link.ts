import { LINK_MS } from "@stile/core/domain/account/link";
import type { Member } from "@stile/core/domain/account/member";
import { makeOperatorResetLink } from "@stile/core/use-cases/account/link/make-operator-reset-link";
import type { Config } from "../config/config.ts";
import { operatorAddress } from "../config/operator-address.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { linkUrl } from "../http/dashboard/account/link-url.ts";
import { offerSetup } from "../lifecycle/first-start.ts";
import { fail } from "./fail.ts";
import { noInstallation } from "./no-installation.ts";
import {
  hasInstallation,
  type OperatorPorts,
  openOperatorPorts,
  openOperatorStore,
} from "./operator-ports.ts";

/** The token of a new link and its purpose, or why there is none. */
type LinkSearch = { readonly token: string; readonly use: string } | { readonly problem: string };

const termsOf = (kind: "setup" | "reset"): string =>
  `it works once, for ${LINK_MS[kind] / 60_000} minutes, and replaces any earlier one.`;

const NOTHING_STORED = "there is no account yet; start the server, or run init.";

/**
 * The member that the link is for, and whether it removes their authenticator app, passkeys and
 * recovery codes.
 */
export type ResetLinkOptions = {
  readonly email: string | undefined;
  readonly removesSecondFactor: boolean;
};

/** The named member, or the only owner. */
function choose(
  members: readonly Member[],
  email: string | undefined,
): Member | { readonly problem: string } {
  if (email !== undefined) {
    const wanted = email.trim().normalize("NFC").toLowerCase();
    return (
      members.find((member) => member.email === wanted) ?? {
        problem: `no member has the email address ${wanted}.`,
      }
    );
  }
  const owners = members.filter(({ role }) => role === "owner");
  const [owner] = owners;
  if (owner !== undefined && owners.length === 1) return owner;
  return { problem: `name one with --email: ${owners.map((member) => member.email).join(", ")}.` };
}

async function makeLink(
  ports: OperatorPorts,
  { email, removesSecondFactor }: ResetLinkOptions,
): Promise<LinkSearch> {
  const accounts = await ports.sites.listAccounts();
  const members = (
    await Promise.all(accounts.map(({ accountId }) => ports.members.listMembers(accountId)))
  ).flat();
  if (members.length === 0) {
    const token = await offerSetup(ports);
    const use = `to become the owner: ${termsOf("setup")}`;
    return token === undefined ? { problem: NOTHING_STORED } : { token, use };
  }
  const chosen = choose(members, email);
  if ("problem" in chosen) return chosen;
  const made = await makeOperatorResetLink(ports, chosen.userId, removesSecondFactor);
  if (made === undefined) return { problem: "the member has just been removed." };
  const use = `to choose a new password for ${chosen.email}: ${termsOf("reset")}`;
  return { token: made.token, use };
}

/** Prints a link by which a locked-out member chooses new credentials (D16, operator). */
export async function resetLink(config: Config, options: ResetLinkOptions): Promise<number> {
  const directory = openDataDirectory(config.dataDirectory);
  // The check itself must create nothing.
  if (!hasInstallation(config, directory)) throw noInstallation(config);
  const store = await openOperatorStore(config, directory);
  const finding = await openOperatorPorts(store)
    .then((ports) => makeLink(ports, options))
    .finally(() => store.close());
  if ("problem" in finding) return fail(finding.problem);
  const servedAt = directory.servedAt();
  if (servedAt === undefined) {
    process.stderr.write(
      "stile: no server is running on this data directory. The link works once one is running at this address.\n",
    );
  }
  // Standard output has only the link, for scripts.
  process.stderr.write(`Open this link in a browser ${finding.use}\n`);
  process.stdout.write(
    `${linkUrl(servedAt ?? operatorAddress(config, config.port), finding.token)}\n`,
  );
  return 0;
}
