import type { IncomingMessage } from "node:http";
import type { RedeemAnswer } from "@stile/core/domain/token/redeem-answer";
import { type RedeemFields, redeemToken } from "@stile/core/use-cases/token/redeem-token";
import type { ApiPorts } from "../../http/v1/api-ports.ts";

/** A vendor's call: the secret key, and the fields of a redemption. */
export type VendorRedemption = RedeemFields & { readonly secretKey: string | undefined };

/** Redeems the token of a vendor's call by the use case of POST /api/v1/token/verify. */
export function redeemForVendor(
  ports: ApiPorts,
  request: IncomingMessage,
  { secretKey, ...fields }: VendorRedemption,
): Promise<RedeemAnswer> {
  const caller = { secretKey, address: ports.visitors.addressOf(request) };
  return redeemToken(ports, caller, {
    kind: "received",
    read: () => ({ kind: "fields", fields }),
  });
}
