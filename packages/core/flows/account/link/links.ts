import { LINK_MS, type Link } from "../../../domain/account/link.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { createId, createToken } from "../signed-in.ts";

/** A new link. Its token goes to the bearer and is shown only this once. */
export type NewLink = { readonly token: string; readonly link: Link };

/** Makes a link; the caller stores it. */
export function makeLink(
  ports: Pick<ServicePorts, "clock" | "cryptography">,
  terms: Pick<Link, "purpose" | "accountId" | "userId" | "role" | "madeBy"> &
    Partial<Pick<Link, "removesSecondFactors">>,
): NewLink {
  const nowMs = ports.clock.nowMs();
  const { token, tokenDigest } = createToken(ports.cryptography);
  const linkId = createId(ports.cryptography, "lnk");
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
