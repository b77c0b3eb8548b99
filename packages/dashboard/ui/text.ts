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
  copyFailed: "The browser did not allow copying. Select the text and copy it yourself.",
  formHasProblems: "Please correct the following",
  stillSignedIn: "You are still signed in.",
  yourAccount: "Your account",
  recoveryUsed: "You signed in with a recovery code",
  recoveryLeft: "Codes left",
  recoveryAdvice:
    "If you have lost your app or passkey, remove it, set up a new one and create new codes:",
  somethingFailed: "Something went wrong",
} as const;
