/**
 * The English texts of the pages; `{0}` and `{1}` are placeholders. Every other language is a file
 * in `languages/`.
 */
export const ENGLISH = {
  continue: "Continue",
  waitTitle: "Please wait {0}",
  why: "The form on {0} checks that it is not submitted by a bot. Without JavaScript, a short wait is enough. There is nothing to solve.",
  stepWait: "Wait {0}.",
  stepPress: "Press “{0}” to get a code.",
  stepCopy: "Copy the code into the form and submit it.",
  earlyTitle: "Not quite yet",
  early: "Please wait another {0}, then press “{1}” again. Nothing is lost.",
  codeTitle: "Your code is ready",
  copyCode: "Copy the whole code below.",
  pasteCode: "Go back to the form on {0} and paste the code there.",
  sendWithin: "Submit the form within {0}. The code works once.",
  codeLabel: "Your code",
  select:
    "To select all of it, click into the field and press Ctrl+A (Cmd+A on a Mac), or press and hold it on a phone.",
  again: "Start again",
  reference: "Reference: {0}",
  goBack: "Go back to the form and use the link there.",
  incomplete: "This link is incomplete",
  faultTitle: "The service has a problem",
  fault: "This is not your fault. Wait a moment, then reload this page.",
  unknownTitle: "This link does not work",
  unknown:
    "The site key in this link does not exist. The owner of the page with the form can fix it.",
  foreignTitle: "This link belongs to another page",
  disabledTitle: "This site has no codes right now",
  disabled:
    "The site owner has disabled the protection of this site, so there are no codes right now.",
  notOfferedTitle: "This form needs JavaScript",
  notOffered:
    "The site owner offers no alternative to JavaScript. Turn JavaScript on, or ask the site owner for another way.",
  retryTitle: "Please start again",
  retry:
    "A wait is valid for ten minutes, in one browser and on one network, and gives you one code.",
  blockedTitle: "You can't get a code",
  blocked:
    "Your request looks automated, so you can't get a code. If this is a mistake, contact the site owner and give them the reference below.",
  contact: "Contact: {0}",
} as const;

/** The name of a text. */
export type TextName = keyof typeof ENGLISH;
