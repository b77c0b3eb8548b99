/** Code to paste, with the name of its tab. */
export type Snippet = { readonly id: string; readonly label: string; readonly language: string; readonly code: string };

/** Where the code of all snippets sends a form. */
export const SNIPPET_ACTION = "/sign-up";
