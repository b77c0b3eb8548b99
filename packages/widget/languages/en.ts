import type { ErrorText, Texts } from "./texts.ts";

const OUT_OF_REACH = "The check can’t be reached right now. It tries again by itself.";

/** English, but for what goes wrong seldom (`error-texts.ts`): here stands what has to be told without the network. */
export const en: Texts & { readonly errors: Record<"network" | "timeout", ErrorText> } = {
  language: "en",
  verify: "Verify you are human",
  checking: "Checking…",
  verified: "Verified",
  expired: "Expired. Verify again",
  retry: "Try again",
  clickNeeded: "Please press “Verify you are human”.",
  errors: {
    network: (offline) => (offline ? "You are offline. The check goes on once you are back." : OUT_OF_REACH),
    timeout: () => OUT_OF_REACH,
  },
  requestId: (id) => `Request id: ${id}`,
};
