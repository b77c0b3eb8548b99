/** Words that several pages share. */
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
  formHasProblems: "Please mend what is marked below.",
  somethingFailed: "That did not work",
} as const;
