import { LINK_MS, type Link } from "../../../domain/account/link.ts";
import type { RequestedChange } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { createLinkId, createToken } from "../bearer-tokens.ts";

/** A new link. Its token goes to the bearer and is shown only this once. */
export type NewLink = { readonly token: string; readonly link: Link };

/**
 * Makes a link; the caller stores it. A repeat of the same change makes a link with the same id.
 */
export function makeLink(
  ports: Pick<ServicePorts, "clock" | "cryptography">,
  terms: Pick<Link, "purpose" | "accountId" | "userId" | "role" | "madeBy"> &
    Partial<Pick<Link, "removesSecondFactors">>,
  change?: RequestedChange,
): NewLink {
  const nowMs = ports.clock.nowMs();
  const { token, tokenDigest } = createToken(ports.cryptography);
  const linkId = createLinkId(ports.cryptography, change);
  return {
    token,
    link: {
      removesSecondFactors: false,
      ...terms,
      linkId,
      tokenDigest,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + LINK_MS[terms.purpose],
    },
  };
}
