import type { IncomingMessage } from "node:http";
import type { RedeemAnswer } from "@stile/core/domain/token/redeem-answer";
import {
  type RedeemFields,
  type RedeemReading,
  redeemToken,
} from "@stile/core/use-cases/token/redeem-token";
import type { ApiPorts } from "../../http/v1/api-ports.ts";
import type { VendorCall, VendorFields } from "./vendor-call.ts";

/** A vendor's call: its secret key, and how to find the fields of a redemption in it. */
export type VendorRedemption = {
  readonly secretKey: string | undefined;
  readonly call: VendorCall;
  readonly toFields: (fields: VendorFields) => RedeemFields;
};

/**
 * Redeems the token of a vendor's call by the use case of POST /api/v1/token/verify. It reads the
 * call only if the secret key is right.
 */
export function redeemForVendor(
  ports: ApiPorts,
  request: IncomingMessage,
  { secretKey, call, toFields }: VendorRedemption,
): Promise<RedeemAnswer> {
  const caller = { secretKey, address: ports.visitors.addressOf(request) };
  const read = (): RedeemReading => {
    if (call.kind === "too_large") return { kind: "too_much" };
    const fields = call.read();
    if (fields === undefined) return { kind: "malformed", message: "The call can't be read." };
    return { kind: "fields", fields: toFields(fields) };
  };
  return redeemToken(ports, caller, { kind: "received", read });
}

/** Whether the call had a right secret key. */
export function hasRightKey({ kind }: RedeemAnswer): boolean {
  return kind !== "missing_secret" && kind !== "invalid_secret" && kind !== "caller_limited";
}
