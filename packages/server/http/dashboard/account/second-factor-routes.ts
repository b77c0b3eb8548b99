import { addPasskey, beginPasskey } from "@stile/core/use-cases/account/second-factor/add-passkey";
import { disableTotp } from "@stile/core/use-cases/account/second-factor/disable-totp";
import { beginTotp, confirmTotp } from "@stile/core/use-cases/account/second-factor/enable-totp";
import { makeRecoveryCodes } from "@stile/core/use-cases/account/second-factor/make-recovery-codes";
import { removePasskey } from "@stile/core/use-cases/account/second-factor/remove-passkey";
import type { RecoveryCodesData } from "@stile/protocol/dashboard-api";
import { newPasskeySchema, totpConfirmationSchema } from "@stile/protocol/schemas/dashboard";
import { LIMITED, ok, type RouteReply, refuse, refuseLimited } from "../reply.ts";
import { memberRoute, type Route } from "../route.ts";

/** The last second factor can't be removed while the account demands one. */
const LAST_FACTOR = refuse("second_factor_demanded", {
  message:
    "This account requires a second factor for every member. Add another one before you remove this one.",
});

function okWithCodes(recoveryCodes: readonly string[] | undefined): RouteReply {
  const data: RecoveryCodesData = recoveryCodes === undefined ? {} : { recoveryCodes };
  return ok(data);
}

const offerTotp = memberRoute({
  method: "POST",
  path: "me/totp",
  role: "viewer",
  needsProof: true,
  mayLackFactor: true,
  handle: async ({ ports, signedIn }) => {
    const answer = beginTotp(ports, signedIn);
    if (answer.kind === "limited") return refuseLimited(answer.limit);
    const { kind, ...begun } = answer;
    return ok(begun);
  },
});

const enableTotp = memberRoute({
  method: "POST",
  path: "me/totp/confirm",
  role: "viewer",
  needsProof: true,
  mayLackFactor: true,
  body: totpConfirmationSchema,
  handle: async ({ ports, signedIn, body }) => {
    const answer = await confirmTotp(ports, signedIn, body);
    switch (answer.kind) {
      case "enabled":
        return okWithCodes(answer.recoveryCodes);
      case "wrong_code":
        return refuse("invalid_input", {
          problems: [
            { field: "code", message: "This code is not the current one. Wait for the next one." },
          ],
        });
      case "conflict":
        return refuse("conflict", {
          message: "That took too long, or an app is already turned on. Start again.",
        });
      case "limited":
        return LIMITED;
      default:
        return answer satisfies never;
    }
  },
});

const dropTotp = memberRoute({
  method: "DELETE",
  path: "me/totp",
  role: "viewer",
  needsProof: true,
  handle: async ({ ports, signedIn }) => {
    const answer = await disableTotp(ports, signedIn);
    if (answer === "demanded") return LAST_FACTOR;
    return answer === "disabled" ? ok() : refuse(answer);
  },
});

const offerPasskey = memberRoute({
  method: "POST",
  path: "me/passkeys/options",
  role: "viewer",
  needsProof: true,
  mayLackFactor: true,
  handle: async ({ ports, party, signedIn }) => ok(await beginPasskey(ports, party, signedIn)),
});

const registerPasskey = memberRoute({
  method: "POST",
  path: "me/passkeys",
  role: "viewer",
  needsProof: true,
  mayLackFactor: true,
  body: newPasskeySchema,
  handle: async (call) => {
    const answer = await addPasskey(call.ports, call.party, call.signedIn, call.body);
    switch (answer.kind) {
      case "added":
      case "repeated":
        return okWithCodes(answer.recoveryCodes);
      case "limited":
        return refuseLimited(answer.limit);
      case "refused":
        return refuse("wrong_credentials", {
          message: "The passkey could not be added. Start again.",
        });
      case "conflict":
        return refuse("conflict");
      default:
        return answer satisfies never;
    }
  },
});

const dropPasskey = memberRoute({
  method: "DELETE",
  path: "me/passkeys/:passkeyId",
  role: "viewer",
  needsProof: true,
  handle: async ({ ports, signedIn, params }) => {
    const answer = await removePasskey(ports, signedIn, params.passkeyId);
    if (answer === "demanded") return LAST_FACTOR;
    return answer === "removed" ? ok() : refuse(answer);
  },
});

const renewCodes = memberRoute({
  method: "POST",
  path: "me/recovery-codes",
  role: "viewer",
  needsProof: true,
  handle: async ({ ports, signedIn }) => {
    const answer = await makeRecoveryCodes(ports, signedIn);
    return answer.kind === "made" ? okWithCodes(answer.codes) : refuse(answer.kind);
  },
});

/** Authenticator app, passkeys and recovery codes of the signed-in member. */
export const secondFactorRoutes: readonly Route[] = [
  offerTotp,
  enableTotp,
  dropTotp,
  offerPasskey,
  registerPasskey,
  dropPasskey,
  renewCodes,
];
