/** Texts that several pages share. */
export const TEXT = {
  product: "Stile",
  loading: "Loading",
  retry: "Try again",
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  undo: "Undo",
  dismiss: "Dismiss",
  save: "Save changes",
  saved: "Saved.",
  none: "None yet",
  copyFailed: "Copying was refused. Select the text and copy it yourself.",
  formHasProblems: "Please fix what is marked below.",
  stillSignedIn: "You are still signed in.",
  yourAccount: "Your account",
  recoveryUsed: "You signed in with a recovery code",
  recoveryLeft: "Codes left",
  recoveryAdvice:
    "If you lost your app or passkey, remove it and set up a new one, then make new codes:",
  somethingFailed: "That did not work",
} as const;
