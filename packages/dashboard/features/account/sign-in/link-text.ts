import { WHERE } from "../text.ts";

/** Texts of the page that a set-up, invitation or reset link opens. */
export const LINK = {
  loading: "Checking the link",
  titles: { setup: "Set up Stile", invite: "Join", reset: "Choose a new password" },
  intros: {
    setup:
      "You are creating the first account. As its owner you can do everything, including inviting others.",
    invite: "You have been invited. Choose how you want to sign in.",
    reset: "All your sessions end when you set the new password.",
  },
  yourRole: "Your role",
  name: "Your name",
  nameHelp: "Shown to other members and in the audit log.",
  emailHelp: "You sign in with this address. No email is ever sent to it.",
  passwordRules:
    "At least 10 characters, and not a common password. A few unusual words work well and are easy to remember.",
  factorsRemoved:
    "This also removes your authenticator app, passkeys and recovery codes. Set up new ones afterwards.",
  factorLost:
    "Have you lost your app, passkeys and recovery codes? Ask the member who created this link for one that removes them.",
  withPasskey: "Use a passkey instead of the code",
  passkeyCalledOff: "No passkey was used. Try again, or enter a code.",
  submits: { setup: "Create the owner account", invite: "Join", reset: "Set the new password" },
  validFor: "This link expires in",
  deadTitle: "This link no longer works",
  dead: "It was used, has expired, or was replaced by a newer link.",
  missingTitle: "This link is incomplete",
  missing:
    "Open it again from where you received it. If you reload this page, you must do that too, because the secret part of the link is removed from the address bar immediately.",
  ways: "How to get a new one",
  waySetup: `If you are the first owner, or if no one can sign in, run this command ${WHERE}:`,
  wayInvite: "For an invitation or a reset, ask an admin of the account.",
  toSignIn: "Go to sign-in",
} as const;
