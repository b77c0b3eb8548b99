import type { PasskeyCeremonies } from "@stile/core/ports/account/credentials";

/**
 * The ceremonies of passkeys. Their code is loaded with the first ceremony, because it takes longer
 * to load than everything else.
 */
export function createPasskeyCeremonies(): PasskeyCeremonies {
  let loading: Promise<PasskeyCeremonies> | undefined;
  const load = (): Promise<PasskeyCeremonies> => {
    loading ??= import("./webauthn.ts").then(({ CEREMONIES }) => CEREMONIES);
    return loading;
  };
  return {
    createRegistration: async (...given) => (await load()).createRegistration(...given),
    verifyRegistration: async (...given) => (await load()).verifyRegistration(...given),
    createSignIn: async (...given) => (await load()).createSignIn(...given),
    verifySignIn: async (...given) => (await load()).verifySignIn(...given),
  };
}
