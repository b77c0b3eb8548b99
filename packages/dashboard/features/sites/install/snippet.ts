/** Code to paste, with the name of its tab. */
export type Snippet = {
  readonly id: string;
  readonly label: string;
  readonly language: string;
  readonly code: string;
};

/** Where the forms in all snippets are sent. */
export const SNIPPET_ACTION = "/sign-up";

/**
 * The values in the server's code: the service, hosts as a JSON list, and whether visitors are
 * asked for a press (D9, submission).
 */
export type ServerTerms = {
  readonly baseUrl: string;
  readonly hosts: string;
  readonly isAsked: boolean;
};

/** The comment above the second step, for sites whose mode asks nobody. */
export const SECOND_STEP =
  "Write your own second step, such as a code by email: this mode asks no one for a click. Until then this refuses the form.";

/** The comment in the branch without a verdict. */
export const NO_VERDICT = "No verdict: a 5xx, or no answer in 10 s. You decide what happens then;";
