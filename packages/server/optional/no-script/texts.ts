/**
 * The English texts of the pages; `{0}` and `{1}` are placeholders. Every other language is a file
 * in `languages/`.
 */
export const ENGLISH = {
  continue: "Continue",
  waitTitle: "Please wait {0}",
  why: "The form on {0} checks that it is not sent by a program. Without JavaScript, a short wait is enough. There is nothing to solve.",
  stepWait: "Wait {0}.",
  stepPress: "Press “{0}”. You get a code.",
  stepCopy: "Copy the code into the form and send it.",
  earlyTitle: "Not quite yet",
  early: "Please wait another {0}, then press “{1}” again. Nothing is lost.",
  codeTitle: "Your code is ready",
  copyCode: "Copy the whole code below.",
  pasteCode: "Go back to the form on {0} and paste the code there.",
  sendWithin: "Send the form within {0}. The code works once.",
  codeLabel: "Your code",
  select:
    "To select all of it, click into the field and press Ctrl+A (Cmd+A on a Mac), or press and hold it on a phone.",
  again: "Start again",
  reference: "Reference: {0}",
  goBack: "Go back to the form and use the link there.",
  incomplete: "This link is incomplete",
  faultTitle: "The service has a problem",
  fault: "That is not your doing. Wait a moment, then reload this page.",
  unknownTitle: "This link leads nowhere",
  unknown: "No site has the key in this link. The owner of the page with the form can fix it.",
  foreignTitle: "This link belongs to another page",
  disabledTitle: "There are no codes for this site now",
  disabled:
    "The owner of the site has switched its protection off. Its forms take no codes at the moment.",
  notOfferedTitle: "This form needs JavaScript",
  notOffered:
    "The owner of the site offers no way without JavaScript. Turn JavaScript on, or ask them for another way.",
  retryTitle: "Please start again",
  retry: "A wait counts for ten minutes, in one browser and on one network, and yields one code.",
  blockedTitle: "You get no code",
  blocked:
    "Too much about your request looks automated, so there is no code. If you think that is wrong, tell the owner of the site, with the reference below.",
  contact: "Contact: {0}",
} as const;

/** The name of a text. */
export type TextName = keyof typeof ENGLISH;
